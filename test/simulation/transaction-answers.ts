import type { RouteName } from "../../src/api/routes.ts";
import { isGroup } from "./group-rule.ts";
import type { Dice } from "./scenario.ts";
import type { LoggedRequest } from "./service-log.ts";
import type { KnownSolana } from "./solana-transactions.ts";
import type { KnownTransactions } from "./transactions.ts";

/** Faults in an answer about transactions that has a valid form. */
export interface Mishaps {
  /** Whether a group fails although each of its transactions alone would not. */
  readonly isSpoilt: boolean;
  readonly isMixedUp: boolean;
}

const scores = { ALLOW: 0, WARN: 2, BLOCK: 4 } as const;

/** Whether a request contains a transaction for which the service refuses the request. */
export function isRefused({ transactions }: LoggedRequest, known: KnownTransactions): boolean {
  return transactions.some((key) => known.solana.get(key)?.outcome === "refused");
}

/** The answer about a transaction of TRON or of an EVM chain, or about the Solana transactions of a group. */
export function answerAbout(
  route: RouteName,
  request: unknown,
  { number, transactions: keys }: LoggedRequest,
  known: KnownTransactions,
  mishaps: Mishaps,
  dice: Dice,
): unknown {
  if (route !== "solanaEmulate") {
    const key = keys[0] ?? "";
    const action = known.tron.get(key) ?? known.evm.get(key)?.action ?? "BLOCK";
    const level = { overall_score: scores[action], overall_risk_level: action, recommended_action: action };
    return { code: "0", status: "ok", data: { security: { ...level, risk_details: [], answered_in: number } } };
  }
  const { sol_transactions: sent } = request as { readonly sol_transactions: readonly { readonly name: string }[] };
  const results = keys.map((key, i) => ({
    ...resultOf(known.solana.get(key), `${number}-${i}`),
    ...(known.hasNames ? { name: sent[i]?.name } : {}),
  }));
  const isFailed = results.some(({ error }) => error !== null);
  const isSpoilt = mishaps.isSpoilt && isGroup(keys, known.solana);
  const exec_summary = {
    result_code: isFailed || isSpoilt ? "000000001" : "000000000",
    result_description: isFailed || isSpoilt ? "failed" : "ok",
    error_data: isFailed ? "InstructionError" : null,
  };
  return {
    code: "0",
    status: "ok",
    data: { exec_summary, results: mishaps.isMixedUp ? mixedUp(results, dice) : results },
  };
}

function resultOf(known: KnownSolana | undefined, request_id: string) {
  if (known === undefined) throw new Error("a transaction that nobody made is asked about");
  const { outcome, payer, receiver } = known;
  const isFailed = outcome === "failed";
  return {
    from: payer,
    compute_units_consumed: isFailed ? 0 : 150,
    called_addresses: [],
    involved_addresses: isFailed ? [] : [payer],
    involved_addresses_risks: isFailed ? [] : [{ address: payer, risk_level: outcome === "risky" ? 4 : 0 }],
    balance_changes: isFailed || receiver === undefined ? [] : [paid(payer, receiver)],
    error: isFailed ? "InstructionError" : null,
    request_id,
    findings: [],
  };
}

function paid(payer: string, receiver: string) {
  const change = (address: string, delta_value: string) => ({
    address,
    amount_change: delta_value,
    begin_value: "",
    delta_value,
    end_value: "",
    value_usd: "",
  });
  return {
    token_address: "native",
    tokenName: "",
    symbol: "",
    divisor: "9",
    tokenPriceUSD: "",
    change_list: [change(payer, "-5000"), change(receiver, "4000")],
  };
}

/** Results missing, doubled or in another order. */
function mixedUp<T>(results: readonly T[], dice: Dice): readonly T[] {
  const kind = dice.pick(["missing", "doubled", "turned round"]);
  if (kind === "missing") return results.slice(1);
  return kind === "doubled" ? [...results, ...results.slice(0, 1)] : results.toReversed();
}
