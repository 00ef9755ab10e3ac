"use client";
// The words of an address that is no page. Words alone: whatever else this took along, every page would load with it.
import { useStrings } from "#components/strings/strings.ts";

export function NothingHere({ part }: { part: "title" | "text" | "home" }) {
  return useStrings().notFound[part];
}
