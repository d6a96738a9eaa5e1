import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { mapJson } from "../../../../../src/messages/mapping/map-json.ts";
import { Mapping } from "../../../../../src/messages/mapping/mapping-schema.ts";
import { TICKET_SCHEMA } from "../../../../../src/messages/ticket.ts";
import { readEventRecord } from "../../../../../src/worker/consumer/records/read-event.ts";
import { readTicketRecord } from "../../../../../src/worker/consumer/records/read-ticket.ts";
import { verdictIdOf } from "../../../../../src/worker/plan/reading/record-identity.ts";

const at = { topic: "events", partition: 0, offset: 7, timestamp: 1_700_000_000_000, headers: {} };
const mapping = mapJson(Mapping.parse(parse(readFileSync("data/mappings/fireblocks.yaml", "utf8"))), undefined);
const [webhook = ""] = readFileSync("test/fixtures/exports/fireblocks-webhooks.ndjson", "utf8").split("\n");
const value = Buffer.from(webhook);

function ticketWith(record: Uint8Array, id: string) {
  const ticket = {
    schema: TICKET_SCHEMA,
    verdict_id: id,
    revision: 1,
    source: { topic: "events", partition: 0, offset: "7" },
    default_id: "events/0/7",
    lane: "realtime",
    attempt: 1,
    first_seen_at: 0,
    due_at: 0,
    checks: [],
    record: Buffer.from(record).toString("base64"),
  };
  return { ...at, topic: "retry", value: Buffer.from(JSON.stringify(ticket)) };
}

test("a retried ticket has the event and the verdict id of its mapped record, whatever the mapping is by then", () => {
  const record = readEventRecord({ ...at, value }, "realtime", { mapping });
  const ticket = readTicketRecord(ticketWith(record.bytes, verdictIdOf(record)))?.record;

  expect(record.event).toMatchObject({
    ok: true,
    value: { chain_id: "1", address: "0x1e227979f0b5bc691a70deaed2e0f39a6f538fd5", checks: ["payment"] },
  });
  expect(ticket?.event).toEqual(record.event);
  if (ticket === undefined) throw new Error("no ticket");
  // Computed anew from the event, not copied from the ticket.
  const { event, defaultId, bytes } = ticket;
  expect(verdictIdOf({ event, defaultId, bytes, verdictId: undefined })).toBe(verdictIdOf(record));
});

test("a record that the mapping does not fit keeps its bytes, and a corrected mapping reads its replay", () => {
  const wrong = mapJson(
    Mapping.parse({ schema: "weir.mapping/1", fields: { address: "/to", chain_id: "/net" } }),
    undefined,
  );
  const record = readEventRecord({ ...at, value }, "realtime", { mapping: wrong });

  expect(record.event).toEqual({ ok: false, detail: "the mapping finds no value for chain_id and address" });
  expect(record.bytes).toEqual(value);
  const ticket = ticketWith(record.bytes, verdictIdOf(record));
  expect(readTicketRecord(ticket)?.record.event.ok).toBe(false);
  expect(readTicketRecord(ticket, () => true, mapping)?.record.event).toMatchObject({
    ok: true,
    value: { chain_id: "1" },
  });
});

test("without a mapping, a record in other JSON names everything that is missing and what its names may mean", () => {
  const record = readEventRecord(
    { ...at, value: Buffer.from('{"network":"ERC20","destination":"0x","amount":1}') },
    "realtime",
  );

  expect(record.event).toEqual({
    ok: false,
    detail:
      "type, chain_id, address: fields required; likely: network -> chain_id?, destination -> address?; weir map suggest prints a mapping",
  });
});
