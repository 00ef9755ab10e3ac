// The commands under "Sharing:" in the help, loaded together: one file each would take longer to find than to read.
import { accessCommand } from "../access.ts";
import { auditCommand } from "../audit.ts";
import { leaseCommand } from "../lease.ts";
import { mcpCommand } from "../mcp.ts";
import { tokenCommand } from "../token.ts";

export const sharing = {
  lease: leaseCommand,
  access: accessCommand,
  token: tokenCommand,
  audit: auditCommand,
  mcp: mcpCommand,
};
