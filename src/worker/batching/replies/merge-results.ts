import type { PoisoningEvidence } from "../../../messages/evidence.ts";
import { failureCodes } from "../../answers/failure-codes.ts";
import type { Outcome, RequestTrace } from "../../answers/outcome.ts";
import { isFlagged } from "./read-answer.ts";

/**
 * What the parts of one question say together. A '1' of any part stands, also when another part has no answer, which is
 * then told beside it: a policy may think little of that '1'. Without one every part must be answered.
 */
export function uniteOutcomes(outcomes: readonly Outcome<PoisoningEvidence>[]): Outcome<PoisoningEvidence> {
  return unite(outcomes, uniteEvidence);
}

/** The same of answers about different subjects, of which not all have a token. */
export function uniteParties(outcomes: readonly Outcome<PoisoningEvidence>[]): Outcome<PoisoningEvidence> {
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
  const trace = outcomes.map((outcome) => outcome.trace).reduce(uniteTraces);
  const answered = outcomes.flatMap((outcome) => (outcome.ok ? [outcome.value] : []));
  const failure = outcomes.find((outcome) => !outcome.ok);
  if (failure?.ok === false && !answered.some(isFlagged)) return { ...failure, trace };
  const unanswered = outcomes.flatMap((outcome) => (outcome.ok ? (outcome.value.unanswered ?? []) : reasonOf(outcome)));
  // Of a service that is down many parts have no answer for one reason.
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

/** Field by field, '1' before '0', lists together, and what only one of them says: a name before an empty one. */
function uniteFlags<T extends object>(a: T, b: T): T {
  const said = new Map<string, unknown>(Object.entries(a));
  const raised = Object.entries(b).flatMap(([name, value]): [string, unknown][] => {
    const other = said.get(name);
    if (Array.isArray(value) && Array.isArray(other)) return [[name, [...new Set([...other, ...value])]]];
    return value === "1" || (other ?? "") === "" ? [[name, value]] : [];
  });
  return { ...a, ...Object.fromEntries(raised) };
}

/** The requests of both, from the first question to the last answer. */
export function uniteTraces(a: RequestTrace, b: RequestTrace): RequestTrace {
  const times = (name: "askedAt" | "answeredAt") => [a[name], b[name]].filter((time) => time !== undefined);
  const [asked, answered] = [times("askedAt"), times("answeredAt")];
  return {
    requests: a.requests + b.requests,
    cached: a.cached && b.cached,
    ...(asked.length > 0 ? { askedAt: Math.min(...asked) } : {}),
    ...(answered.length > 0 ? { answeredAt: Math.max(...answered) } : {}),
  };
}
