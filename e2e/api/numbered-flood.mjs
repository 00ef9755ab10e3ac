// A program for a session: says READY, and at the first key prints numbered records of 100 bytes at a steady pace until the next key;
// then END with how many there were and the hash of them all. The terminal must be raw (`stty raw -echo`).
import { createHash } from "node:crypto";

const recordsPerSecond = Number(process.argv[2]);
const hash = createHash("sha256");
const filler = ` ${"the quick brown fox jumps over the lazy dog ".repeat(3)}`.slice(0, 89);
let count = 0;

function print(records) {
  let text = "";
  for (let i = 0; i < records; i += 1) {
    text += `${String(count).padStart(10, "0")}${filler}\n`;
    count += 1;
  }
  hash.update(text);
  process.stdout.write(text);
}

process.stdin.once("data", () => {
  let lastMs = performance.now();
  let due = 0;
  const pace = setInterval(() => {
    const nowMs = performance.now();
    due += ((nowMs - lastMs) / 1000) * recordsPerSecond;
    lastMs = nowMs;
    // What was missed for more than a tenth of a second is not made up for: a program that had to wait must not outrun the ring afterwards.
    due = Math.min(due, Math.ceil(recordsPerSecond / 10));
    print(Math.floor(due));
    due %= 1;
  }, 10);
  process.stdin.once("data", () => {
    clearInterval(pace);
    process.stdout.write(`END ${count} ${hash.digest("hex")}\n`, () => process.exit(0));
  });
});
process.stdout.write("READY\n");
