/**
 * The least cost of an event: the pure parts of `weir screen` (read, plan, identity, answer, decide, write) in a bare
 * loop with full requests. It has no batcher, canaries, pace, offset tracker, resuming and archive. It prints processor
 * time an event, of this process only, against the trivial service. `node bench/parts-alone.ts [EVENTS]`.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { request } from "undici";
import { readRecords } from "../src/adapters/files/input/records.ts";
import type { PoisoningBatchResponse } from "../src/api/schemas/address-poisoning.ts";
import { openPolicy } from "../src/cli/wiring/open-policy.ts";
import { timestamp } from "../src/kernel/clock.ts";
import { AppError } from "../src/kernel/errors.ts";
import { emptyBook } from "../src/labels/address-book.ts";
import type { CheckEntry } from "../src/messages/verdict.ts";
import { type BatchEntry, partsOf } from "../src/worker/batching/batch-entry.ts";
import { evidenceAt, itemsIn } from "../src/worker/batching/replies/read-answer.ts";
import { decide } from "../src/worker/decide/decide.ts";
import { plan } from "../src/worker/plan/plan.ts";
import type { Plan } from "../src/worker/plan/question.ts";
import { type Identity, identityOf } from "../src/worker/plan/reading/record-identity.ts";
import { startService, writeEvents } from "./pipeline-run.ts";

interface Read {
  readonly planned: Plan;
  readonly identity: Identity;
  readonly part: BatchEntry;
  readonly source: object;
}

const EVENTS = Number(process.argv[2] ?? 100_000);
const EVENTS_A_REQUEST = 497;
const REQUESTS_AT_ONCE = 4;
const folder = mkdtempSync(path.join(tmpdir(), "weir-bench-"));
const file = path.join(folder, "events.ndjson");
await writeEvents(file, EVENTS);
const service = await startService();
const policy = (await openPolicy(undefined)).choice(undefined);

async function answered(events: readonly Read[]): Promise<string> {
  const items = (addresses: (part: BatchEntry) => readonly string[]) =>
    events.flatMap(({ part }) => addresses(part).map((address) => ({ chain_id: part.chain.id, address })));
  const asked = {
    user_addresses: items(({ users }) => users),
    target_addresses: items(({ target }) => [target]),
    token_addresses: [],
  };
  const body = JSON.stringify(asked);
  const headers = { "content-type": "application/json", "x-api-key": "k" };
  const response = await request(`${service.url}/v2/svc/address-poisoning`, { method: "POST", headers, body });
  const found = itemsIn((await response.body.json()) as PoisoningBatchResponse, asked);
  return events.map((event, i) => verdictOn(event, evidenceAt(i, undefined, found))).join("");
}

function verdictOn({ planned, identity, source }: Read, data: object): string {
  if (data instanceof AppError) throw data;
  const now = timestamp(Date.now());
  const times = { requested_at: now, answered_at: now };
  const checks: CheckEntry[] = [{ check: "poisoning", outcome: "ok", cached: false, attempts: 1, data, ...times }];
  const { subject, requiredChecks } = planned;
  const decided = decide({ subject, requiredChecks, checks }, policy.table);
  const ids = { policy: { id: policy.id, sha256: policy.sha256 }, source, decided_at: now };
  return `${JSON.stringify({ ...identity, revision: 0, ...decided, subject, required_checks: requiredChecks, checks, ...ids })}\n`;
}

for (let round = 1; round <= 3; round++) {
  const out = await open(path.join(folder, "verdicts.ndjson"), "w");
  const before = process.cpuUsage();
  const waiting: Promise<void>[] = [];
  const ask = async (events: readonly Read[]) => out.appendFile(await answered(events));
  let events: Read[] = [];
  for await (const record of readRecords({
    path: file,
    format: undefined,
    defaults: { chain: undefined, token: undefined, users: [] },
  })) {
    if (!record.event.ok) throw new Error(record.event.detail);
    const planned = plan(record.event.value, policy.table, emptyBook);
    const [question] = planned.questions;
    const [part] = question !== undefined && "target" in question ? partsOf(question) : [];
    if (part === undefined) throw new Error("an event of this bench has one question");
    events.push({ planned, identity: identityOf(record.event.value, record), part, source: record.source });
    if (events.length < EVENTS_A_REQUEST) continue;
    waiting.push(ask(events));
    events = [];
    if (waiting.length >= REQUESTS_AT_ONCE) await Promise.all(waiting.splice(0));
  }
  await Promise.all([...waiting, ask(events)]);
  await out.close();
  const { user, system } = process.cpuUsage(before);
  process.stdout.write(`round ${round}: ${((user + system) / EVENTS).toFixed(1)} microseconds of processor an event\n`);
}
service.stop();
rmSync(folder, { recursive: true });
