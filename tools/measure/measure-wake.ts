/**
 * The delay of tickets on an idle machine: from the due time of each to its verdict's `decided_at`, including the
 * answer of the service. `TICKETS=50 node tools/measure/measure-wake.ts`. Exit status 0: no ticket was a second late.
 */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { sha256 } from "../../src/kernel/hash.ts";
import { TICKET_SCHEMA, type TicketRecord } from "../../src/messages/ticket.ts";
import { Verdict } from "../../src/messages/verdict.ts";
import { startCluster } from "../../test/chaos/cluster.ts";
import { Fleet } from "../../test/chaos/fleet.ts";
import { startService } from "../../test/chaos/service-process.ts";
import { produce } from "../../test/servers/records.ts";
import { readUntil } from "../../test/servers/weir-topics.ts";

const KEY = "a-key-of-the-measurement";
const TARGET_MS = 1_000;
/** Time between the write of the first ticket and its due time; from one to the next. */
const AHEAD_MS = 8_000;
const APART_MS = 200;

const count = Number(process.env["TICKETS"] ?? 50);
const folder = mkdtempSync(path.join(tmpdir(), "weir-wake-"));
const cluster = await startCluster(3);
const { topics, direct } = cluster;
const service = await startService(KEY, path.join(folder, "service.log"));
const url = `http://127.0.0.1:${service.port}`;
const fleet = new Fleet(1, { ...topics.env, SERVICE_URL: url, SERVICE_API_KEY: KEY }, folder);

/** A ticket of an event that was never read: its first request is sent when the ticket is due. */
function ticket(nth: number, due_at: number): TicketRecord {
  const address = `0x${sha256(`target ${nth}`).slice(0, 40)}`;
  const user = `0x${sha256(`user ${nth}`).slice(0, 40)}`;
  const event = { id: `event-${nth}`, type: "address", chain_id: "1", address, user_addresses: [user] };
  return {
    schema: TICKET_SCHEMA,
    verdict_id: sha256(`verdict ${nth}`),
    source: { topic: topics.live, partition: 0, offset: String(nth) },
    revision: 0,
    attempt: 1,
    first_seen_at: Date.now(),
    due_at,
    checks: [],
    record: Buffer.from(JSON.stringify(event)).toString("base64"),
    default_id: `${topics.live}/0/${nth}`,
    lane: "realtime",
  };
}

async function send(due: ReadonlyMap<string, TicketRecord>): Promise<void> {
  const values = Array.from(due.values(), (each) => JSON.stringify(each));
  await produce(direct, `${topics.retryPrefix}.10s`, values);
}

async function verdictsOn(tickets: number): Promise<readonly Verdict[]> {
  const records = await readUntil(direct, topics.verdicts, ({ length }) => length >= tickets, `${tickets} verdicts`);
  return records.map(({ value }) => Verdict.parse(JSON.parse(value)));
}

let isKept = false;
try {
  fleet.start();
  // The first ticket may meet a worker that is still starting.
  const first = ticket(0, Date.now());
  await send(new Map([[first.verdict_id, first]]));
  await verdictsOn(1);
  const due = new Map<string, TicketRecord>();
  const begin = Date.now() + AHEAD_MS;
  for (let nth = 1; nth <= count; nth++) {
    const each = ticket(nth, begin + nth * APART_MS);
    due.set(each.verdict_id, each);
  }
  await send(due);
  await new Promise((resolve) => setTimeout(resolve, AHEAD_MS + count * APART_MS));
  const late = (await verdictsOn(count + 1))
    .flatMap(({ verdict_id, decided_at }) => {
      const dueAt = due.get(verdict_id)?.due_at;
      return dueAt === undefined ? [] : [Date.parse(decided_at) - dueAt];
    })
    .toSorted((a, b) => a - b);
  const [least, median, most] = [late[0], late[Math.floor(late.length / 2)], late.at(-1)];
  isKept = late.length === count && (least ?? -1) >= 0 && (most ?? TARGET_MS) < TARGET_MS;
  console.log(
    `${late.length} tickets, late by ${least} ms at least, ${median} median, ${most} at most (target ${TARGET_MS})`,
  );
} finally {
  await fleet.close();
  await service.close();
  await cluster.close();
}
process.exit(isKept ? 0 : 1);
