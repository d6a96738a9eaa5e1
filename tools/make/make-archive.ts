/**
 * Makes a large archive: `node tools/make/make-archive.ts --verdicts 10000000 --like weir-demo --out DIR`.
 *
 * DIR gets the folder `archive`, as `weir screen` writes it: chained objects that `weir audit` accepts. In a hundred
 * verdicts, 94 are about an address without a finding, 5 repeat a verdict of the run `--like` under a new id, and one is
 * an unanswered UNKNOWN whose answer follows as revision 1. The same flags give the same bytes.
 */

import { readFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { ArchiveDirectory } from "../../src/adapters/files/output/archive-directory.ts";
import { packLines } from "../../src/adapters/gzip/packed-lines.ts";
import { after, type LoggedVerdict, objectSteps, type Position } from "../../src/archive/object.ts";
import { timestamp } from "../../src/kernel/clock.ts";
import { sha256 } from "../../src/kernel/hash.ts";
import { seededRandom } from "../../src/kernel/retry.ts";
import type { Verdict } from "../../src/messages/verdict.ts";
import { readPolicy } from "../../src/policy/policy.ts";
import { failed } from "../../src/worker/answers/check-entry.ts";
import { decide } from "../../src/worker/decide/decide.ts";

const { values } = parseArgs({
  options: { verdicts: { type: "string" }, like: { type: "string" }, out: { type: "string" } },
});
const { like, out } = values;
const count = Number(values.verdicts);
if (like === undefined || out === undefined || !Number.isSafeInteger(count) || count < 1)
  throw new Error("usage: make-archive.ts --verdicts COUNT --like RUN --out DIR");

/** Verdicts of an object, as cut by the bytes of a usual setting. */
const OBJECT_VERDICTS = 50_000;
const PER_DAY = 1_000_000;
const DAY_MS = 86_400_000;
const FIRST_DAY = Date.UTC(2026, 9, 1);

const random = seededRandom(20_261_130);
const { id, sha256: policyHash, table } = readPolicy(JSON.parse(await readFile("data/policy.json", "utf8")))(undefined);
const templates = (await readFile(path.join(like, "verdicts.ndjson"), "utf8"))
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Verdict);

function hex(digits: number): string {
  let text = "";
  while (text.length < digits)
    text += Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, "0");
  return text.slice(0, digits);
}

const target = { is_poisoning: "0", mimics_user: "0", mimics_exchange: "0" };

/** A verdict about an address. @param isAnswered Whether the service answered. */
function plain(n: number, revision: number, isAnswered: boolean): Verdict {
  const time = timestamp(FIRST_DAY + Math.floor((n / PER_DAY) * DAY_MS));
  const address = `0x${hex(40)}`;
  const subject = { type: "address" as const, chain_id: "1", address, user_addresses: [`0x${hex(40)}`] };
  const answered = {
    check: "poisoning" as const,
    outcome: "ok" as const,
    requested_at: time,
    answered_at: time,
    cached: false,
    attempts: 1,
    data: { target: { ...target, chain_id: "1", address } },
  };
  const checks = [isAnswered ? answered : failed("poisoning", "SERVICE_UNAVAILABLE", "503 Service Unavailable")];
  const { decision, reasons } = decide({ subject, requiredChecks: ["poisoning"], checks }, table);
  return {
    schema: "weir.verdict/1",
    verdict_id: sha256(`verdict ${n}`),
    event_id: `event-${n}`,
    tenant: ["", "exchange", "desk"][n % 3] ?? "",
    revision,
    decision,
    ...(isAnswered ? {} : { unanswered: true }),
    reasons,
    subject,
    required_checks: ["poisoning"],
    checks,
    policy: { id, sha256: policyHash },
    source: { file: "events.ndjson", line: n + 1 },
    decided_at: time,
    software: "weir/0.1.0",
  };
}

function* verdicts(): Generator<Verdict> {
  for (let n = 0; n < count; n++) {
    const part = n % 100;
    if (part === 99 && n + 1 < count) yield plain(n, 0, false);
    if (part === 99) yield plain(n, 1, true);
    else if (part >= 94) yield { ...(templates[n % templates.length] as Verdict), verdict_id: sha256(`verdict ${n}`) };
    else yield plain(n, 0, true);
  }
}

const store = new ArchiveDirectory(path.join(out, "archive"));
let position: Position = { topic: "verdicts", partition: 0, next: 0, previousSha256: "" };
let batch: LoggedVerdict[] = [];

async function cut(): Promise<void> {
  const steps = objectSteps(batch, batch.length, position);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  const { lines, ...object } = step.value;
  await store.put({ ...object, packed: await packLines(lines) });
  position = after(object);
  batch = [];
}

let offset = 0;
for (const verdict of verdicts()) {
  batch.push({ offset: offset++, line: Buffer.from(JSON.stringify(verdict)) });
  if (batch.length < OBJECT_VERDICTS) continue;
  await cut();
  if (process.stderr.isTTY) process.stderr.write(`\r${offset} verdicts`);
}
if (batch.length > 0) await cut();
process.stdout.write(`${offset} verdicts in ${path.join(out, "archive")}\n`);
