import type { PoisoningEvidence } from "../../../messages/evidence.ts";
import { failureCodes } from "../../answers/failure-codes.ts";
import type { Outcome, RequestTrace } from "../../answers/outcome.ts";
import { isFlagged } from "./read-answer.ts";

/**
 * Merges the outcomes of one question's entries. A '1' of any entry stands, even if another entry has no answer. The
 * evidence then names the missing answers, because a policy may disregard that '1'. Without a '1' every entry must be
 * answered.
 */
export function mergeOutcomes(outcomes: readonly Outcome<PoisoningEvidence>[]): Outcome<PoisoningEvidence> {
  return unite(outcomes, uniteEvidence);
}

/** Merges the outcomes of several counterparties, not all of which have a token. */
export function mergeParties(outcomes: readonly Outcome<PoisoningEvidence>[]): Outcome<PoisoningEvidence> {
  return unite(outcomes, (a, b) => {
    const token = a.token ?? b.token;
    return { ...uniteEvidence(a, b), ...(token === undefined ? {} : { token: uniteFlags(token, b.token ?? token) }) };
  });
}

function unite(
  outcomes: readonly Outcome<PoisoningEvidence>[],
  together: (a: PoisoningEvidence, b: PoisoningEvidence) => PoisoningEvidence,
): Outcome<PoisoningEvidence> {
  const [first] = outcomes;
  if (first === undefined) throw new Error("a question has at least one part");
  if (outcomes.length === 1) return first;
  const trace = outcomes.map((outcome) => outcome.trace).reduce(mergeTraces);
  const answered = outcomes.flatMap((outcome) => (outcome.ok ? [outcome.value] : []));
  const failure = outcomes.find((outcome) => !outcome.ok);
  if (failure?.ok === false && !answered.some(isFlagged)) return { ...failure, trace };
  const unanswered = outcomes.flatMap((outcome) => (outcome.ok ? (outcome.value.unanswered ?? []) : reasonOf(outcome)));
  // When a service is down, many entries lack an answer for the same reason.
  const reasons = [...new Map(unanswered.map((each) => [`${each.code} ${each.detail}`, each])).values()];
  const value = answered.reduce(together);
  return { ok: true, value: reasons.length === 0 ? value : { ...value, unanswered: reasons }, trace };
}

function reasonOf({ error }: Extract<Outcome<unknown>, { ok: false }>): { code: string; detail: string } {
  return { code: failureCodes[error.code], detail: error.message };
}

function uniteEvidence(a: PoisoningEvidence, b: PoisoningEvidence): PoisoningEvidence {
  const token = a.token === undefined || b.token === undefined ? undefined : uniteFlags(a.token, b.token);
  const believed = a.believed ?? b.believed;
  return {
    target: uniteFlags(a.target, b.target),
    ...(token === undefined ? {} : { token }),
    ...(believed === undefined ? {} : { believed }),
  };
}

/** Merges field by field: '1' wins over '0', lists are joined, and a non-empty text wins over an empty one. */
function uniteFlags<T extends object>(a: T, b: T): T {
  const said = new Map<string, unknown>(Object.entries(a));
  const raised = Object.entries(b).flatMap(([name, value]): [string, unknown][] => {
    const other = said.get(name);
    if (Array.isArray(value) && Array.isArray(other)) return [[name, [...new Set([...other, ...value])]]];
    return value === "1" || (other ?? "") === "" ? [[name, value]] : [];
  });
  return { ...a, ...Object.fromEntries(raised) };
}

/** Adds the requests of both traces, and spans the time from the first question to the last answer. */
export function mergeTraces(a: RequestTrace, b: RequestTrace): RequestTrace {
  const times = (name: "askedAt" | "answeredAt") => [a[name], b[name]].filter((time) => time !== undefined);
  const [asked, answered] = [times("askedAt"), times("answeredAt")];
  return {
    requests: a.requests + b.requests,
    cached: a.cached && b.cached,
    ...(asked.length > 0 ? { askedAt: Math.min(...asked) } : {}),
    ...(answered.length > 0 ? { answeredAt: Math.max(...answered) } : {}),
  };
}
