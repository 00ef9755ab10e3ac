#!/usr/bin/env node
// A program for the inside of a terminal under test: shows exactly which bytes a program receives. Plain Node, no dependencies.
//
//   node server/testing/probe.mjs [--print SEQUENCE]... [--quit HEX] [--cooked] [--slow MS] [--count] [--sizes]
//
// Puts its terminal into raw mode, prints each SEQUENCE (C escapes: \x1b \033 \e \r \n \t \a \\), prints READY, then every byte it
// receives as two hex digits and a space, with a line break after each read (on the wire CR LF: Node's raw mode still maps output).
// Ends with code 0, after printing BYE, when it receives the quit byte (default 04, C-d).
//
//   --print SEQUENCE  modes to switch on, for instance --print '\x1b[?1003h\x1b[?1006h'; may be repeated
//   --quit HEX        another quit byte; `none` for never (kill it then)
//   --cooked          leaves the terminal's modes alone (canonical, with echo)
//   --slow MS         waits so long after READY before it reads anything
//   --count           instead of hex prints, at the quit byte, COUNT <bytes> SHA256 <hex digest> of all before it
//   --sizes           prints SIZE <cols>x<rows> at start and at every SIGWINCH
import { createHash } from "node:crypto";

const options = {
  print: [],
  quit: 0x04,
  isCooked: false,
  slowMs: 0,
  isCount: false,
  isSizes: false,
};
const words = process.argv.slice(2);
for (let word = words.shift(); word !== undefined; word = words.shift()) {
  if (word === "--print") options.print.push(words.shift() ?? "");
  else if (word === "--quit") {
    const value = words.shift() ?? "";
    options.quit = value === "none" ? -1 : Number.parseInt(value, 16);
  } else if (word === "--cooked") options.isCooked = true;
  else if (word === "--slow") options.slowMs = Number(words.shift());
  else if (word === "--count") options.isCount = true;
  else if (word === "--sizes") options.isSizes = true;
  else {
    process.stderr.write(`probe: unknown word ${word}\n`);
    process.exit(2);
  }
}

function fromEscapes(text) {
  const named = { e: "\x1b", r: "\r", n: "\n", t: "\t", a: "\x07", "\\": "\\" };
  return text.replace(/\\(x[0-9a-fA-F]{2}|[0-7]{1,3}|[ernta\\])/g, (whole, code) => {
    if (code in named) return named[code];
    if (code[0] === "x") return String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /^[0-7]/.test(code) ? String.fromCharCode(Number.parseInt(code, 8)) : whole;
  });
}

function printSize() {
  process.stdout.write(`SIZE ${process.stdout.columns}x${process.stdout.rows}\n`);
}

const { stdin, stdout } = process;
if (!options.isCooked && stdin.isTTY) stdin.setRawMode(true);
for (const sequence of options.print) stdout.write(Buffer.from(fromEscapes(sequence), "latin1"));
if (options.isSizes) {
  printSize();
  process.on("SIGWINCH", printSize);
}

const digest = createHash("sha256");
let count = 0;

function received(chunk) {
  const end = options.quit < 0 ? -1 : chunk.indexOf(options.quit);
  const bytes = end < 0 ? chunk : chunk.subarray(0, end);
  count += bytes.length;
  if (options.isCount) digest.update(bytes);
  else {
    const shown = end < 0 ? chunk : chunk.subarray(0, end + 1);
    stdout.write(`${shown.toString("hex").replace(/../g, "$& ")}\n`);
  }
  if (end < 0) return;
  const result = options.isCount ? `COUNT ${count} SHA256 ${digest.digest("hex")}\n` : "";
  stdout.write(`${result}BYE\n`, () => {
    if (!options.isCooked && stdin.isTTY) stdin.setRawMode(false);
    process.exit(0);
  });
}

stdout.write("READY\n", () => {
  setTimeout(() => stdin.on("data", received), options.slowMs);
});
