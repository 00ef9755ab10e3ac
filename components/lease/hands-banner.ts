// What the line above a terminal says about whose hands are on the keyboard: one pure function, the highest state wins (UI, 4 and 5.1).
import type { Strings } from "#components/strings/strings.ts";
import type { Banner } from "#components/terminal/banner.ts";
import { returnsAtMs, type WhoseHands } from "#lib/xterm/whose-hands.ts";
import {
  actingMs,
  answeredMs,
  captionMs,
  type HandsFacts,
  isMe,
  viewingMs,
} from "./hands-facts.ts";

export function handsBanner(facts: HandsFacts, s: Strings): Banner {
  const { hands, agent, nowMs, isTouch } = facts;
  const { access, need } = hands;
  const k = s.keyboard;
  if (hands.credential)
    return {
      state: "secret",
      tone: "danger",
      icon: "key-round",
      headline: k.secret.headline,
      detail: k.secret.detail,
      actions: isTouch ? ["answer", "notPassword"] : ["notPassword"],
      line: "none",
    };
  if (isLately(hands.answeredMs, answeredMs, nowMs) && need === null)
    return {
      state: "answered",
      tone: "calm",
      icon: "check",
      headline:
        access === "collaborate" && agent !== null
          ? k.secret.answered(agent)
          : k.secret.answeredAlone,
      detail: "",
      actions: [],
      line: "none",
    };
  if (need?.reason === "question")
    return {
      state: "attention",
      tone: "attention",
      icon: "bell-ring",
      headline: k.attention.headline(need.by),
      detail: need.detail,
      actions: ["take", "dismiss"],
      line: "none",
    };
  if (hands.lease.holder === "human") return isMe(facts) ? mine(facts, s) : others(hands, s);
  return agents(facts, s);
}

function mine({ hands, agent, nowMs, isStill }: HandsFacts, s: Strings): Banner {
  const k = s.keyboard;
  const { cause, draft, left_by: leftBy } = hands.lease;
  // Agents that may not type anyway get nothing back.
  const closed =
    hands.access === "observe"
      ? k.observe.detail
      : hands.access === "sealed"
        ? k.sealed.detail
        : null;
  const base = { tone: "human", icon: "keyboard", headline: k.me.headline } as const;
  const left = leftBy === null ? null : k.me.left(leftBy);
  if (cause !== "typing")
    return {
      ...base,
      state: "held",
      icon: "pin",
      headline: k.held.headline,
      detail: left ?? closed ?? k.held.detail,
      actions: left === null ? ["handBack"] : ["clearLine", "handBack"],
      line: "none",
    };
  if (draft !== null || left !== null) {
    const until = returnsAtMs(hands);
    return {
      ...base,
      state: "drafting",
      detail: left ?? closed ?? k.me.draft(agent),
      actions: ["clearLine", "hold", "handBackNow"],
      // What an agent left does not stop the countdown; what the person left does.
      line: draft !== null || until === null ? "full" : "running",
    };
  }
  const untilMs = returnsAtMs(hands);
  const back =
    untilMs === null
      ? k.me.never
      : k.me.back(agent, secondsText(Math.max(0, untilMs - nowMs), isStill));
  return {
    ...base,
    state: "human",
    detail: closed ?? back,
    actions: ["hold", "handBackNow"],
    line: untilMs === null ? "none" : "running",
  };
}

function others({ lease }: WhoseHands, s: Strings): Banner {
  const { other } = s.keyboard;
  const name = lease.actor ?? other.someone;
  return {
    state: "other",
    tone: "human",
    icon: lease.cause === "typing" ? "keyboard" : "pin",
    headline: lease.cause === "typing" ? other.headline(name) : other.holds(name),
    detail: other.details[lease.politeness ?? "polite"],
    // Who wants to be asked does not lose it to keys; whoever must have it takes it by name.
    actions: lease.politeness === "ask" ? ["ask", "take"] : ["ask"],
    line: "none",
  };
}

/** Nobody's hands but agents'. */
function agents({ hands, agent, isWorking, nowMs }: HandsFacts, s: Strings): Banner {
  const k = s.keyboard;
  const { agent: seen, access, lease } = hands;
  if (seen && access === "collaborate" && isLately(seen.typedMs, actingMs, nowMs)) {
    const said =
      seen.caption && isLately(seen.caption.atMs, captionMs, nowMs) ? seen.caption.text : null;
    const wanted = seen.waitsFor === null ? k.acting.waits : k.acting.waitsFor(seen.waitsFor);
    const waits = isLately(seen.waitsMs, actingMs, nowMs) ? wanted : "";
    return {
      state: "acting",
      tone: "acting",
      icon: "bot",
      headline: k.acting.headline(seen.name),
      detail: said ?? waits,
      actions: ["interrupt"],
      line: "none",
    };
  }
  const lookedMs = Math.max(seen?.lookedMs ?? -1, seen?.waitsMs ?? -1);
  if (seen && access !== "sealed" && lookedMs >= 0 && isLately(lookedMs, viewingMs, nowMs))
    return {
      state: "viewing",
      tone: "viewing",
      icon: "eye",
      headline: k.viewing.headline(seen.name),
      detail: "",
      actions: [],
      line: "none",
    };
  if (access === "observe")
    return {
      state: "observe",
      tone: "observe",
      icon: "lock",
      ...k.observe,
      actions: [],
      line: "none",
    };
  if (access === "sealed")
    return {
      state: "sealed",
      tone: "danger",
      icon: "unplug",
      ...k.sealed,
      actions: ["reconnect"],
      line: "none",
    };
  if (agent === null)
    return {
      state: "alone",
      tone: "calm",
      icon: "terminal",
      ...k.alone,
      actions: ["connect"],
      line: "none",
    };
  return {
    state: "ready",
    tone: "calm",
    icon: isWorking ? "loader" : "circle",
    headline: isWorking ? k.working : k.ready.headline,
    detail: lease.draft === null ? k.ready.detail(agent) : k.ready.left(agent),
    actions: [],
    line: "none",
  };
}

/** When what the function says changes next by itself, without the countdown; null: not. */
export function nextChangeMs({ agent, answeredMs: at }: WhoseHands, nowMs: number): number | null {
  const ends = [
    plus(agent?.typedMs, actingMs),
    plus(agent?.lookedMs, viewingMs),
    plus(agent?.waitsMs, viewingMs),
    plus(agent?.caption?.atMs, captionMs),
    plus(at, answeredMs),
  ].filter((ms) => ms !== null && ms > nowMs) as number[];
  return ends.length === 0 ? null : Math.min(...ends);
}

function plus(at: number | null | undefined, ms: number): number | null {
  return at === null || at === undefined ? null : at + ms;
}

function isLately(at: number | null, withinMs: number, nowMs: number): boolean {
  return at !== null && nowMs - at < withinMs;
}

/** Halves of a second; whole ones for those who want nothing to move. */
export function secondsText(ms: number, isStill: boolean): string {
  const step = isStill ? 1_000 : 500;
  const seconds = (Math.ceil(ms / step) * step) / 1_000;
  return Number.isInteger(seconds) ? String(seconds) : seconds.toFixed(1);
}
