import { isDeepStrictEqual } from "node:util";
import type { Verdict } from "../../src/messages/verdict.ts";
import type { LoggedRequest } from "./service-log.ts";
import type { KnownSolana } from "./solana-transactions.ts";
import type { KnownTransactions } from "./transactions.ts";

type Result = Readonly<Record<string, unknown>>;

interface Simulated {
  readonly exec_summary: Readonly<Record<"result_code" | "result_description" | "error_data", unknown>>;
  readonly results: readonly Result[];
}

/**
 * Whether a request in the log answered the transactions of an event. The time and the words of the entry must match.
 * An answer to several events counts for no event unless it reports success for each.
 */
export function isBackedByTransaction(
  { check, data: evidence, answered_at }: Pick<Verdict["checks"][number], "check" | "data" | "answered_at">,
  keys: readonly string[],
  log: readonly LoggedRequest[],
  { solana }: KnownTransactions,
): boolean {
  // The worker's own findings stand beside the answer when the service gives none.
  const { worker_findings: _, ...data } = evidence as Result;
  return log.some(({ answer, transactions }) => {
    if (transactions.length === 0 || answer === undefined || answer.answeredAt !== answered_at) return false;
    const from = transactions.findIndex((_, at) => keys.every((key, i) => transactions[at + i] === key));
    if (from === -1) return false;
    if (check !== "solana-simulation") return transactions.length === 1 && isDeepStrictEqual(answer.data, data);
    const { exec_summary, results } = answer.data as Simulated;
    if (results.length !== transactions.length) return false;
    if (!results.every((result, i) => isAbout(result, solana.get(transactions[i] ?? "")))) return false;
    const own = (places: readonly number[]) => places.map((at) => withoutName(results[at] ?? {}));
    if (transactions.length === keys.length)
      return isDeepStrictEqual({ ...(answer.data as Simulated), results: own([...keys.keys()]) }, data);
    const { result_code, result_description, error_data } = exec_summary;
    if (result_code !== "000000000" || error_data !== null || !results.every(isGood)) return false;
    // When two events have the same transaction, either may have either result.
    return transactions.some(
      (key, at) =>
        key === keys[0] &&
        isDeepStrictEqual({ exec_summary: { result_code, result_description, error_data }, results: own([at]) }, data),
    );
  });
}

function isAbout({ from }: Result, known: KnownSolana | undefined): boolean {
  return from === undefined || from === null || from === known?.payer;
}

function isGood({ error, involved_addresses_risks: risks, balance_changes: changes }: Result): boolean {
  return (error ?? null) === null && Array.isArray(risks) && Array.isArray(changes);
}

function withoutName({ name: _, ...result }: Result): Result {
  return result;
}
