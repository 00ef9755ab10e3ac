import { expect, it } from "vitest";
import { preferredType } from "./accept.ts";

it.each([
  [undefined, "application/json"],
  ["*/*", "application/json"],
  ["text/plain", "text/plain"],
  ["text/*", "text/plain"],
  ["text/plain, */*", "application/json"],
  ["text/plain, */*;q=0.5", "text/plain"],
  ["application/json;q=0.2, text/plain;q=0.3", "text/plain"],
  ["text/plain;q=0, */*", "application/json"],
  ["TEXT/Plain ; Q=1", "text/plain"],
  ["text/html", "application/json"],
  ["text/plain;q=nonsense", "application/json"],
  [`${"a/b,".repeat(10_000)}text/plain`, "application/json"],
])("[CP1] Accept %j is answered with %s", (accept, type) => {
  expect(preferredType(accept?.slice(0, 20_000), ["application/json", "text/plain"])).toBe(type);
});
