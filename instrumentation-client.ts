// Runs in the browser before any page (a Next convention).
import { config } from "zod/v4/core";
import { listenForBack } from "#components/ui/use-back-closes.ts";

// zod compiles its checks with `new Function`, which our content policy forbids. It would fall back by itself, but only after trying,
// and each try is a violation in the log of whoever looks for real ones.
config({ jitless: true });

// Next puts something in place of Node's `process`, and by its title xterm takes the page for Node: on a Mac and on Windows it would know
// neither, and send Option's and AltGr's characters (@ and { on many keyboards) as chords.
delete (process as { title?: string }).title;

// Before Next and the address listen: what Back means for an open menu must not reach them.
listenForBack();
