// Plays many situations at once, as fast as the processors can. Sixteen programs that draw, compute and wait are more than two processors can do,
// and a spinner that gets none for two seconds is silent by every measure: what was wrong in the crowd is played once more by itself, and
// said.
import type { Mistake } from "./run-phases.ts";
import type { Situation } from "./situation.ts";

const atATime = 16;

export type Wrong = Mistake & { readonly name: string };

/** What stays wrong with nothing beside it. `play` answers with the mistakes of one situation. */
export async function playAll(
  situations: readonly Situation[],
  play: (situation: Situation) => Promise<readonly Mistake[]>,
): Promise<readonly Wrong[]> {
  const crowded: Wrong[] = [];
  const queue = [...situations];
  const playOne = async (next: Situation): Promise<readonly Wrong[]> =>
    (await play(next)).map((mistake) => ({ name: next.name, ...mistake }));
  const player = async () => {
    for (let next = queue.shift(); next; next = queue.shift())
      crowded.push(...(await playOne(next)));
  };
  await Promise.all(Array.from({ length: atATime }, player));
  const names = new Set(crowded.map(({ name }) => name));
  if (names.size === 0) return [];
  console.log(`wrong in the crowd, played again alone: ${JSON.stringify(crowded)}`);
  const wrong: Wrong[] = [];
  for (const situation of situations)
    if (names.has(situation.name)) wrong.push(...(await playOne(situation)));
  return wrong;
}
