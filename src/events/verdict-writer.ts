import type { PlainTarget } from "../contract/plain-answer.ts";
import type { ByteBuffer } from "../kernel/byte-buffer.ts";
import { isPlainEvidence } from "./evidence.ts";
import { type CheckEntry, type Reason, type Subject, VERDICT_SCHEMA, type Verdict } from "./verdict.ts";

/**
 * Writes verdicts as JSON: the bytes that `JSON.stringify` gives, of nearly every one in half its time and without a text of
 * it. That is a verdict on one address by one plain answer, with its fields in the order in which they are made; any other
 * is left to `JSON.stringify`.
 */
export class VerdictWriter {
  readonly #reason = new Recurring();
  readonly #policyId = new Recurring();
  readonly #policySha256 = new Recurring();
  readonly #place = new Recurring();
  readonly #software = new Recurring();

  /** Puts `verdict` behind what `to` holds. */
  write(verdict: Verdict, to: ByteBuffer): void {
    if (!this.#isWritten(verdict, to)) to.addText(JSON.stringify(verdict));
  }

  #isWritten(verdict: Verdict, to: ByteBuffer): boolean {
    const { reasons, subject, checks, policy, source } = verdict;
    const [reason] = reasons;
    const [entry] = checks;
    if (
      verdict.schema !== VERDICT_SCHEMA ||
      reason === undefined ||
      reasons.length > 1 ||
      entry === undefined ||
      checks.length > 1 ||
      !isOfPoisoning(verdict.required_checks) ||
      !isOnAddress(subject) ||
      !hasFields(source, "line" in source ? lineFields : recordFields) ||
      !isPlain(entry) ||
      !hasFields(policy, policyFields) ||
      !hasFields(verdict, verdictFields)
    ) {
      return false;
    }
    const { target } = entry.data;
    to.add(text.verdictId);
    to.addString(verdict.verdict_id);
    to.add(text.eventId);
    to.addString(verdict.event_id);
    to.add(text.tenant);
    to.addString(verdict.tenant);
    to.add(text.revision);
    to.addNumber(verdict.revision);
    to.add(text.decision);
    to.addString(verdict.decision);
    to.add(text.reasons);
    this.#reason.add(reason, to);
    to.add(text.subject);
    to.addString(subject.address);
    to.add(text.chainId);
    to.addString(subject.chain_id);
    to.add(text.users);
    addStrings(subject.user_addresses, to);
    to.add(text.requestedAt);
    to.addString(entry.requested_at);
    to.add(text.answeredAt);
    to.addString(entry.answered_at);
    to.add(entry.cached ? text.cached : text.notCached);
    to.addNumber(entry.attempts);
    to.add(text.isPoisoning);
    to.addString(target.is_poisoning);
    to.add(text.mimicsUser);
    to.addString(target.mimics_user);
    to.add(text.mimicsExchange);
    to.addString(target.mimics_exchange);
    to.add(text.chainId);
    to.addString(target.chain_id);
    to.add(text.address);
    to.addString(target.address);
    to.add(text.policyId);
    this.#policyId.add(policy.id, to);
    to.add(text.policySha256);
    this.#policySha256.add(policy.sha256, to);
    if ("line" in source) {
      to.add(text.file);
      this.#place.add(source.file, to);
      to.add(text.line);
      to.addNumber(source.line);
    } else {
      to.add(text.topic);
      this.#place.add(source.topic, to);
      to.add(text.partition);
      to.addNumber(source.partition);
      to.add(text.offset);
      to.addString(source.offset);
    }
    to.add(text.decidedAt);
    to.addString(verdict.decided_at);
    to.add(text.software);
    this.#software.add(verdict.software, to);
    to.addByte(CLOSING_BRACE);
    return true;
  }
}

const [COMMA, CLOSING_BRACE] = [0x2c, 0x7d];

/** What stands before each value. */
const text = {
  verdictId: bytesOf(`{"schema":"${VERDICT_SCHEMA}","verdict_id":`),
  eventId: bytesOf(',"event_id":'),
  tenant: bytesOf(',"tenant":'),
  revision: bytesOf(',"revision":'),
  decision: bytesOf(',"decision":'),
  reasons: bytesOf(',"reasons":['),
  subject: bytesOf('],"subject":{"type":"address","address":'),
  chainId: bytesOf(',"chain_id":'),
  users: bytesOf(',"user_addresses":['),
  requestedAt: bytesOf(
    ']},"required_checks":["poisoning"],"checks":[{"check":"poisoning","outcome":"ok","requested_at":',
  ),
  answeredAt: bytesOf(',"answered_at":'),
  cached: bytesOf(',"cached":true,"attempts":'),
  notCached: bytesOf(',"cached":false,"attempts":'),
  isPoisoning: bytesOf(',"data":{"target":{"is_poisoning":'),
  mimicsUser: bytesOf(',"mimics_user":'),
  mimicsExchange: bytesOf(',"mimics_exchange":'),
  address: bytesOf(',"address":'),
  policyId: bytesOf('}}}],"policy":{"id":'),
  policySha256: bytesOf(',"sha256":'),
  file: bytesOf('},"source":{"file":'),
  line: bytesOf(',"line":'),
  topic: bytesOf('},"source":{"topic":'),
  partition: bytesOf(',"partition":'),
  offset: bytesOf(',"offset":'),
  decidedAt: bytesOf('},"decided_at":'),
  software: bytesOf(',"software":'),
};

/** The same in their order. */
const verdictFields = [
  ...["schema", "verdict_id", "event_id", "tenant", "revision", "decision", "reasons", "subject", "required_checks"],
  ...["checks", "policy", "source", "decided_at", "software"],
];
const subjectFields = ["type", "address", "chain_id", "user_addresses"];
const checkFields = ["check", "outcome", "requested_at", "answered_at", "cached", "attempts", "data"];
const targetFields = ["is_poisoning", "mimics_user", "mimics_exchange", "chain_id", "address"];
const policyFields = ["id", "sha256"];
const lineFields = ["file", "line"];
const recordFields = ["topic", "partition", "offset"];

function hasFields(value: object, names: readonly string[]): boolean {
  let count = 0;
  for (const name in value) if (name !== names[count++]) return false;
  return count === names.length;
}

function isOfPoisoning(required: Verdict["required_checks"]): boolean {
  return required.length === 1 && required[0] === "poisoning";
}

type Paid = Subject & { readonly type: "address"; readonly user_addresses: readonly string[] };

function isOnAddress(subject: Subject): subject is Paid {
  return subject.type === "address" && subject.user_addresses !== undefined && hasFields(subject, subjectFields);
}

type Plain = CheckEntry & {
  readonly requested_at: string;
  readonly answered_at: string;
  readonly data: { readonly target: PlainTarget };
};

function isPlain(entry: CheckEntry): entry is Plain {
  const { check, outcome, data } = entry;
  return (
    check === "poisoning" &&
    outcome === "ok" &&
    entry.requested_at !== undefined &&
    entry.answered_at !== undefined &&
    hasFields(entry, checkFields) &&
    isPlainEvidence(data) &&
    hasFields(data.target, targetFields)
  );
}

function addStrings(texts: readonly string[], to: ByteBuffer): void {
  for (let i = 0; i < texts.length; i++) {
    if (i > 0) to.addByte(COMMA);
    to.addString(texts[i] ?? "");
  }
}

/** What mostly is the same as in the verdict before. */
class Recurring {
  #value: string | Reason = "";
  #bytes = bytesOf('""');

  add(value: string | Reason, to: ByteBuffer): void {
    if (value !== this.#value) {
      this.#value = value;
      this.#bytes = bytesOf(JSON.stringify(value));
    }
    to.add(this.#bytes);
  }
}

function bytesOf(json: string): Uint8Array {
  return Buffer.from(json);
}
