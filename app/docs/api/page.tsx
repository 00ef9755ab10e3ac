// `/docs/api/`: the reference of the HTTP API.
import type { Metadata } from "next";
import { ApiReference } from "#components/docs/api-reference.tsx";
import { en } from "#components/strings/en.ts";

export const metadata: Metadata = { title: en.docs.referenceTitle };

export default function ApiReferencePage() {
  return <ApiReference />;
}
