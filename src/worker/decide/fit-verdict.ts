import type { CheckEntry, ReduciblePart, Subject, Verdict } from "../../messages/verdict.ts";
import { fitEvidence } from "./fit-evidence.ts";
import { keptReasons, type ReasonBounds } from "./kept-reasons.ts";
import { jsonBytes, mostVerdictBytes } from "./verdict-size.ts";

/** Of all marks together, with the field's name. */
const MARKS_BYTES = 64;
/** Longest text of a subject that is never cut. Chosen: beyond the longest address of any chain. */
const MAX_SUBJECT_TEXT = 128;
/** A verdict that still is too large keeps so much of its reasons. */
const SHORT: ReasonBounds = { count: 50, detail: 200, details: 10_000 };
const FEW: ReasonBounds = { count: 8, detail: 200, details: 1_600 };

/**
 * Makes a verdict fit into `maxBytes` of JSON: evidence is reduced first, then the reasons, then `ref`, then the subject,
 * each only where the parts before it do not suffice. `reduced` names those parts. The decision stays as it is. What is left
 * at least takes 64 KiB or less, far below the least RECORD_MAX_BYTES.
 */
export function fitVerdict(verdict: Verdict, maxBytes: number): Verdict {
  // Nearly all are far below, and need no exact count.
  if (mostVerdictBytes(verdict) <= maxBytes) return verdict;
  const room = maxBytes - MARKS_BYTES;
  let fitting = verdict;
  let bytes = jsonBytes(verdict);
  if (bytes <= maxBytes) return verdict;
  const reduced: ReduciblePart[] = [];
  for (const [part, reduce] of reductions) {
    if (bytes <= room) break;
    const smaller = reduce(fitting, bytes - room);
    const left = jsonBytes(smaller);
    if (left >= bytes) continue;
    if (reduced.at(-1) !== part) reduced.push(part);
    fitting = smaller;
    bytes = left;
  }
  return { ...fitting, reduced };
}

type Reduction = (verdict: Verdict, excessBytes: number) => Verdict;

const reductions: readonly (readonly [ReduciblePart, Reduction])[] = [
  ["evidence", (verdict, excess) => ({ ...verdict, checks: fitEvidence(verdict.checks, excess, verdict.decision) })],
  ["reasons", (verdict) => withReasons(verdict, SHORT)],
  ["reasons", (verdict) => withReasons(verdict, FEW)],
  ["ref", ({ ref: _ref, ...verdict }) => verdict],
  ["subject", (verdict) => ({ ...verdict, subject: shortSubject(verdict.subject) })],
];

/** Errors of checks say what reasons say. */
function withReasons(verdict: Verdict, bounds: ReasonBounds): Verdict {
  const reasons = keptReasons(verdict.reasons, bounds).map(({ resembles, ...reason }) =>
    resembles === undefined || resembles.length > MAX_SUBJECT_TEXT ? reason : { ...reason, resembles },
  );
  return { ...verdict, reasons, checks: verdict.checks.map((entry) => withShortError(entry, bounds.detail)) };
}

function withShortError(entry: CheckEntry, room: number): CheckEntry {
  const { error } = entry;
  if (error === undefined || error.detail.length <= room) return entry;
  return { ...entry, error: { code: error.code, detail: `${error.detail.slice(0, room)}...` } };
}

function shortSubject(subject: Subject): Subject {
  if (subject.type === "unreadable") return subject;
  const { user_addresses: _users, ...rest } = subject;
  const { chain_id, address, token_address } = rest;
  return {
    ...rest,
    chain_id: shortText(chain_id),
    ...(address === undefined ? {} : { address: shortText(address) }),
    ...(token_address === undefined ? {} : { token_address: shortText(token_address) }),
  };
}

/** What is cut is no address any more, on any chain. */
function shortText(text: string): string {
  return text.length <= MAX_SUBJECT_TEXT ? text : `${text.slice(0, MAX_SUBJECT_TEXT)}...`;
}
