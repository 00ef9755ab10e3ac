// Reads a saved JSON object field by field: a field that does not fit its schema falls back alone.
import type * as z from "zod/mini";

export function readFields<Values extends object>(
  saved: string | null,
  schemas: { readonly [Key in keyof Values]: z.ZodMiniType<Values[Key]> },
  fallback: Values,
): Values {
  const values = {} as Values;
  const found = parseObject(saved);
  for (const key of Object.keys(schemas) as (keyof Values & string)[]) {
    const parsed = Object.hasOwn(found, key) ? schemas[key].safeParse(found[key]) : undefined;
    values[key] = parsed?.success ? parsed.data : fallback[key];
  }
  return values;
}

function parseObject(saved: string | null): Record<string, unknown> {
  if (saved === null) return {};
  try {
    const value: unknown = JSON.parse(saved);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : {};
  } catch {
    // Cut off or from something else: as if nothing had been saved.
    return {};
  }
}
