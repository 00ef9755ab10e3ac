// A home directory for fish. Without its folder of generated completions, each fish that starts there has a program read all manual
// pages of the machine: six seconds of a processor, beside the shell under test.
import { mkdirSync } from "node:fs";
import { join } from "node:path";

/** Makes `home` one that fish has been in before. `dataHome`: XDG_DATA_HOME, where the shell gets one. Answers `home`. */
export function fishHome(home: string, dataHome: string = join(home, ".local/share")): string {
  mkdirSync(join(dataHome, "fish/generated_completions"), { recursive: true });
  return home;
}
