// `GET /events` followed for as long as somebody wants (EV1): by fetch, because an EventSource can send neither the page's key nor a token;
// comes back by id after every break, so that nothing is missed and nothing comes twice.
import type { Clock } from "#lib/base/clock.ts";
import { Emitter } from "#lib/base/emitter.ts";
import { type Disposable, DisposableStore } from "#lib/base/lifecycle.ts";
import { type StreamEvent, streamEventSchema } from "#lib/protocol/events.ts";
import { limits } from "#lib/protocol/limits.ts";
import { streamEvents } from "#lib/protocol/operations/events.ts";
import { type Answer, type ApiClientOptions, routePath } from "./call.ts";
import type { PageSignals } from "./page-signals.ts";
import type { ReconnectState } from "./reconnect.ts";
import { ReconnectTimer } from "./reconnect-timer.ts";
import { type SseEvent, SseParser } from "./sse-parser.ts";

export interface EventStreamOptions {
  readonly server: ApiClientOptions;
  readonly clock: Clock;
  readonly page: PageSignals;
  readonly random?: () => number;
  /** Id of the last event that is known already; left out: from now on. */
  readonly after?: string | undefined;
  readonly session?: string;
  readonly types?: readonly string[];
}

/** Refusals after which trying again by itself helps nobody, in the codes of the reconnect machine. */
const closeCodes: Readonly<Record<number, number>> = {
  400: 4400,
  401: 4401,
  403: 4403,
  404: 4404,
  429: 4429,
};
const connectionLost = 1006;

export class EventStream implements Disposable {
  private readonly store = new DisposableStore();
  private readonly events = this.store.add(new Emitter<StreamEvent>());
  private readonly timer: ReconnectTimer;
  private position: string;
  private current: AbortController | null = null;
  private silence: Disposable | null = null;

  readonly onEvent = this.events.event;
  readonly onState;

  constructor(private readonly options: EventStreamOptions) {
    this.position = options.after ?? "";
    const { clock, page, random } = options;
    this.timer = this.store.add(
      new ReconnectTimer({
        clock,
        page,
        ...(random ? { random } : {}),
        connect: () => void this.connect(),
      }),
    );
    this.onState = this.timer.onChange;
  }

  get state(): ReconnectState {
    return this.timer.state;
  }

  /** Id of the last event that was told or passed over; empty before the first. */
  get lastEventId(): string {
    return this.position;
  }

  start(): void {
    this.timer.start();
  }

  /** What happened up to `id` is known from elsewhere. Without effect while the stream is open. */
  moveTo(id: string): void {
    if (this.state.kind !== "open") this.position = id;
  }

  dispose(): void {
    this.store.dispose();
    this.silence?.dispose();
    this.current?.abort();
    this.current = null;
  }

  private async connect(): Promise<void> {
    const abort = new AbortController();
    this.current = abort;
    const heard = () => {
      this.silence?.dispose();
      this.silence = this.options.clock.after(limits.eventSilenceMs, () => abort.abort());
    };
    heard();
    let code = connectionLost;
    try {
      const response = await this.ask(abort.signal);
      if (isEventStream(response)) {
        this.timer.tell({ kind: "opened" });
        await this.read(response.body, heard);
      } else {
        code = closeCodes[response.status] ?? connectionLost;
        void response.body?.cancel();
        if (response.status === 401) this.options.server.onUnauthenticated?.();
      }
    } catch {
      // Cut, silent, or nobody there: all the same to the one who waits for it to come back.
    } finally {
      abort.abort();
    }
    if (this.current !== abort) return;
    this.silence?.dispose();
    this.timer.tell({ kind: "closed", code, isOver: false });
  }

  private ask(signal: AbortSignal): Promise<Answer> {
    const { server, session, types } = this.options;
    const query = new URLSearchParams();
    if (session !== undefined) query.set("session", session);
    if (types !== undefined) query.set("types", types.join(","));
    const search = query.size > 0 ? `?${query}` : "";
    const send = server.fetch ?? fetch;
    return send(`${server.baseUrl}${routePath(streamEvents.path)}${search}`, {
      headers: {
        accept: "text/event-stream",
        ...(this.position === "" ? {} : { "last-event-id": this.position }),
        ...server.headers?.(),
      },
      credentials: "same-origin",
      cache: "no-store",
      redirect: "error",
      signal,
    });
  }

  private async read(body: ReadableStream<Uint8Array>, heard: () => void): Promise<void> {
    const parser = new SseParser(this.position);
    const reader = body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done || this.store.isDisposed) return;
      heard();
      for (const event of parser.push(value)) this.tell(event);
      if (parser.isOverlong) return;
      this.position = parser.lastEventId;
    }
  }

  private tell({ id, data }: SseEvent): void {
    if (this.store.isDisposed) return;
    this.position = id;
    const event = streamEventSchema.safeParse(parseJson(data));
    // A newer server's news are passed over.
    if (event.success) this.events.fire(event.data);
  }
}

function isEventStream(
  response: Answer,
): response is Answer & { body: ReadableStream<Uint8Array> } {
  const type = response.headers.get("content-type") ?? "";
  return response.ok && /^text\/event-stream\b/.test(type) && response.body !== null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON is no event that we know.
    return undefined;
  }
}
