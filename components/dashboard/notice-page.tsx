// A page that says one thing and offers one way on.
import type { ReactNode } from "react";
import { Logo } from "#components/ui/logo.tsx";

export function NoticePage({
  title,
  text,
  children,
}: {
  title: ReactNode;
  text?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center p-6">
      <div className="w-full max-w-[440px]">
        <div className="mb-6 flex items-center gap-2 text-text-2">
          <Logo size={28} />
          <span className="font-semibold text-lead">cotty</span>
        </div>
        <h1 className="text-hero text-balance">{title}</h1>
        {text ? <div className="mt-2 text-lead text-text-2 text-pretty">{text}</div> : null}
        {children ? <div className="mt-6 flex flex-col gap-3">{children}</div> : null}
      </div>
    </main>
  );
}
