import type { PlainTarget } from "../api/schemas/plain-answer.ts";
import type { ByteBuffer } from "../kernel/byte-buffer.ts";
import { isPlainEvidence } from "./evidence.ts";
import { type CheckEntry, type Subject, VERDICT_SCHEMA, type Verdict } from "./verdict.ts";

/**
 * Writes verdicts as the JSON bytes that `JSON.stringify` gives. The common form takes half the time and needs no
 * string. The common form is a verdict on one address by one plain answer, with its fields in the usual order.
 * `JSON.stringify` writes any other verdict.
 */
export class VerdictWriter {
  readonly #decided = new Recurring(isDecidedAlike, decidedAs);
  readonly #answered = new Recurring(isAnsweredAlike, answeredAs);
  readonly #placed = new Recurring(isPlacedAlike, placedAs);
  readonly #ended = new Recurring(isEndedAlike, endedAs);

  /** Appends `verdict` to `to`. */
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
      !hasFields(verdict, "lists" in verdict ? listedVerdictFields : verdictFields)
    ) {
      return false;
    }
    to.add(text.verdictId);
    to.addString(verdict.verdict_id);
    to.add(text.eventId);
    to.addString(verdict.event_id);
    this.#decided.add(verdict, to);
    to.addString(subject.address);
    to.add(text.chainId);
    to.addString(subject.chain_id);
    to.add(text.users);
    addStrings(subject.user_addresses, to);
    this.#answered.add(entry, to);
    to.addString(entry.data.target.address);
    this.#placed.add(verdict, to);
    if ("line" in source) to.addNumber(source.line);
    else {
      to.addNumber(source.partition);
      to.add(text.offset);
      to.addString(source.offset);
    }
    this.#ended.add(verdict, to);
    return true;
  }
}

const COMMA = 0x2c;

/** The text before the values that hardly ever recur. */
const text = {
  verdictId: bytesOf(`{"schema":"${VERDICT_SCHEMA}","verdict_id":`),
  eventId: bytesOf(',"event_id":'),
  chainId: bytesOf(',"chain_id":'),
  users: bytesOf(',"user_addresses":['),
  offset: bytesOf(',"offset":'),
};

const json = (value: unknown) => JSON.stringify(value);

/** The text from the event's id to its address. */
function decidedAs({ tenant, revision, decision, reasons }: Verdict): string {
  const fields = `,"tenant":${json(tenant)},"revision":${json(revision)},"decision":${json(decision)}`;
  return `${fields},"reasons":${json(reasons)},"subject":{"type":"address","address":`;
}

function isDecidedAlike(one: Verdict, other: Verdict): boolean {
  return (
    one.tenant === other.tenant &&
    one.revision === other.revision &&
    one.decision === other.decision &&
    one.reasons[0] === other.reasons[0]
  );
}

/** The text from the users to the address of the answer. */
function answeredAs({ requested_at, answered_at, cached, attempts, data: { target } }: Plain): string {
  const { is_poisoning, mimics_user, mimics_exchange, chain_id } = target;
  const times = `"requested_at":${json(requested_at)},"answered_at":${json(answered_at)}`;
  const asked = `"check":"poisoning","outcome":"ok",${times},"cached":${json(cached)},"attempts":${json(attempts)}`;
  const flags = `"is_poisoning":${json(is_poisoning)},"mimics_user":${json(mimics_user)},"mimics_exchange":${json(mimics_exchange)}`;
  const found = `"data":{"target":{${flags},"chain_id":${json(chain_id)},"address":`;
  return `]},"required_checks":["poisoning"],"checks":[{${asked},${found}`;
}

function isAnsweredAlike(one: Plain, other: Plain): boolean {
  const { target } = one.data;
  const { target: before } = other.data;
  return (
    one.requested_at === other.requested_at &&
    one.answered_at === other.answered_at &&
    one.cached === other.cached &&
    one.attempts === other.attempts &&
    target.is_poisoning === before.is_poisoning &&
    target.mimics_user === before.mimics_user &&
    target.mimics_exchange === before.mimics_exchange &&
    target.chain_id === before.chain_id
  );
}

/** The text from that address to the number of the line or partition. */
function placedAs({ policy: { id, sha256 }, lists, source }: Verdict): string {
  const place = "line" in source ? `"file":${json(source.file)},"line":` : `"topic":${json(source.topic)},"partition":`;
  const set = lists === undefined ? "" : `,"lists":${json(lists)}`;
  return `}}}],"policy":{"id":${json(id)},"sha256":${json(sha256)}}${set},"source":{${place}`;
}

function isPlacedAlike(one: Verdict, other: Verdict): boolean {
  const { policy, source } = one;
  const { policy: policyBefore, source: before } = other;
  const isThere =
    "line" in source
      ? "line" in before && source.file === before.file
      : "topic" in before && source.topic === before.topic;
  return isThere && one.lists === other.lists && policy.id === policyBefore.id && policy.sha256 === policyBefore.sha256;
}

/** The text from the line or the offset to the end. */
function endedAs({ decided_at, software }: Verdict): string {
  return `},"decided_at":${json(decided_at)},"software":${json(software)}}`;
}

function isEndedAlike(one: Verdict, other: Verdict): boolean {
  return one.decided_at === other.decided_at && one.software === other.software;
}

/** The fields of a verdict in the order of writing. */
const verdictFields = [
  ...["schema", "verdict_id", "event_id", "tenant", "revision", "decision", "reasons", "subject", "required_checks"],
  ...["checks", "policy", "source", "decided_at", "software"],
];
const listedVerdictFields = verdictFields.toSpliced(verdictFields.indexOf("source"), 0, "lists");
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

/**
 * Consecutive fields that mostly equal those of the previous verdict. Their bytes are made again only when the fields
 * differ.
 */
class Recurring<Value> {
  readonly #isAlike: (one: Value, other: Value) => boolean;
  readonly #jsonOf: (value: Value) => string;
  #before: Value | undefined;
  #bytes = bytesOf("");

  constructor(isAlike: (one: Value, other: Value) => boolean, jsonOf: (value: Value) => string) {
    this.#isAlike = isAlike;
    this.#jsonOf = jsonOf;
  }

  add(value: Value, to: ByteBuffer): void {
    if (this.#before === undefined || !this.#isAlike(value, this.#before)) {
      this.#before = value;
      this.#bytes = bytesOf(this.#jsonOf(value));
    }
    to.add(this.#bytes);
  }
}

function bytesOf(json: string): Uint8Array {
  return Buffer.from(json);
}
