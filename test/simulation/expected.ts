import { parseAddress } from "../../src/chains/address.ts";
import { findChain } from "../../src/chains/registry.ts";
import type { Decision } from "../../src/events/decision.ts";
import type { TransactionEvent } from "../../src/events/event.ts";
import type { InputRecord } from "../../src/worker/ports.ts";
import type { World } from "./scenario.ts";
import { type KnownTransactions, keysOf } from "./transactions.ts";
import { type Item, isRaised, targetFlags, tokenFlags } from "./truth.ts";

/** What an event asks, as plainly as it can be said, and what a service that answers everything makes of it. */
export interface Expected {
  readonly decision: Decision;
  readonly checks: readonly string[];
  readonly target: Item | undefined;
  readonly token: Item | undefined;
  readonly users: readonly Item[];
  /** What tells its transactions from all others, in order. */
  readonly transactions: readonly string[];
  /** Whether the service refuses it for what it names, so that it never gets every answer. */
  readonly isUnanswerable: boolean;
}

const unreadable: Expected = {
  decision: "UNKNOWN",
  checks: [],
  target: undefined,
  token: undefined,
  users: [],
  transactions: [],
  isUnanswerable: false,
};

export function expectedOf({ event }: InputRecord, world: World, known: KnownTransactions): Expected {
  if (!event.ok) return unreadable;
  if (event.value.type === "transaction") return ofTransaction(event.value, world, known);
  const { chain_id, address, user_addresses = [], token_address, checks = [] } = event.value;
  const chain = findChain(chain_id);
  if (chain === undefined || !parseAddress(chain.family, address).ok) return unreadable;
  const item = (text: string): Item => ({ chain_id: chain.id, address: text });
  const target = item(address);
  const users = [...new Set(user_addresses)].map(item);
  const token = token_address === undefined ? undefined : item(token_address);
  const required = ["poisoning", ...(token === undefined ? [] : ["token-security"]), ...checks];
  const named = [target, ...users, ...(token === undefined ? [] : [token])];
  const isRefused = chain.id === world.unsupported || named.some((each) => world.refused.has(each.address));
  const isUnanswerable = isRefused || world.failing.has(target.address);
  const kind = token === undefined ? undefined : world.badTokens.get(token.address);
  const isPoisoned =
    isRaised(targetFlags(world, target, users)) || (token !== undefined && isRaised(tokenFlags(world, token)));
  const isUnverified = required.includes("classification") && world.unverified.has(address);
  const decision = (): Decision => {
    if ((isPoisoned && !isUnanswerable) || kind === "honeypot") return "BLOCK";
    if (isUnanswerable) return "UNKNOWN";
    return kind === "owner" || isUnverified ? "WARN" : "ALLOW";
  };
  return { decision: decision(), checks: required, target, token, users, transactions: [], isUnanswerable };
}

/** Nobody is compared with anybody for a Solana transaction of a scenario: whoever is written signs, and is the user's. */
function ofTransaction({ chain_id, transaction }: TransactionEvent, world: World, known: KnownTransactions): Expected {
  const transactions = keysOf(transaction);
  if (chain_id === "solana") {
    const outcomes = transactions.map((key) => known.solana.get(key)?.outcome);
    const decision = () => {
      if (outcomes.includes("refused")) return "UNKNOWN";
      if (outcomes.includes("risky")) return "BLOCK";
      return outcomes.includes("failed") ? "WARN" : "ALLOW";
    };
    const isUnanswerable = outcomes.includes("refused");
    return { ...unreadable, decision: decision(), checks: ["solana-simulation"], transactions, isUnanswerable };
  }
  const { raw_data } = transaction as {
    readonly raw_data: { readonly contract: readonly [{ readonly parameter: { readonly value: Transfer } }] };
  };
  const { owner_address, to_address } = raw_data.contract[0].parameter.value;
  const target = { chain_id: "tron", address: to_address };
  const users = [{ chain_id: "tron", address: owner_address }];
  const action = known.tron.get(transactions[0] ?? "") ?? "BLOCK";
  const decision = isRaised(targetFlags(world, target, users)) ? "BLOCK" : action;
  return { ...unreadable, decision, checks: ["poisoning", "tron-security"], target, users, transactions };
}

type Transfer = Readonly<Record<"owner_address" | "to_address", string>>;
