import { describe, expect, it } from "vitest";
import { operations } from "#lib/protocol/operations/table.ts";
import { createApiClient } from "./api-client.ts";
import type { ApiClientOptions } from "./call.ts";
import { createPageClient } from "./page-client.ts";

type AnyCall = (input: object) => Promise<unknown>;

const names = Object.entries<{ streams?: true }>(operations)
  .filter(([, operation]) => !operation.streams)
  .map(([name]) => name);

/** What is sent when `name` is called. */
async function sent(make: (options: ApiClientOptions) => object, name: string): Promise<string> {
  const asked: string[] = [];
  const client = make({
    baseUrl: "",
    fetch: async (url, { method }) => {
      asked.push(`${method} ${url}`);
      return Response.json({}, { status: 500 });
    },
  });
  const call = (client as Record<string, AnyCall>)[name];
  // It is told a reason that is none; what was asked is what counts.
  await call?.({ params: { id: "a", index: "1" }, query: { x: "y" } }).catch(() => {});
  return asked.join();
}

describe("the dashboard's client", () => {
  it("has every operation that is no stream", () => {
    expect(Object.keys(createPageClient({ baseUrl: "" })).sort()).toEqual([...names].sort());
  });

  it.each(names)("[UI 16] asks for %s as the whole client does, loaded or not", async (name) => {
    const asked = await sent(createPageClient, name);
    expect(asked).toMatch(/^[A-Z]+ \/api\/v1\//);
    expect(asked).toBe(await sent(createApiClient, name));
  });
});
