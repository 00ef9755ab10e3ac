#!/usr/bin/env node
// `cotty`. Its version it says by itself; everything else is loaded when it is asked for (cli/program.ts): what a run loads is most of what
// it costs.
import { version } from "./state/version.ts";

// A reader that has seen enough (`| head`), or a terminal that was closed, is no failure. A disk that is full is one for whoever wanted the output. Neither
// must end a running server.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE" || error.code === "EIO" || process.exitCode) return;
    process.exitCode = 1;
    if (stream === process.stdout)
      process.stderr.write(`cotty: the output could not be written: ${error.message}\n`);
  });
}

const words = process.argv.slice(2);
if (words.length === 1 && (words[0] === "--version" || words[0] === "-V")) {
  process.stdout.write(`${version}\n`);
} else {
  const { run } = await import("./cli/program.ts");
  await run(words);
}
