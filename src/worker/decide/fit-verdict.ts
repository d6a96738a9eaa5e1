import type { CheckEntry, ReduciblePart, Subject, Verdict } from "../../messages/verdict.ts";
import { fitEvidence } from "./fit-evidence.ts";
import { keptReasons, type ReasonBounds } from "./kept-reasons.ts";
import { jsonBytes, mostVerdictBytes } from "./verdict-size.ts";

/** Size of all marks in `reduced`, with the field's name, bytes. */
const MARKS_BYTES = 64;
/** Longest text of a subject that is never cut, characters. Chosen: longer than any address of any chain. */
const MAX_SUBJECT_TEXT = 128;
/** Bounds of the reasons in a verdict that is still too large. */
const SHORT: ReasonBounds = { count: 50, detail: 200, details: 10_000 };
const FEW: ReasonBounds = { count: 8, detail: 200, details: 1_600 };

/**
 * Fits a verdict into `maxBytes` of JSON. Evidence is reduced first, then the reasons, then `ref`, then the subject.
 * Each part is reduced only if the previous ones do not suffice. `reduced` names the reduced parts. The decision never
 * changes. The smallest result takes 64 KiB or less, far below the smallest RECORD_MAX_BYTES.
 */
export function fitVerdict(verdict: Verdict, maxBytes: number): Verdict {
  // Nearly all verdicts are far below the limit and need no exact count.
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

/** The errors of checks repeat the reasons, so they are shortened too. */
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

/** A shortened text is no valid address on any chain. */
function shortText(text: string): string {
  return text.length <= MAX_SUBJECT_TEXT ? text : `${text.slice(0, MAX_SUBJECT_TEXT)}...`;
}
