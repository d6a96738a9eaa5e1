import type { Dice } from "./scenario.ts";
import type { Action } from "./transactions.ts";

/** An EVM transaction as its maker knows it. */
export interface KnownEvm {
  /** Who gains by it, or is called. */
  readonly target: string;
  readonly token: string | undefined;
  /** What the service recommends where calldata leaves open what becomes of the sender; undefined: it is not asked. */
  readonly action: Action | undefined;
  readonly isExplained: boolean;
}

/** Whom the events of a scenario are about: transactions are about the same. */
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

/** Of how many seeds. */
const SHARE = 0.2;
/** Selectors; the last one is nobody's. */
const call = { transfer: "a9059cbb", approve: "095ea7b3", unknown: "00c0ffee" } as const;

/** Payments, transfers and approvals of tokens, and calls that nobody can read. */
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

/** What tells one from all others, as an event writes it and as a request does: its amount is nobody else's. */
export function evmKeyOf({ to, value = "0", data = "0x" }: EvmFields): string {
  return `${to} ${value} ${data}`;
}
