// `/docs/`: the quick start, for people and for agents.
import type { Metadata } from "next";
import { QuickStart } from "#components/dashboard/quick-start.tsx";
import { en } from "#components/strings/en.ts";

export const metadata: Metadata = { title: en.docs.title };

export default function DocsPage() {
  return <QuickStart />;
}
