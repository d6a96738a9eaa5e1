import type { ResponseOf, SentTo } from "../../../src/api/routes.ts";
import type { SolanaTransaction } from "../../../src/api/schemas/solana-emulate.ts";
import type { Effect, Transactions } from "./transactions.ts";

type Answer = ResponseOf<"solanaEmulate">;
type Result = Answer["data"]["results"][number];

const PRIME = 1_000_003;
/** The account with a program's code. Calls name only the program. */
const codeOf = (program: string) => `code of ${program}`;

/**
 * Simulates over a ledger. The writes of a transaction depend on all its visible accounts, so any influence between
 * transactions shows in the numbers. `shared`: each transaction of a request sees the effects of the previous ones.
 */
export class LedgerService {
  readonly #transactions: Transactions;
  readonly #isShared: boolean;

  constructor(transactions: Transactions, options: { readonly shared: boolean }) {
    this.#transactions = transactions;
    this.#isShared = options.shared;
  }

  answer(request: SentTo<"solanaEmulate">): Answer {
    let ledger = new Map<string, number>();
    const results = request.sol_transactions.map((item) => {
      if (!this.#isShared) ledger = new Map();
      const effect = this.#transactions.effectOf(item as SolanaTransaction);
      return { ...simulate(effect, ledger), ...(item.name === undefined ? {} : { name: item.name }) };
    });
    return summarized(results);
  }
}

/** An answer around `results` in the form of the interface. */
export function summarized(results: readonly Result[]): Answer {
  const error = results.find((result) => result.error)?.error ?? null;
  const exec_summary = {
    result_code: error === null ? "000000000" : "000000001",
    result_description: error === null ? "success" : "a transaction failed",
    error_data: error,
  };
  return { code: "0", status: "ok", data: { exec_summary, results: [...results] } };
}

function simulate(
  { payer, writes, reads, program, upgrades, hidden, fails }: Effect,
  ledger: Map<string, number>,
): Result {
  const named = { from: payer, to: program, findings: [] };
  if (fails) return { ...named, error: "InstructionError", involved_addresses: [], balance_changes: [] };
  const balanceOf = (name: string) => ledger.get(name) ?? 1_000;
  const written = [...new Set([payer, ...writes, ...(hidden ?? [])])];
  const seen = [...new Set([...written, ...reads, program, codeOf(program)])];
  const influence = seen.reduce((sum, name) => (sum * 31 + balanceOf(name)) % PRIME, 1);
  const changes = written.map((address, i) => {
    const begin = balanceOf(address);
    const end = (influence + i) % PRIME;
    ledger.set(address, end);
    return {
      address,
      amount_change: String(end - begin),
      begin_value: String(begin),
      delta_value: String(end - begin),
      end_value: String(end),
      value_usd: "0",
    };
  });
  if (upgrades !== undefined) ledger.set(codeOf(upgrades), influence);
  const coin = { token_address: "native", tokenName: "Solana", symbol: "SOL", divisor: "9", tokenPriceUSD: "1" };
  return {
    ...named,
    error: null,
    compute_units_consumed: 150,
    called_addresses: [program],
    involved_addresses: [...written, program],
    involved_addresses_risks: [...written, program].map((address) => ({ address, risk_level: 0 })),
    balance_changes: [{ ...coin, change_list: changes }],
  };
}
