/**
 * Hostile events and answers pass through all steps of a record: reading, questions, decision, reduction, writer,
 * publisher. A verdict is always published, and no record exceeds the limit of its topic.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { BATCH_OVERHEAD_BYTES } from "../../../../src/adapters/kafka/topics/topic-checks.ts";
import { RecordBatch } from "../../../../src/adapters/kafka/wire/record-batch.ts";
import type { OutRecord } from "../../../../src/kernel/stream.ts";
import { verdictIn } from "../../../../src/messages/verdict.ts";
import { OrderedPublisher } from "../../../../src/worker/consumer/output/ordered-publisher.ts";
import { VerdictPublisher } from "../../../../src/worker/consumer/output/publish-verdicts.ts";
import { readEventRecord } from "../../../../src/worker/consumer/records/read-event.ts";
import { clean } from "../../../fakes/evidence.ts";
import { FakeClock } from "../../../fakes/fake-clock.ts";
import { FakeLog } from "../../../fakes/fake-log.ts";
import { FakeService } from "../../../fakes/fake-service.ts";
import { workerFor } from "../../../fakes/worker.ts";
import { propertyRuns } from "../../../support/property-runs.ts";
import { screenRecord } from "../../../support/screen-record.ts";

const TARGET = "0xd9a1c3788d81257612e2581a6ea0ada244853a91";
const TOKEN = "0xdac17f958d2ee523a2206206994597c13d831ec7";
const SENDER = "0xd9a1b0b1e1ae382dbdc898ea68012ffcb2853a91";
/** Smallest value and default of RECORD_MAX_BYTES. */
const RECORD_MAX_BYTES = [524_288, 786_432];

/** Each of these characters takes one to six bytes as JSON. */
const unit = fc.constantFrom("a", "1", "é", "€", "😀", "\u0000", "\u2028", '"', "\\", "\ud800");
const text = fc
  .tuple(unit, fc.constantFrom(0, 40, 1_000, 20_000, 40_000, 120_000))
  .map(([each, bytes]) => each.repeat(bytes / (JSON.stringify(each).length - 2)));
const short = fc.tuple(unit, fc.constantFrom(1, 128, 256)).map(([each, length]) => each.repeat(length));
const nested = fc
  .tuple(text, fc.constantFrom(1, 30, 60))
  .map(([inner, depth]) => Array.from({ length: depth }).reduce<unknown>((value) => ({ "\u0000": value }), inner));
const users = fc.constantFrom(0, 1, 5, 3_000).map((count) => Array.from({ length: count }, (_, i) => addressOf(i)));

const common = { id: short, tenant: short, ref: fc.oneof(text, nested), user_addresses: users };
const payment = fc.record(
  {
    ...common,
    type: fc.constant("address"),
    chain_id: fc.oneof({ weight: 4, arbitrary: fc.constant("1") }, text),
    address: fc.oneof({ weight: 4, arbitrary: fc.constant(TARGET) }, text),
    token_address: fc.oneof({ weight: 3, arbitrary: fc.constant(TOKEN) }, text),
    checks: fc.constant(["poisoning", "token-security", "classification"]),
  },
  { requiredKeys: ["type", "chain_id", "address"] },
);
const transaction = fc.record(
  {
    ...common,
    type: fc.constant("transaction"),
    chain_id: fc.constant("1"),
    transaction: fc.record({
      from: fc.constant(SENDER),
      to: fc.constant(TARGET),
      value: fc.constant("1000"),
      data: fc.constantFrom(0, 4, 3_000, 120_000).map((bytes) => `0x${"ab".repeat(bytes)}`),
    }),
    checks: fc.constant(["evm-security"]),
  },
  { requiredKeys: ["type", "chain_id", "transaction"] },
);

const flag = fc.constantFrom("0", "1");
const extras = fc.record(
  { matched_address: text, matched_name: text, listed_as: text, further: nested, mimics_system: fc.constant("1") },
  { requiredKeys: [] },
);
const target = fc.record({
  flags: fc.record({ is_poisoning: flag, mimics_user: flag, mimics_exchange: flag }),
  extras,
});
const paidToken = fc.record({
  flags: fc.record({ is_poisoning: flag, mimics_top_token: flag }),
  matched: text,
  extras,
});
const counts: fc.Arbitrary<number> = fc.constantFrom(0, 1, 60, 3_000);
const tokenSecurity = fc.record({
  level: fc.oneof(fc.constant("No Obvious Risk"), text),
  tax: text,
  name: text,
  further: nested,
  unanswered: fc.tuple(counts, text, short),
  others: counts,
});
const security = fc.record({
  action: fc.constantFrom([0, "ALLOW"], [3, "WARN"], [5, "BLOCK"]),
  details: fc.tuple(counts, text, text),
  not_analysed: fc.array(text, { maxLength: 3 }),
});
const classified = fc.record({ name: text, label: text, further: nested });
const answers = fc.record({ target, paidToken, tokenSecurity, security, classified });
const hostile: fc.Arbitrary<object> = fc.oneof(payment, transaction);
type Answers = typeof answers extends fc.Arbitrary<infer T> ? T : never;

const plainAnswers: Answers = {
  target: { flags: { is_poisoning: "0", mimics_user: "0", mimics_exchange: "0" }, extras: {} },
  paidToken: { flags: { is_poisoning: "0", mimics_top_token: "0" }, matched: "", extras: {} },
  tokenSecurity: { level: "No Obvious Risk", tax: "", name: "", further: 0, unanswered: [0, "", ""], others: 0 },
  security: { action: [0, "ALLOW"], details: [0, "", ""], not_analysed: [] },
  classified: { name: "ERC20", label: "", further: 0 },
};

function addressOf(i: number): string {
  return `0x${(i + 1).toString(16).padStart(40, "7")}`;
}

function serviceOf({ target, paidToken, tokenSecurity, security, classified }: Answers): FakeService {
  const ok = <T>(data: T) => ({ code: "0" as const, status: "ok" as const, data });
  const flagged = { ...target.extras, ...target.flags };
  const token = { ...paidToken.extras, ...paidToken.flags, matched_token: paidToken.matched };
  const [wanted, code, detail] = tokenSecurity.unanswered;
  const missing = Math.min(wanted, Math.ceil(2_000_000 / (code.length + 1)));
  const about = {
    ...clean.tokenSecurity,
    overall_risk_level: tokenSecurity.level,
    basic_info: { ...clean.tokenSecurity.basic_info, token_name: tokenSecurity.name },
    trade_analysis: { sell_tax: tokenSecurity.tax, transfer_tax: "" },
    further: tokenSecurity.further,
  };
  // Not in the interface: a service may send the fields of the worker's own evidence.
  const listed = {
    others: Array.from({ length: Math.min(60, tokenSecurity.others) }, () => clean.tokenSecurity),
    unanswered: Array.from({ length: missing }, (_, i) => ({ token: TOKEN, code: `${code}${i}`, detail })),
  };
  const [score, action] = security.action as [number, "ALLOW" | "WARN" | "BLOCK"];
  const [many, name, description] = security.details;
  const most = Math.min(many, Math.ceil(2_000_000 / (name.length + description.length + 1)));
  return new FakeService()
    .on("poisoningBatch", ({ target_addresses = [], token_addresses = [] }) =>
      ok({
        target_addresses: target_addresses.map(({ address }) => ({ chain_id: "1", address, ...flagged })),
        token_addresses: token_addresses.map(({ address }) => ({ chain_id: "1", address, ...token })),
      }),
    )
    .on("poisoningSingle", (request) =>
      ok({
        target_address: flagged,
        token_address: request.token_address === undefined ? {} : token,
        target_address_input: request.address,
        user_address_input: request.user_address ?? "",
        token_address_input: request.token_address ?? "",
      }),
    )
    .on("tokenSecurity", () => ok({ ...about, ...(missing > 0 ? listed : {}) }))
    .on("classifyQuery", () =>
      ok({
        ...clean.classification,
        classification: classified.name,
        label: classified.label,
        more: classified.further,
      }),
    )
    .on("evmTransactionSecurity", () =>
      ok({
        security: {
          overall_score: score,
          overall_risk_level: name,
          recommended_action: action,
          risk_details: Array.from({ length: most }, () => ({ name, description })),
          not_analysed: security.not_analysed,
        },
      }),
    );
}

/**
 * Long texts as failure codes, beside a large event. They would appear in reasons and in a header of the dead letter.
 */
const forgedFailures: [object, Answers, number] = [
  {
    type: "address",
    chain_id: "1",
    address: TARGET,
    token_address: TOKEN,
    checks: ["token-security"],
    ref: "r".repeat(240_000),
  },
  {
    ...plainAnswers,
    tokenSecurity: { ...plainAnswers.tokenSecurity, unanswered: [26, "x".repeat(12_000), ""], others: 1 },
  },
  786_432,
];

test("the verdict is published for any event and answers, and no record exceeds the limit of its topic", async () => {
  await fc.assert(
    fc.asyncProperty(hostile, answers, fc.constantFrom(...RECORD_MAX_BYTES), async (event, said, maxBytes) => {
      const clock = new FakeClock();
      const log = new FakeLog();
      const published: OutRecord<Uint8Array>[] = [];
      const ordered = new OrderedPublisher({
        sender: { partitionOf: () => 0, newBatch: () => new RecordBatch(), send: async () => undefined },
        clock,
        random: () => 0.5,
        log,
        maxBytes,
        maxRecordBytes: maxBytes + BATCH_OVERHEAD_BYTES,
        signal: new AbortController().signal,
      });
      const publisher = {
        publish: (record: OutRecord) => {
          published.push({ ...record, value: Buffer.from(record.value) });
          return ordered.publish(record);
        },
      };
      const sink = new VerdictPublisher({
        publisher,
        clock,
        verdicts: "verdicts",
        deadLetters: "dead",
        maxRecordBytes: maxBytes,
      });
      const worker = workerFor(serviceOf(said), { clock, log, sink, maxVerdictBytes: maxBytes });
      worker.pool.expectMore(false);
      const value = Buffer.from(JSON.stringify(event));
      const record = { topic: "bulk", partition: 0, offset: 7, timestamp: clock.now(), value, headers: {} };

      await screenRecord(readEventRecord(record, "backfill"), worker);

      const [verdict] = published.filter(({ topic }) => topic === "verdicts");
      expect(verdict && verdictIn(verdict.value)?.revision).toBe(0);
      expect(verdict?.value.byteLength).toBeLessThanOrEqual(maxBytes);
    }),
    { ...propertyRuns(60), examples: [forgedFailures] },
  );
}, 120_000);
