// What is known of a session's shell (JR6, SI1).
import * as z from "zod/mini";

/** `off`: asked for at create. `none`: the shell has announced nothing (yet); nothing is invented (JR6). Else the dialect that latched. */
export const integrationSchema = z.enum(["off", "none", "osc133", "osc633"]);
export type Integration = z.infer<typeof integrationSchema>;
