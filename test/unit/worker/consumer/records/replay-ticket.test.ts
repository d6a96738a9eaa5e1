import { describe, expect, test } from "vitest";
import { sha256 } from "../../../../../src/kernel/hash.ts";
import type { StreamRecord } from "../../../../../src/kernel/stream.ts";
import { TicketRecord } from "../../../../../src/messages/ticket.ts";
import { readTicketRecord } from "../../../../../src/worker/consumer/records/read-ticket.ts";
import { type Letter, readLetter, replayRecord } from "../../../../../src/worker/consumer/records/replay-ticket.ts";
import { deadLetter } from "../../../../fakes/dead-letters.ts";

const NOW = Date.UTC(2026, 1, 1);
const to = { topic: "retry.10s", now: NOW, maxBytes: 10_000 };

function letterOf(record: StreamRecord): Letter {
  const letter = readLetter(record);
  if (typeof letter === "string") throw new Error(letter);
  return letter;
}

test("a dead letter becomes the retry ticket of the next revision, due at once and without answers", () => {
  const found = deadLetter({ "weir-revision": "4", traceparent: "00-trace" });
  const out = replayRecord(letterOf(found), to);
  if (out === "large") throw new Error("it is not");

  expect(out).toMatchObject({ topic: "retry.10s", key: sha256("verdict"), headers: { traceparent: "00-trace" } });
  expect(Object.keys(out.headers)).toEqual(["traceparent"]);
  expect(TicketRecord.parse(JSON.parse(Buffer.from(out.value).toString()))).toEqual({
    schema: "weir.ticket/1",
    verdict_id: sha256("verdict"),
    source: { topic: "live", partition: 3, offset: "7" },
    revision: 5,
    attempt: 1,
    first_seen_at: NOW,
    due_at: NOW,
    checks: [],
    record: Buffer.from(found.value ?? []).toString("base64"),
    default_id: "live/3/7",
    lane: "realtime",
  });
});

test.each(["{", "", "\u00ff\u0000"])("the worker reads back the exact bytes of the record: %j", (text) => {
  const bytes = Buffer.from(text, "latin1");
  const out = replayRecord(letterOf(deadLetter({}, bytes)), to);
  if (out === "large") throw new Error("it is not");
  const at = { topic: "retry.10s", partition: 0, offset: 0, timestamp: NOW };
  const read = readTicketRecord({ ...at, value: out.value, headers: out.headers });

  expect(read?.dueAt).toBe(NOW);
  expect(read?.record).toMatchObject({ verdictId: sha256("verdict"), revision: 1, defaultId: "live/3/7" });
  expect(Buffer.from(read?.record.bytes ?? [])).toEqual(bytes);
});

test("the reasons and the time come from the headers", () => {
  expect(letterOf(deadLetter({ "weir-reasons": "ITEM_FAILED,SERVICE_UNAVAILABLE" }))).toMatchObject({
    reasons: ["ITEM_FAILED", "SERVICE_UNAVAILABLE"],
    failedAt: Date.UTC(2026, 0, 31, 8),
  });
  expect(letterOf(deadLetter({ "weir-reasons": "" })).reasons).toEqual([]);
});

describe("a retry ticket that no worker could read", () => {
  const headers = {
    "weir-reasons": "TICKET_UNREADABLE",
    "weir-failed-at": "2026-01-31T08:00:00.000Z",
    traceparent: "00-t",
  };
  const ticket: TicketRecord = {
    schema: "weir.ticket/1",
    verdict_id: sha256("verdict"),
    source: { topic: "live", partition: 3, offset: "7" },
    revision: 0,
    attempt: 4,
    first_seen_at: NOW - 60_000,
    due_at: NOW - 1_000,
    checks: [],
    record: Buffer.from("{}").toString("base64"),
    default_id: "live/3/7",
    lane: "backfill",
  };
  const record = (value: unknown): StreamRecord => ({
    ...deadLetter(),
    headers,
    value: Buffer.from(JSON.stringify(value)),
  });

  test("is replayed under its own revision, without its answers, if this version can read it", () => {
    const later = { check: "of-a-later-version", outcome: "ok", cached: false, attempts: 1, data: {} };
    const letter = letterOf(record({ ...ticket, checks: [later] }));
    expect(letter).toMatchObject({ reasons: ["TICKET_UNREADABLE"], failedAt: Date.UTC(2026, 0, 31, 8) });
    const out = replayRecord(letter, to);
    if (out === "large") throw new Error("it is not");
    expect(out.headers).toEqual({ traceparent: "00-t" });
    expect(TicketRecord.parse(JSON.parse(Buffer.from(out.value).toString()))).toEqual({
      ...ticket,
      attempt: 1,
      first_seen_at: NOW,
      due_at: NOW,
    });
  });

  test("is skipped if this version cannot read it either", () => {
    expect(readLetter(record({ ...ticket, schema: "weir.ticket/2" }))).toBe("ticket");
    expect(readLetter({ ...record(ticket), headers: { "weir-reasons": "TICKET_UNREADABLE" } })).toBe("ticket");
  });
});

test("answers of an unknown check are dropped and asked again, and the retry ticket is read", () => {
  const known = { check: "poisoning", outcome: "ok", cached: false, attempts: 1, data: {} };
  const unknownCheck = { ...known, check: "of-a-later-version" };
  const unknownCode = { ...known, outcome: "failed", error: { code: "OF_A_LATER_VERSION", detail: "" } };
  const written = replayRecord(letterOf(deadLetter()), to);
  if (written === "large") throw new Error("it is not");
  const value = { ...JSON.parse(Buffer.from(written.value).toString()), checks: [unknownCheck, known, unknownCode] };
  const at = { topic: "retry.10s", partition: 0, offset: 0, timestamp: NOW, headers: {} };
  const read = readTicketRecord({ ...at, value: Buffer.from(JSON.stringify(value)) });
  expect(read?.record.ticket?.checks).toEqual([known]);
});

describe("a dead letter that cannot be replayed", () => {
  test.each<[string, StreamRecord, string]>([
    [
      "a ticket that could not be read",
      { ...deadLetter(), headers: { "weir-reasons": "TICKET_UNREADABLE" } },
      "ticket",
    ],
    ["without headers", { ...deadLetter(), headers: {} }, "foreign"],
    ["with a revision that is none", deadLetter({ "weir-revision": "-1" }), "foreign"],
    ["with a revision that has no next", deadLetter({ "weir-revision": "9007199254740991" }), "foreign"],
    ["with a verdict id that is none", deadLetter({ "weir-verdict-id": "7" }), "foreign"],
    ["with a time that is none", deadLetter({ "weir-failed-at": "yesterday" }), "foreign"],
    ["that was cut", deadLetter({ "weir-bytes": "5000" }), "cut"],
    ["with other bytes", deadLetter({ "weir-sha256": sha256("other") }), "altered"],
    ["without a value", { ...deadLetter(), value: undefined }, "cut"],
  ])("%s", (_name, record, why) => {
    expect(readLetter(record)).toBe(why);
  });

  test("longer than the largest record as a retry ticket", () => {
    const letter = letterOf(deadLetter({}, "x".repeat(7_400)));

    expect(replayRecord(letter, to)).toBe("large");
    expect(replayRecord(letter, { ...to, maxBytes: 11_000 })).not.toBe("large");
  });
});

test("a record that was a tombstone from the start can be replayed", () => {
  expect(letterOf({ ...deadLetter({}, ""), value: undefined }).bytes.byteLength).toBe(0);
});
