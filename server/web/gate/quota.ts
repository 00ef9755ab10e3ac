// Gate step 9 (T55): how many sockets a principal and the server may hold, asked before the upgrade.
import { limits } from "#lib/protocol/limits.ts";
import { type Refusal, refusal } from "./refusal.ts";

export interface SocketCounts {
  readonly total: number;
  of(principal: string): number;
}

export function checkQuota(
  counts: SocketCounts,
  principal: string,
  caps: { readonly perPrincipal: number; readonly total: number } = {
    perPrincipal: limits.socketsPerPrincipal,
    total: limits.socketsTotal,
  },
): Refusal | null {
  if (counts.of(principal) >= caps.perPrincipal)
    return refusal("quota", "TOO_MANY_SOCKETS", `${caps.perPrincipal} sockets are open already`);
  if (counts.total >= caps.total)
    return refusal("quota", "TOO_MANY_SOCKETS", "this server holds as many sockets as it may");
  return null;
}
