import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it } from "vitest";
import { apiBase, type Operation } from "../operations/operation.ts";
import { operations } from "../operations/table.ts";
import { agentGuide, shortGuide } from "./guide.ts";
import { openApiDocument } from "./openapi.ts";

const document = openApiDocument("0.0.0") as {
  paths: Record<
    string,
    Record<string, { operationId: string; responses: Record<string, unknown> }>
  >;
};

describe("the OpenAPI document", () => {
  it("[OP6] is valid OpenAPI 3.1", async () => {
    const validator = new Validator();
    const result = await validator.validate(JSON.parse(JSON.stringify(document)));
    expect(result.errors ?? []).toEqual([]);
    expect(validator.version).toBe("3.1");
  });

  it("[OP6] has every operation of the table once, with its success and its refusals", () => {
    for (const operation of Object.values(operations) as Operation[]) {
      const found = document.paths[apiBase + operation.path]?.[operation.method.toLowerCase()];
      expect(found?.operationId).toBe(operation.name);
      expect(Object.keys(found?.responses ?? {})).toContain(String(operation.status));
      if (operation.action !== "public")
        expect(Object.keys(found?.responses ?? {})).toContain("401");
    }
  });
});

describe("the guide for agents", () => {
  it("[OP6] is at most 60 lines and names only calls that exist", () => {
    const text = agentGuide("http://h");
    expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(60);
    const paths = new Set(
      (Object.values(operations) as Operation[]).map((operation) => operation.path),
    );
    for (const [, path] of text.matchAll(/(?:GET|POST|DELETE) (\/[a-z_/{}]+)/g))
      expect(paths).toContain(path);
    expect(shortGuide.length).toBeLessThan(400);
  });
});
