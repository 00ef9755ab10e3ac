"use client";
// The quick start: what a person does, what an agent does, the keys. Every command here is meant to be run as it stands.
import { type ReactNode, useEffect, useState } from "react";
import { useStrings } from "#components/strings/strings.ts";
import { CodeBox } from "#components/ui/code-box.tsx";
import { InlineCode } from "#components/ui/inline-code.tsx";
import { Kbd } from "#components/ui/kbd.tsx";
import { apiExamples, tokenCommand } from "./agent-commands.ts";
import { Brand, TopBarFrame } from "./top-bar.tsx";
import { usePageTitle } from "./use-page-title.ts";

export function QuickStart() {
  const s = useStrings();
  const [origin, setOrigin] = useState("http://127.0.0.1:4111");
  useEffect(() => setOrigin(location.origin), []);
  usePageTitle(s.docs.title);
  return (
    <div className="flex min-h-dvh flex-col">
      <TopBarFrame>
        <a href="/" aria-label={s.app.home} className="rounded-control">
          <Brand />
        </a>
        <a
          href="/"
          className="ml-auto rounded-control px-2 py-1 text-text-2 hover:bg-bg-2 hover:text-text-1"
        >
          {s.docs.workspace}
        </a>
      </TopBarFrame>
      <main className="mx-auto w-full max-w-[720px] px-4 py-10 text-lead leading-[22px] tablet:px-8">
        <h1 className="text-hero">{s.docs.title}</h1>
        <p className="mt-2 text-text-2">{s.docs.lead}</p>

        <Part title={s.docs.peopleTitle}>
          <Steps items={s.docs.people} />
        </Part>

        <Part title={s.docs.agentsTitle}>
          <p className="text-text-2">{s.docs.agentsLead}</p>
          <a className="text-accent underline" href="/docs/api/">
            {s.docs.referenceLink}
          </a>
          <CodeBox code={tokenCommand} label={s.empty.stepToken} />
          <CodeBox code={apiExamples(origin).setup} label={s.docs.setup} />
          <Example text={s.docs.create} code={apiExamples(origin).create} />
          <Example text={s.docs.type} code={apiExamples(origin).type} />
          <Example text={s.docs.look} code={apiExamples(origin).look} />
          <Example text={s.docs.end} code={apiExamples(origin).end} />
          <p className="text-text-2">
            <InlineCode text={s.docs.errors} />
          </p>
        </Part>

        <Part title={s.docs.keysTitle}>
          <dl className="grid grid-cols-[1fr_auto] gap-y-0 text-body">
            {s.docs.keys.map(([what, keys]) => (
              <div key={keys} className="contents">
                <dt className="border-line border-b py-2">{what}</dt>
                <dd className="border-line border-b py-2 text-right">
                  <Kbd keys={keys} />
                  <span className="sr-only">{keys}</span>
                </dd>
              </div>
            ))}
          </dl>
        </Part>
      </main>
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-10 flex flex-col gap-3">
      <h2 className="text-heading">{title}</h2>
      {children}
    </section>
  );
}

function Steps({ items }: { items: readonly string[] }) {
  return (
    <ol className="flex flex-col gap-2">
      {items.map((item, index) => (
        <li key={item} className="flex gap-3">
          <span className="w-4 shrink-0 text-right font-semibold text-text-3 tnum">
            {index + 1}
          </span>
          <span className="text-text-2">
            <InlineCode text={item} />
          </span>
        </li>
      ))}
    </ol>
  );
}

function Example({ text, code }: { text: string; code: string }) {
  return (
    <div className="flex flex-col gap-2">
      <h3 className="mt-2 font-strong text-body">{text}</h3>
      <CodeBox code={code} label={text} />
    </div>
  );
}
