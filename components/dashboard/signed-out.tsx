"use client";
// No login here: what to run to get one. Never asks for anything to be typed into the page.
import { useStrings } from "#components/strings/strings.ts";
import { CodeBox } from "#components/ui/code-box.tsx";
import { NoticePage } from "./notice-page.tsx";

export function SignedOut() {
  const s = useStrings();
  return (
    <NoticePage title={s.welcome.outTitle} text={s.welcome.outText}>
      <OpenCommands />
    </NoticePage>
  );
}

export function OpenCommands() {
  const s = useStrings();
  return (
    <>
      <CodeBox code={s.welcome.command} label={s.welcome.copyCommand} />
      <p className="text-caption text-text-3">{s.welcome.or}</p>
      <CodeBox code={s.welcome.commandNpm} label={s.welcome.or} />
    </>
  );
}
