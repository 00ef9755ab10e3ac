// Sends one request over and over on kept connections, each as soon as its answer is there, and takes the time of each.
import { Agent, request } from "node:http";

export interface LoadTarget {
  readonly url: string;
  readonly method: "GET" | "POST" | "PUT";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface LoadResult {
  readonly perSecond: number;
  /** Milliseconds, sorted. */
  readonly latencies: readonly number[];
}

const connections = 8;

/** One exchange. Throws when the answer is not a good one. */
export function exchange(target: LoadTarget, agent?: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    const { url, method, headers, body } = target;
    const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const asked = request(
      url,
      { method, headers: { ...headers, ...length }, ...(agent ? { agent } : {}) },
      (reply) => {
        const parts: Buffer[] = [];
        reply.on("data", (part: Buffer) => parts.push(part));
        reply.on("end", () => {
          const text = Buffer.concat(parts).toString();
          if (reply.statusCode === 200) resolve(text);
          else reject(new Error(`${method} ${url}: ${reply.statusCode} ${text}`));
        });
        reply.on("error", reject);
      },
    );
    asked.on("error", reject);
    asked.end(body);
  });
}

export async function load(target: LoadTarget, seconds: number): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const latencies: number[] = [];
  const beganMs = performance.now();
  const endsMs = beganMs + seconds * 1_000;
  const worker = async () => {
    for (let startedMs = beganMs; startedMs < endsMs; ) {
      await exchange(target, agent);
      const nowMs = performance.now();
      latencies.push(nowMs - startedMs);
      startedMs = nowMs;
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  const tookMs = performance.now() - beganMs;
  agent.destroy();
  return {
    perSecond: latencies.length / (tookMs / 1_000),
    latencies: latencies.sort((a, b) => a - b),
  };
}

/** Several measurements of one thing as one. */
export function together(results: readonly LoadResult[]): LoadResult {
  const sum = results.reduce((total, result) => total + result.perSecond, 0);
  return {
    perSecond: sum / results.length,
    latencies: results.flatMap((result) => result.latencies).sort((a, b) => a - b),
  };
}
