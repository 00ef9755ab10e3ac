// RFC 9110, 12.5.1: which of the types that an answer can have the client likes best.

/** The first of `offered` among those with the highest quality; the first of all when the client takes none of them. */
export function preferredType<const T extends string>(
  accept: string | undefined,
  offered: readonly [T, ...T[]],
): T {
  if (accept === undefined) return offered[0];
  const ranges = accept
    .slice(0, 1_000)
    .split(",")
    .map((range) => {
      const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
      const q = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
      const quality = q === undefined ? 1 : Number(q);
      return { type, quality: quality >= 0 && quality <= 1 ? quality : 0 };
    });
  // The most specific range decides.
  const qualityOf = (type: string) =>
    [type, `${type.split("/")[0]}/*`, "*/*"]
      .map((wanted) => ranges.find((range) => range.type === wanted)?.quality)
      .find((quality) => quality !== undefined) ?? 0;
  let best = offered[0];
  for (const type of offered) if (qualityOf(type) > qualityOf(best)) best = type;
  return best;
}
