// What web tells its operator. Callers pass facts, never credentials, queries or bodies (T35).
export type WebLog = (
  level: "info" | "warn" | "error",
  event: string,
  facts?: Readonly<Record<string, string | number | boolean | null>>,
) => void;

export const silentLog: WebLog = () => {};
