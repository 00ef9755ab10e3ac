// Which sessions live only as long as their connection, in a file: a web process that is killed destroys nothing, so the next one does (TC1).
// Sessions are named here and nowhere else, so nobody's own tag or name can make a session look like one of these.
import { rmSync } from "node:fs";
import * as z from "zod/mini";
import { ApiError } from "#lib/client/api-error.ts";
import { type Actor, actorSchema } from "#lib/protocol/actor.ts";
import { sessionIdSchema } from "#lib/protocol/ids.ts";
import type { HostEndpoint } from "#server/state/host-endpoint.ts";
import { readPrivateFile, writePrivateFile } from "#server/state/private-file.ts";
import { hostApi } from "./host-access.ts";

const fileSchema = z.array(z.strictObject({ id: sessionIdSchema, actor: actorSchema }));

export class OwnSessions {
  private readonly sessions = new Map<string, Actor>();

  constructor(private readonly path: string) {}

  add(id: string, actor: Actor): void {
    this.sessions.set(id, actor);
    this.write();
  }

  remove(id: string): void {
    if (this.sessions.delete(id)) this.write();
  }

  /** Ends what an earlier web process left behind, as those who opened it. */
  async sweep(host: HostEndpoint | null): Promise<number> {
    const left = this.read();
    rmSync(this.path, { force: true });
    if (!host) return 0;
    const ends = left.map(async ({ id, actor }) => {
      try {
        await hostApi(host, actor).closeSession({ params: { id } });
        return 1;
      } catch (error) {
        // Ended with its host, or people keep it.
        if (error instanceof ApiError) return 0;
        throw error;
      }
    });
    return (await Promise.all(ends)).reduce<number>((sum, one) => sum + one, 0);
  }

  private read(): z.infer<typeof fileSchema> {
    try {
      return fileSchema.parse(JSON.parse(readPrivateFile(this.path) ?? "[]"));
    } catch {
      // Cut off by a crash: the sessions stay, and people see them in the list.
      return [];
    }
  }

  private write(): void {
    if (this.sessions.size === 0) rmSync(this.path, { force: true });
    else {
      const entries = Array.from(this.sessions, ([id, actor]) => ({ id, actor }));
      writePrivateFile(this.path, `${JSON.stringify(entries)}\n`);
    }
  }
}
