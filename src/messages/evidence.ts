import { z } from "zod";
import { ClassifyData } from "../api/schemas/address-classify.ts";
import { TargetFlags, TokenFlags } from "../api/schemas/address-poisoning.ts";
import { isPlainTarget, type PlainTarget } from "../api/schemas/plain-answer.ts";
import { SimulationFinding, SolanaEmulateResponse } from "../api/schemas/solana-emulate.ts";
import { TokenSecurityData } from "../api/schemas/token-security.ts";
import { EvmTransactionSecurityResponse, TransactionSecurityResponse } from "../api/schemas/transaction-security.ts";
import { paymentMistakes } from "../chains/payment-mistakes.ts";
import { standings } from "../labels/address-book.ts";
import type { Check } from "./checks.ts";
import { severities } from "./decision.ts";

/** The answer of the service about one target, and about the token when one was requested. */
const EvmSecurityEvidence = EvmTransactionSecurityResponse.shape.data.extend({
  unread_delegates: z
    .array(z.string())
    .optional()
    .describe("By the worker: codes of authorization_list that the answer does not name as judged."),
});

const Imitator = z.looseObject({
  target: z.string(),
  user: z.string().describe("Address that the target looks like."),
  is_user: z.literal(true).optional().describe("True when the target is one of the user's addresses itself."),
});
export type Imitator = z.infer<typeof Imitator>;

export const PoisoningEvidence = z.looseObject({
  target: TargetFlags,
  token: TokenFlags.optional(),
  flagged: z.array(z.string()).optional().describe("Addresses that a '1' is about, where one transaction has several."),
  mimics_system: z
    .array(z.string())
    .optional()
    .describe("Addresses of a Solana transaction that look like an account of the system and are none."),
  believed: z
    .string()
    .optional()
    .describe(
      "Value learned: the target was flagged in a batch and not confirmed, because the service had confirmed many such flags.",
    ),
  imitators: z
    .array(Imitator)
    .optional()
    .describe("By the worker's own rule: lookalikes of the event's users that the service did not flag."),
  unanswered: z
    .array(z.looseObject({ code: z.string(), detail: z.string() }))
    .optional()
    .describe("Causes of the missing answers, where the check takes several requests."),
});
export type PoisoningEvidence = z.infer<typeof PoisoningEvidence>;

const Meaning = z.enum(severities);

/** The answer of the service about one token, and the operator's settings applied to its levels and taxes. */
const TokenAnswer = TokenSecurityData.extend({
  read_by: z
    .looseObject({
      overall_risk_level: Meaning.optional(),
      overall_score: Meaning.optional(),
      threat_risk_level: Meaning.optional(),
      trust_level: Meaning.optional(),
      taxes: z.enum(["percent", "fraction"]).optional(),
    })
    .optional()
    .describe("Meaning of the answer by SERVICE_LEVELS and SERVICE_TAXES."),
  adapter: z.string().optional().describe("Adapter that translated the answer of a service with another interface."),
});

export type TokenAnswer = z.infer<typeof TokenAnswer>;

/** The answer of the service about a token, and about further tokens when one transaction names several. */
export const TokenSecurityEvidence = TokenAnswer.extend({
  others: z.array(TokenAnswer).optional(),
  unanswered: z
    .array(z.looseObject({ token: z.string(), code: z.string(), detail: z.string() }))
    .optional()
    .describe("Parts of the check without an answer, and the causes."),
});

/** The failed requests of a check that takes several requests. Nearly every check has none. */
export function unansweredParts(check: string, data: unknown): NonNullable<PoisoningEvidence["unanswered"]> {
  if ((check !== "poisoning" && check !== "token-security") || !hasParts(data)) return NONE;
  return readEvidence(check, data)?.unanswered ?? NONE;
}

const NONE: [] = [];

function hasParts(data: unknown): boolean {
  return typeof data === "object" && data !== null && "unanswered" in data;
}

/** Whether the body of a TRON transaction matches its claimed bytes. Source: src/chains/tron/message/integrity.ts. */
export const TronIntegrityEvidence = z.looseObject({
  integrity: z.enum(["equal", "id_differs", "body_differs", "not_compared", "not_claimed"]),
  txid: z
    .string()
    .optional()
    .describe(
      "Recomputed txID, which is the SHA-256 of the transaction body. Absent when Weir could not write the body.",
    ),
});
export type TronIntegrityEvidence = z.infer<typeof TronIntegrityEvidence>;

/** One address of the event, and one list that holds it. */
const ListMatch = z.looseObject({
  address: z.string(),
  standing: z.enum(standings),
  kind: z
    .string()
    .describe("Kind by the row of the list: sanctioned, malicious, blocked, allowed, or a label of risk 4 or 5."),
  chain: z.string().describe("Chain by the row of the list. An accusation holds on all chains of the family."),
  name: z.string(),
  program: z.string().optional(),
  note: z.string().optional(),
  risk_level: z.number().optional(),
  is_user: z.boolean().optional().describe("True when the event names the address in user_addresses only."),
  list: z
    .looseObject({
      name: z.string(),
      sha256: z.string().describe("SHA-256 of the file."),
      date: z.string(),
      loaded_at: z.string().describe("Time when Weir loaded the list, in RFC 3339."),
    })
    .optional()
    .describe("List with the row. Absent for a label that ships with Weir."),
});

/** List entries about the addresses of one event. Source: `src/labels/address-book.ts`. */
export const ListedEvidence = z.looseObject({ matches: z.array(ListMatch) });
export type ListedEvidence = z.infer<typeof ListedEvidence>;

/** The role in which a TRON transaction deals with the user's own addresses, and with nobody else. */
const ownRoles = ["spender", "giver", "receiver", "beneficiary", "keys"] as const;
export type OwnRole = (typeof ownRoles)[number];

/** By the worker's own reading of a TRON transaction. Source: `src/worker/decide/tron-judge/own-parties.ts`. */
const OwnPartiesEvidence = z.looseObject({
  role: z.enum(ownRoles),
  own: z.array(z.string()).describe("addresses of user_addresses that the transaction deals with"),
  beside: z.array(z.string()).describe("the owner and the called contract"),
});
export type OwnPartiesEvidence = z.infer<typeof OwnPartiesEvidence>;

/** The answer of the service about a TRON transaction, and the user's own addresses in it. */
const TronSecurityEvidence = TransactionSecurityResponse.shape.data.extend({
  own_parties: OwnPartiesEvidence.optional().describe(
    "by the worker: the user's own addresses, when the transaction deals with nobody else",
  ),
});

/** Payments that the event alone shows to be mistakes. Source: `src/chains/payment-mistakes.ts`. */
export const PaymentEvidence = z.looseObject({
  mistakes: z.array(
    z.looseObject({
      mistake: z.enum(paymentMistakes),
      to: z.string(),
      token: z.string().optional(),
      left: z.literal(true).optional(),
    }),
  ),
});
export type PaymentEvidence = z.infer<typeof PaymentEvidence>;

/**
 * Findings that only the worker gives, on a simulation of a service without findings. The worker also gives findings
 * that a service may give.
 */
export const workerSimulationFindings = ["rights_not_shown", "sequence_not_followed", "account_risk_unknown"] as const;

/**
 * Names that the worker gives to findings that it has explained. No service may send them: under these names a finding
 * of a service counts as an unknown one.
 */
export const explainedFindings = ["to_own_address", "own_durable_nonce", "small_shares_leave"] as const;

/** Why a finding is ordinary for the event. It has the name, the account and the recipient of the finding. */
const SimulationExplanation = z.looseObject({
  name: z.string(),
  account: z.string().optional(),
  gains: z.string().optional(),
  by: z
    .enum(["own_address", "own_nonce", "small_shares"])
    .describe("the user's own address gains, the durable nonce is the user's own, or only small shares leave"),
  share_bps: z
    .number()
    .int()
    .nonnegative()
    .optional()
    .describe("shares that leave of what is held of each asset, added up, in hundredths of a percent"),
});

/** The answer of the service about transactions, and what the worker adds to it. */
export const SimulationEvidence = SolanaEmulateResponse.shape.data.extend({
  worker_findings: z
    .array(SimulationFinding)
    .optional()
    .describe("by the worker: findings that the service does not give"),
  worker_explanations: z
    .array(SimulationExplanation)
    .optional()
    .describe("by the worker: findings that are ordinary for this event"),
});

/**
 * The schema of `data` in a check entry. Every decision reads the data from the verdict again, so a decision can be
 * recomputed from the archive. New fields of the service are kept. Missing and unknown values are refused.
 */
const evidence = {
  poisoning: PoisoningEvidence,
  "token-security": TokenSecurityEvidence,
  classification: ClassifyData,
  "solana-simulation": SimulationEvidence,
  "tron-security": TronSecurityEvidence,
  "evm-security": EvmSecurityEvidence,
  "tron-integrity": TronIntegrityEvidence,
  listed: ListedEvidence,
  payment: PaymentEvidence,
} as const satisfies Record<Check, z.ZodType>;

export type EvidenceOf<C extends Check> = z.output<(typeof evidence)[C]>;

/** Only the fields of `data` that a decision can read. Additions of the service to the interface are left out. */
export function parseEvidence(check: Check, data: unknown): unknown {
  return knownFields(evidence[check], data);
}

function knownFields(schema: z.ZodType, value: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return knownFields(schema.unwrap() as z.ZodType, value);
  }
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((item) => knownFields(schema.element as z.ZodType, item));
  }
  if (!(schema instanceof z.ZodObject) || typeof value !== "object" || value === null) return value;
  const fields = Object.entries(schema.shape) as [string, z.ZodType][];
  const given = fields.filter(([name]) => Object.hasOwn(value, name));
  return Object.fromEntries(given.map(([name, field]) => [name, knownFields(field, Reflect.get(value, name))]));
}

/**
 * Evidence about a target alone, the form of nearly every answer. The result of the schema is known, so the schema can
 * be skipped.
 */
export function isPlainEvidence(data: unknown): data is { readonly target: PlainTarget } {
  if (typeof data !== "object" || data === null) return false;
  for (const name in data) if (name !== "target") return false;
  return isPlainTarget(Reflect.get(data, "target"));
}

/** `data` as the evidence of `check`. Undefined when it does not fit the schema. */
export function readEvidence<C extends Check>(check: C, data: unknown): EvidenceOf<C> | undefined {
  if (check === "poisoning" && isPlainEvidence(data)) return data as EvidenceOf<C>;
  const parsed = evidence[check].safeParse(data);
  return parsed.success ? (parsed.data as EvidenceOf<C>) : undefined;
}
