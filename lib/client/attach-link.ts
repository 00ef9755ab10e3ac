// What lives as long as one established connection of an attachment: its heartbeat, the reports that wait for their turn, and how far what came
// over it was drawn. What is still drawn after its end is told to nobody.
import type { Clock } from "#lib/base/clock.ts";
import type { Disposable } from "#lib/base/lifecycle.ts";
import { Acknowledger } from "./acknowledger.ts";
import type { AttachConnection } from "./attach-connection.ts";
import type { DrawnEar } from "./attached-output.ts";
import { Heartbeat } from "./heartbeat.ts";
import type { PageSignals } from "./page-signals.ts";
import { ReportPacer } from "./report-pacer.ts";

export interface LinkOptions {
  readonly clock: Clock;
  readonly page: PageSignals;
  /** The other end does not answer any more. */
  dead(): void;
}

export class AttachLink implements DrawnEar, Disposable {
  private readonly heartbeat: Heartbeat;
  private readonly reports: ReportPacer;
  /** null: nothing was said about a place in the output yet. */
  private acks: Acknowledger | null = null;

  constructor(
    private readonly connection: Pick<AttachConnection, "send">,
    private readonly options: LinkOptions,
  ) {
    const { clock, page, dead } = options;
    this.reports = new ReportPacer(clock, (data) => connection.send({ type: "report", data }));
    this.heartbeat = new Heartbeat({
      clock,
      page,
      ping: (id) => connection.send({ type: "ping", id }),
      dead,
    });
  }

  get rttMs(): number | null {
    return this.heartbeat.rttMs;
  }

  /** Anything that came from the other end. */
  heard(): void {
    this.heartbeat.heard();
  }

  pong(id: number): void {
    this.heartbeat.pong(id);
  }

  /** One character per byte. */
  report(data: string): void {
    this.reports.add(data);
  }

  /** Both ends agree that the output goes on at this offset. */
  continueAt(at: number): void {
    this.acks?.dispose();
    this.acks = new Acknowledger(this.options.clock, at, (drawn) =>
      this.connection.send({ type: "ack", at: drawn }),
    );
  }

  drawn(at: number): void {
    this.acks?.draw(at);
  }

  /** Told by itself; the pace is for what follows. */
  snapshotDrawn(at: number): void {
    this.connection.send({ type: "ack", at });
  }

  dispose(): void {
    this.heartbeat.dispose();
    this.acks?.dispose();
    this.reports.dispose();
  }
}
