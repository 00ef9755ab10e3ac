// What every reply looks like, whatever operation it is of: walked through the JSON Schemas that the documents are made of.
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { operations } from "./table.ts";

interface Node {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly anyOf?: readonly Node[];
  readonly oneOf?: readonly Node[];
  readonly allOf?: readonly Node[];
  readonly additionalProperties?: Node | boolean;
}

const replies = Object.entries(operations).map(([name, { reply }]) => ({
  name,
  schema: z.toJSONSchema(reply, { unrepresentable: "any", reused: "inline" }) as Node,
}));

const waysOf = ({ anyOf, oneOf, allOf }: Node) => [
  ...(anyOf ?? []),
  ...(oneOf ?? []),
  ...(allOf ?? []),
];

/** Every field with its dotted path, through lists, unions and records. */
function fields(node: Node, path: string): { path: string; name: string; node: Node }[] {
  const { properties = {}, items, additionalProperties } = node;
  const inside = Object.entries(properties).flatMap(([name, field]) => [
    { path: `${path}.${name}`, name, node: field },
    ...fields(field, `${path}.${name}`),
  ]);
  const more = [
    ...waysOf(node),
    ...(items ? [items] : []),
    ...(typeof additionalProperties === "object" ? [additionalProperties] : []),
  ];
  return [...inside, ...more.flatMap((one) => fields(one, path))];
}

/** What it may be, without null. */
function kinds(node: Node): Node[] {
  const ways = waysOf(node);
  return ways.length > 0 ? ways.flatMap(kinds) : node.type === "null" ? [] : [node];
}

const all = replies.flatMap(({ name, schema }) => fields(schema, name));
const isNumber = ({ type }: Node) => type === "integer" || type === "number";

describe("replies", () => {
  it("[HT3] are objects, so that a list can have more beside it", () => {
    const bare = replies.filter(({ schema }) => kinds(schema).some(({ type }) => type === "array"));
    expect(bare.map(({ name }) => name)).toEqual([]);
    expect(
      replies.filter(({ schema }) => kinds(schema).some(({ type }) => type === "object")).length,
    ).toBeGreaterThan(20);
  });

  it("[HT3] say times in ISO 8601, in fields that are named so", () => {
    const times = all.filter(({ name }) => /(^at|_at|^since|^until)$/.test(name));
    expect(times.length).toBeGreaterThan(10);
    const others = times.filter(({ node }) =>
      kinds(node).some(({ format }) => format !== "date-time"),
    );
    expect(others.map(({ path }) => path)).toEqual([]);
    const unnamed = all.filter(({ node }) =>
      kinds(node).some(({ format }) => format === "date-time"),
    );
    expect(unnamed.filter((one) => !times.includes(one)).map(({ path }) => path)).toEqual([]);
  });

  it("[HT3] say durations in milliseconds, in fields that end in _ms", () => {
    const named = all.filter(({ name }) => /_ms$/.test(name));
    expect(named.length).toBeGreaterThan(5);
    expect(
      named.filter(({ node }) => !kinds(node).every(isNumber)).map(({ path }) => path),
    ).toEqual([]);
    const odd = /duration|elapsed|timeout|remaining|uptime|_age|age_|_in$|seconds|_s$/;
    const durations = all.filter(({ name, node }) => odd.test(name) && kinds(node).some(isNumber));
    expect(durations.filter(({ name }) => !/_ms$/.test(name)).map(({ path }) => path)).toEqual([]);
  });
});
