import { z } from "zod";
import type { DeepReadonly } from "../kernel/result.ts";
import { checks } from "./checks.ts";
import { decisions, severities } from "./decision.ts";
import { unansweredParts } from "./evidence.ts";

/** Raised when a field changes its meaning; a new field does not raise it. */
export const VERDICT_SCHEMA = "weir.verdict/1";

/** `event` stands for a fault of the event itself, before any request to the service. */
export const verdictChecks = ["event", ...checks] as const;

/** Failures with a cause in the input or in the service's range of functions. A retry would not help. */
export const rejectionCodes = [
  "EVENT_MALFORMED",
  "CHAIN_UNSUPPORTED",
  "ADDRESS_INVALID",
  "USER_ADDRESS_INVALID",
  "TOKEN_ADDRESS_INVALID",
  "SUBJECT_UNSUPPORTED",
  "CHECK_UNSUPPORTED",
  "CALLDATA_UNDECODED",
  "SERVICE_CALL_UNDECODED",
] as const;

/** The reason why a check has no answer. The codes are stable; the detail is for people. */
export const failureCodes = [
  ...rejectionCodes,
  "SERVICE_REJECTED",
  "SERVICE_UNAUTHORIZED",
  "SERVICE_RATE_LIMITED",
  "SERVICE_UNAVAILABLE",
  "SERVICE_NOT_READY",
  "DEADLINE_PASSED",
  "ANSWER_INVALID",
  "ITEM_FAILED",
] as const;
export type FailureCode = (typeof failureCodes)[number];

/** Failures that a retry would repeat: of the input, or of an item without an answer of the service. */
const lasting: ReadonlySet<string> = new Set([...rejectionCodes, "ITEM_FAILED" satisfies FailureCode]);

/**
 * The reason why a verdict is incomplete. `service`: the service owes an answer. `input`: a retry cannot bring the
 * answer.
 */
export function lacking(verdict: Pick<Verdict, "checks" | "decision">): "service" | "input" | undefined {
  const { checks: made, decision } = verdict;
  const failures = failuresIn(verdict);
  if (failures.length > 0) return failures.some(({ code }) => !lasting.has(code)) ? "service" : "input";
  return decision === "UNKNOWN" && made.every(({ outcome }) => outcome !== "ok") ? "input" : undefined;
}

/**
 * The failures of checks. A check with several requests may fail in part. Partial failures beside a BLOCK are not
 * missed, because no answer could change the BLOCK.
 */
export function failuresIn({ checks: made, decision }: Pick<Verdict, "checks" | "decision">): readonly Failure[] {
  // Created on demand, because nearly every verdict has no failure.
  let failures: Failure[] | undefined;
  for (const { check, outcome, error, data } of made) {
    // An execution settled this failure, or the decision would be UNKNOWN.
    if (error?.code === "SERVICE_CALL_UNDECODED" && (decision === "ALLOW" || decision === "WARN")) continue;
    const parts = decision === "BLOCK" ? NONE : unansweredParts(check, data);
    if (outcome !== "failed" && parts.length === 0) continue;
    failures ??= [];
    if (outcome === "failed") failures.push(error ?? { code: "ANSWER_INVALID", detail: "no reason was given" });
    failures.push(...parts);
  }
  return failures ?? NONE;
}

const NONE: readonly Failure[] = [];

/** `code` is one of `failureCodes`, except in a verdict that another program wrote. */
interface Failure {
  readonly code: string;
  readonly detail: string;
}

const CheckError = z.object({ code: z.enum(failureCodes), detail: z.string() });

/** One check of one event. `data` is the service's answer for this item only, never for another item. */
export const CheckEntry = z.object({
  check: z.enum(verdictChecks),
  outcome: z.enum(["ok", "failed", "not_applicable"]),
  requested_at: z
    .string()
    .optional()
    .describe("Time of the first request, in RFC 3339. Absent when the check sent no request."),
  answered_at: z.string().optional().describe("Time of the answer, in RFC 3339."),
  cached: z.boolean(),
  attempts: z.number().int().min(0).describe("Requests that Weir sent for this check, with the first."),
  data: z.unknown().optional(),
  reduced: z
    .object({ bytes: z.number().int(), sha256: z.string() })
    .optional()
    .describe("Size and SHA-256 of `data` as JSON, when the verdict holds a part of `data` or none."),
  error: CheckError.optional(),
});
export type CheckEntry = DeepReadonly<z.infer<typeof CheckEntry>>;

export const Reason = z.object({
  check: z.enum(verdictChecks),
  finding: z.string().describe("Stable name of the reason: a field of the answer, or a failure code."),
  severity: z.enum(severities),
  detail: z.string().describe("Text for human readers."),
  resembles: z.string().optional().describe("Address that the subject imitates."),
});
export type Reason = DeepReadonly<z.infer<typeof Reason>>;

/** The subject of the verdict. Addresses are canonical, except in an event that was refused because of them. */
export const Subject = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("address"),
    chain_id: z.string(),
    address: z.string(),
    user_addresses: z.array(z.string()).optional(),
    token_address: z.string().optional(),
  }),
  z.object({
    type: z.literal("transaction"),
    chain_id: z.string(),
    transaction_sha256: z
      .string()
      .describe("Hash of the transaction: for TRON the recomputed txID, otherwise the hash of the canonical JSON."),
    user_addresses: z.array(z.string()).optional(),
    address: z
      .string()
      .optional()
      .describe("Address that gains by the transaction: recipient, spender, or called contract."),
    token_address: z.string().optional(),
  }),
  z.object({ type: z.literal("unreadable"), record_sha256: z.string() }),
]);
export type Subject = DeepReadonly<z.infer<typeof Subject>>;

/** The position of the event in its input: line of a file (1-based), or partition and offset of a topic. */
export const Source = z.union([
  z.object({ file: z.string(), line: z.number().int().min(1) }),
  z.object({ topic: z.string(), partition: z.number().int().min(0), offset: z.string() }),
]);
export type Source = DeepReadonly<z.infer<typeof Source>>;

/** The parts that may be missing in a verdict. They are removed in this order until the verdict fits into a record. */
export const reducibleParts = ["evidence", "reasons", "ref", "subject"] as const;
export type ReduciblePart = (typeof reducibleParts)[number];

/**
 * Whether a verdict lacks data that its decision depended on. Then the decision cannot be repeated from the verdict.
 */
export function lacksEvidence({ checks: made, reduced = [] }: Pick<Verdict, "checks" | "reduced">): boolean {
  return reduced.includes("subject") || made.some((entry) => entry.reduced !== undefined && entry.data === undefined);
}

/** The output message: exactly one per (verdict_id, revision). Source: docs/schemas/verdict.schema.json. */
export const Verdict = z
  .object({
    schema: z.literal(VERDICT_SCHEMA),
    verdict_id: z.string().describe("SHA-256 over tenant, event id and canonical event."),
    revision: z.number().int().min(0),
    event_id: z.string(),
    tenant: z.string(),
    decision: z.enum(decisions),
    unanswered: z
      .literal(true)
      .optional()
      .describe(
        "True for an UNKNOWN verdict that lacks an answer of the service. Any other verdict of the same verdict_id and revision takes precedence, in any order.",
      ),
    reasons: z.array(Reason).min(1),
    subject: Subject,
    required_checks: z.array(z.enum(checks)),
    checks: z.array(CheckEntry),
    policy: z.object({ id: z.string(), sha256: z.string() }),
    lists: z
      .string()
      .optional()
      .describe(
        "Id of the set of lists that Weir compared the event with. lists/ID.json in the archive holds the set.",
      ),
    source: Source,
    ref: z.unknown().optional(),
    decided_at: z.string().describe("Time of the decision, in RFC 3339."),
    software: z.string().describe("Name and version of the deciding software."),
    reduced: z
      .array(z.enum(reducibleParts))
      .optional()
      .describe(
        "Parts that were too large for a record. evidence: see `reduced` of its check. reasons: the most severe, with shortened details. ref: left out. subject: without user_addresses, with shortened texts. The decision used the full data.",
      ),
  })
  .meta({ id: "Verdict" });
export type Verdict = DeepReadonly<z.infer<typeof Verdict>>;

/** The verdict in a line of JSON. Undefined when the line holds none. */
export function verdictIn(line: Uint8Array): Verdict | undefined {
  try {
    return Verdict.safeParse(JSON.parse(Buffer.from(line).toString("utf8"))).data;
  } catch {
    // Text that is no JSON is no verdict.
    return undefined;
  }
}
