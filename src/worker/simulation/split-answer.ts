import type { ResponseOf } from "../../api/routes.ts";
import { ALL_SIMULATED, type SimulationResult, type SolanaTransaction } from "../../api/schemas/solana-emulate.ts";
import type { EvidenceOf } from "../../messages/evidence.ts";
import { AnswerInvalidError, refuseErrors } from "../answers/service-errors.ts";
import type { AccountLocks } from "./decoder.ts";

type Answer = ResponseOf<"solanaEmulate">;
type Evidence = EvidenceOf<"solana-simulation">;

/** One transaction as it was sent. */
export interface SentTransaction {
  readonly transaction: SolanaTransaction;
  /** The name in the request, which is unique among all transactions. */
  readonly name: string;
  readonly locks: AccountLocks | undefined;
}

/** The transactions of one event, in order. */
export type SentTransactions = readonly SentTransaction[];

/**
 * Splits the answer for `group` into each event's evidence: the summary and the event's own results. The answer for a
 * single event is used as it is, even with a failed simulation. For several events any doubt voids the whole answer,
 * and each event has to be sent alone.
 *
 * @returns the evidence in the order of `group`.
 * @throws {AnswerInvalidError}
 */
export function splitAnswer(answer: Answer, group: readonly SentTransactions[]): readonly Evidence[] {
  refuseErrors(answer, answer.data);
  const { exec_summary, results } = answer.data;
  const sent = group.flat();
  if (results.length !== sent.length)
    throw new AnswerInvalidError(`${results.length} results for ${sent.length} transactions`);
  if (!sent.every((each, i) => isResultOf(results[i], each)))
    throw new AnswerInvalidError("a result belongs to another transaction");
  const own = results.map((result, i) => withOwnName(result, sent[i]));
  if (group.length === 1) return [{ ...answer.data, results: own }];

  const { result_code, result_description, error_data } = exec_summary;
  if (result_code !== ALL_SIMULATED || error_data !== null)
    throw new AnswerInvalidError("not every transaction simulated normally");
  if (!results.every(isComplete)) throw new AnswerInvalidError("a result is not complete");
  if (mixesEvents(results, group)) throw new AnswerInvalidError("a result names an account of another event");
  // Fields that the interface does not define may refer to other events.
  const summary = { result_code, result_description, error_data };
  return own.map((result) => ({ exec_summary: summary, results: [result] }));
}

/** Results are matched by position. Any identity that a result states must agree. */
function isResultOf(result: SimulationResult | undefined, { name, locks }: SentTransaction): boolean {
  if (result === undefined) return false;
  if (result.name !== undefined && result.name !== name) return false;
  return locks === undefined || (result.from ?? locks.feePayer) === locks.feePayer;
}

/**
 * Whether a result identifies its transaction and contains everything that was requested. Fee payers are distinct
 * within a group, because each is writable.
 */
function isComplete({ error, from, name, balance_changes, involved_addresses_risks }: SimulationResult): boolean {
  const isIdentified = typeof from === "string" || name !== undefined;
  return isIdentified && (error ?? null) === null && Boolean(balance_changes) && Boolean(involved_addresses_risks);
}

/**
 * Whether a result names an account that only another event of the group may write. Then the service mixes events, and
 * one event's risks would appear in another event's verdict.
 */
function mixesEvents(results: readonly SimulationResult[], group: readonly SentTransactions[]): boolean {
  const writerOf = new Map<string, number>();
  for (const [i, { locks }] of group.flat().entries()) {
    for (const account of locks?.writable ?? []) writerOf.set(account, i);
  }
  return results.some((result, i) => textsIn(result).some((text) => (writerOf.get(text) ?? i) !== i));
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Evidence must not depend on the request: an echoed name is replaced by the event's own name, or removed. */
function withOwnName({ name: echoed, ...result }: SimulationResult, sent: SentTransaction | undefined) {
  const name = sent?.transaction.name;
  return echoed === undefined || name === undefined ? result : { ...result, name };
}
