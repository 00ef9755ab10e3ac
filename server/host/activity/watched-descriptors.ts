// Which descriptors a thread waits for inside a poll, select or epoll: read from the arguments and the program's memory. Exact as of the
// look; throws what the file system throws when the program is gone or not ours.
import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import type { WaitingCall } from "./waiting-syscalls.ts";

export interface Watched {
  /** Waited for as readable. */
  readonly descriptors: readonly number[];
  /** It also goes on when a time is up. */
  readonly isTimed: boolean;
}

/** A program that waits for more is a server, whatever else it does. */
const maxDescriptors = 256;
const pollIn = 0x1;

export function watchedBy(pid: number, call: WaitingCall, args: readonly number[]): Watched {
  const [first = 0, second = 0, third = 0, fourth = 0, fifth = 0] = args;
  switch (call) {
    case "read":
      return { descriptors: [first], isTimed: false };
    case "poll":
      return { descriptors: polled(pid, first, second), isTimed: isMilliseconds(third) };
    case "ppoll":
      return { descriptors: polled(pid, first, second), isTimed: third !== 0 };
    case "select":
    case "pselect":
      return { descriptors: selected(pid, first, second), isTimed: fifth !== 0 };
    case "epoll":
      return { descriptors: epolled(pid, first), isTimed: isMilliseconds(fourth) };
    case "epoll2":
      return { descriptors: epolled(pid, first), isTimed: fourth !== 0 };
  }
}

/** A timeout of -1 is none; it stands there as 32 or 64 bits. */
function isMilliseconds(value: number): boolean {
  return value < 0x8000_0000;
}

function polled(pid: number, address: number, count: number): number[] {
  const used = Math.min(count, maxDescriptors);
  const memory = memoryOf(pid, address, used * 8);
  const found: number[] = [];
  for (let index = 0; index < used; index++) {
    const descriptor = memory.readInt32LE(index * 8);
    if (descriptor >= 0 && memory.readInt16LE(index * 8 + 4) & pollIn) found.push(descriptor);
  }
  return found;
}

function selected(pid: number, count: number, address: number): number[] {
  if (address === 0) return [];
  const used = Math.min(count, maxDescriptors);
  const memory = memoryOf(pid, address, Math.ceil(used / 8));
  const found: number[] = [];
  for (let descriptor = 0; descriptor < used; descriptor++) {
    if ((memory[descriptor >> 3] ?? 0) & (1 << (descriptor & 7))) found.push(descriptor);
  }
  return found;
}

function epolled(pid: number, descriptor: number): number[] {
  const found: number[] = [];
  const text = readFileSync(`/proc/${pid}/fdinfo/${descriptor}`, "utf8");
  for (const [, target, events] of text.matchAll(/^tfd:\s*(\d+) events:\s*([0-9a-f]+)/gm)) {
    if (Number.parseInt(events ?? "", 16) & pollIn && found.length < maxDescriptors) {
      found.push(Number(target));
    }
  }
  return found;
}

function memoryOf(pid: number, address: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  if (length === 0) return bytes;
  const memory = openSync(`/proc/${pid}/mem`, "r");
  try {
    readSync(memory, bytes, 0, length, address);
  } finally {
    closeSync(memory);
  }
  return bytes;
}
