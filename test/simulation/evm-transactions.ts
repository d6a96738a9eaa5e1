import type { Dice } from "./scenario.ts";
import type { Action } from "./transactions.ts";

/** An EVM transaction with the facts that its generator knows. */
export interface KnownEvm {
  /** The address that gains by the transaction, or is called. */
  readonly target: string;
  readonly token: string | undefined;
  /**
   * The recommendation of the service where calldata leaves the effect on the sender open. Undefined when the service
   * is not asked.
   */
  readonly action: Action | undefined;
  readonly isExplained: boolean;
}

/** The addresses of a scenario's events. Its transactions use the same addresses. */
export interface People {
  readonly users: readonly string[];
  readonly others: readonly string[];
  readonly tokens: readonly string[];
}

interface EvmFields {
  readonly to: string;
  readonly value?: string;
  readonly data?: string;
}

type Content = Readonly<Record<string, unknown>>;

/** Share of seeds. */
const SHARE = 0.2;
/** Selectors. The last one belongs to no known function. */
const call = { transfer: "a9059cbb", approve: "095ea7b3", unknown: "00c0ffee" } as const;

/** Payments, transfers and approvals of tokens, and calls that cannot be decoded. */
export function evmTransactionsOf(
  dice: Dice,
  { users, others, tokens }: People,
): { readonly evm: ReadonlyMap<string, KnownEvm>; readonly events: readonly Content[] } {
  const evm = new Map<string, KnownEvm>();
  if (!dice.chance(SHARE)) return { evm, events: [] };
  const realtime = dice.pick([0, 0.3, 1]);
  const word = (hex: string) => hex.replace("0x", "").padStart(64, "0");
  const makeOne = () => {
    const [from, target, token] = [dice.pick(users), dice.pick(others), dice.pick(tokens)];
    const does = dice.pick(["pay", "pay", "transfer", "transfer", "approve", "unknown"] as const);
    const amount = dice.int(1, 1e12);
    const isPlain = does === "pay" || does === "unknown";
    const knowsTarget = dice.chance(0.3);
    const isAsked = does === "unknown" || (does === "approve" && !knowsTarget);
    const action = isAsked ? dice.pick(["ALLOW", "ALLOW", "WARN", "BLOCK"] as const) : undefined;
    const transaction = {
      from,
      to: isPlain ? target : token,
      ...(does === "pay"
        ? { value: String(amount) }
        : { data: `0x${call[does]}${word(target)}${word(amount.toString(16))}` }),
    };
    evm.set(evmKeyOf(transaction), {
      target,
      token: isPlain ? undefined : token,
      action,
      isExplained: does !== "unknown",
    });
    return {
      type: "transaction",
      chain_id: dice.pick(["1", "56"]),
      ...(dice.chance(realtime) ? { lane: "realtime" } : {}),
      ...(knowsTarget ? { user_addresses: [target] } : {}),
      transaction,
    };
  };
  return { evm, events: Array.from({ length: dice.int(2, 8) }, makeOne) };
}

/** The key of a transaction, equal for an event and for a request. Every transaction has a unique amount. */
export function evmKeyOf({ to, value = "0", data = "0x" }: EvmFields): string {
  return `${to} ${value} ${data}`;
}
