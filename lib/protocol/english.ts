// The sentences that zod says about values that do not fit. Imported, for this alone, by what shows them to people and agents; the browser
// judges only what servers send, and does without them.

import { config } from "zod/mini";
import en from "zod/v4/locales/en.js";

config(en());
