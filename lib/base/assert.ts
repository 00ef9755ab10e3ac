// Programmer errors: conditions that cannot be false while the code is right. Expected refusals are values, not asserts.

/** Throws when `condition` is false. `message` is a sentence; it is shown as "invariant: message". */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`invariant: ${message}`);
}

/** Ends an exhaustive switch; a new member of the union becomes a type error here. */
export function assertNever(value: never): never {
  throw new Error(`invariant: unexpected value ${JSON.stringify(value)}`);
}
