import { describe, expect, it } from "vitest";
import { TermError } from "#lib/protocol/errors.ts";
import { newSessionId } from "#lib/protocol/ids.ts";
import { readAttachRequest } from "./attach-request.ts";

const id = newSessionId();

function read(query: string) {
  return readAttachRequest({
    method: "GET",
    url: `/api/v1/sessions/${id}/attach${query}`,
    headers: {
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
      "sec-websocket-protocol": "cotty.v1",
    },
  });
}

function refusal(query: string): string {
  try {
    read(query);
  } catch (error) {
    if (error instanceof TermError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return "none";
}

describe("an attach request", () => {
  it("[AT1] is live unless it says otherwise", () => {
    const plain = { session: id, readonly: false, since: undefined, render: undefined };
    expect(read("")).toEqual(plain);
    expect(read("?view=live&since=7&readonly=1")).toEqual({ ...plain, since: 7, readonly: true });
  });

  it("[AT6] with view=render names the size of the viewer's terminal", () => {
    expect(read("?view=render&cols=120&rows=40")).toMatchObject({
      render: { cols: 120, rows: 40 },
    });
  });

  it.each([
    ["?view=render", /BAD_SIZE: .*query.cols is missing.*query.rows is missing/],
    ["?view=render&cols=120", /BAD_SIZE: .*query.rows is missing/],
    ["?view=render&cols=0&rows=40", /BAD_SIZE: .*query.cols must be at least 2/],
    ["?view=render&cols=120&rows=501", /BAD_SIZE: .*query.rows must be at most 500/],
    ["?view=render&cols=1e2&rows=40", /query.cols is not a number of cells/],
    ["?view=render&cols=120&rows=-4", /query.rows is not a number of cells/],
    ["?view=render&cols=120&rows=40&since=4", /BAD_REQUEST: .*query.since belongs to view=live/],
    ["?cols=120&rows=40", /query.cols belongs to view=render/],
    ["?view=frames", /query.view must be one of live, render/],
    ["?view=live&view=render", /query.view is unknown or given twice/],
  ])("[AT6] [HT2] %s is refused", (query, expected) => {
    expect(refusal(query)).toMatch(expected);
  });
});
