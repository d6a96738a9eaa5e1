import avro from "avsc";
import type { Verdict } from "../../../messages/verdict.ts";
import { verdictAvroSchema } from "./verdict-avro-schema.ts";

type Values = Readonly<Record<string, unknown>>;

/** Writes verdicts in Avro. Source: docs/schemas/verdict.avsc. */
export class VerdictAvro {
  readonly #type = avro.Type.forSchema(verdictAvroSchema as unknown as avro.Schema, { wrapUnions: "never" });

  /** @throws for a verdict that does not fit the schema, which is a bug. */
  encode(verdict: Verdict): Uint8Array {
    return this.#type.toBuffer(avroOf(verdict));
  }
}

/** Fields that are absent become null, and parts of any form become JSON texts. */
function avroOf(verdict: Verdict): Values {
  const { checks, ref, subject, source, unanswered, reasons, policy } = verdict;
  return {
    ...nullable(verdict, ["lists"]),
    schema: verdict.schema,
    verdict_id: verdict.verdict_id,
    revision: verdict.revision,
    event_id: verdict.event_id,
    tenant: verdict.tenant,
    decision: verdict.decision,
    unanswered: unanswered === true,
    reasons: reasons.map((reason) => ({ ...reason, ...nullable(reason, ["resembles"]) })),
    subject: nullable(subject, SUBJECT_FIELDS),
    required_checks: verdict.required_checks,
    checks: checks.map((entry) => ({
      ...entry,
      ...nullable(entry, ["requested_at", "answered_at", "reduced", "error"]),
      data: textOf(entry.data),
    })),
    policy,
    source: nullable(source, SOURCE_FIELDS),
    ref: textOf(ref),
    decided_at: verdict.decided_at,
    software: verdict.software,
    reduced: verdict.reduced ?? null,
  };
}

const SUBJECT_FIELDS = [
  ...["type", "chain_id", "address", "transaction_sha256", "user_addresses", "token_address", "record_sha256"],
] as const;
const SOURCE_FIELDS = ["file", "line", "topic", "partition", "offset"] as const;

function nullable(of: object, names: readonly string[]): Values {
  return Object.fromEntries(names.map((name) => [name, Reflect.get(of, name) ?? null]));
}

function textOf(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}
