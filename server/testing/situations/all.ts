// The corpus: every situation there is.
import { programSituations } from "./programs.ts";
import { questionSituations } from "./questions.ts";
import { secretSituations } from "./secrets.ts";
import { shellSituations } from "./shells.ts";
import type { Situation } from "./situation.ts";
import { workSituations } from "./work.ts";

export const situations: readonly Situation[] = [
  ...shellSituations,
  ...questionSituations,
  ...secretSituations,
  ...programSituations,
  ...workSituations,
];
