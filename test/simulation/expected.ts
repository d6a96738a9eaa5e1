import { parseAddress } from "../../src/chains/address.ts";
import { findChain } from "../../src/chains/registry.ts";
import type { Decision } from "../../src/messages/decision.ts";
import type { TransactionEvent } from "../../src/messages/event.ts";
import type { InputRecord } from "../../src/worker/ports.ts";
import type { KnownEvm } from "./evm-transactions.ts";
import type { World } from "./scenario.ts";
import { type KnownTransactions, keysOf } from "./transactions.ts";
import { type Item, imitatesAny, isRaised, targetFlags, tokenFlags, tokenKind } from "./truth.ts";

/** The question of an event in its plainest form, and the result of a service that answers everything. */
export interface Expected {
  readonly decision: Decision;
  readonly checks: readonly string[];
  readonly target: Item | undefined;
  readonly token: Item | undefined;
  readonly users: readonly Item[];
  /** The keys of its transactions, in order. */
  readonly transactions: readonly string[];
  /** Whether the service refuses the event for its contents, so that it never gets every answer. */
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
  const { isPoisoned, isUnanswerable } = compared({ target, token, users }, world);
  const required = ["poisoning", ...(token === undefined ? [] : ["token-security"]), ...checks];
  const kind = token && tokenKind(world, token);
  const isUnverified = required.includes("classification") && world.unverified.has(address);
  const decision = (): Decision => {
    if (isPoisoned || kind === "honeypot") return "BLOCK";
    if (isUnanswerable) return "UNKNOWN";
    return kind === "owner" || isUnverified ? "WARN" : "ALLOW";
  };
  return { decision: decision(), checks: required, target, token, users, transactions: [], isUnanswerable };
}

/** The outcome of a comparison. For a refused address, the service does not say whether it is poisoned. */
function compared(
  { target, token, users }: Pick<Expected, "token" | "users"> & { readonly target: Item },
  world: World,
): { readonly isPoisoned: boolean; readonly isUnanswerable: boolean } {
  const named = [target, ...users, ...(token === undefined ? [] : [token])];
  const isRefused = target.chain_id === world.unsupported || named.some(({ address }) => world.refused.has(address));
  const isUnanswerable = isRefused || world.failing.has(target.address);
  const isRaisedAlone =
    isRaised(targetFlags(world, target, users)) || (token !== undefined && isRaised(tokenFlags(world, token)));
  // The worker detects an imitation of the event's user by its own rule, even when the service does not.
  const isSeen = imitatesAny(target, users);
  return { isPoisoned: (isRaisedAlone || isSeen) && !isUnanswerable, isUnanswerable };
}

function ofTransaction(event: TransactionEvent, world: World, known: KnownTransactions): Expected {
  const { chain_id, transaction } = event;
  const transactions = keysOf(transaction);
  const evm = known.evm.get(transactions[0] ?? "");
  if (evm !== undefined) return ofEvm(event, evm, transactions, world);
  if (chain_id === "solana") return ofSolana(event, transactions, world, known);
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

/**
 * The signers belong to the user, so only the recipient is compared. Where neither message nor simulation shows the
 * recipient, no address can be compared.
 */
function ofSolana(
  { chain_id, user_addresses = [] }: TransactionEvent,
  transactions: readonly string[],
  world: World,
  { solana }: KnownTransactions,
): Expected {
  const members = transactions.flatMap((key) => solana.get(key) ?? []);
  const has = (outcome: string) => members.some((each) => each.outcome === outcome);
  const receiver = members.find((each) => each.receiver !== undefined)?.receiver;
  const isUntold = has("failed") && members.some(({ isReceiverInTable }) => isReceiverInTable);
  const isUnanswerable = has("refused") || isUntold;
  const item = (address: string): Item => ({ chain_id, address });
  const users = receiver === undefined ? [] : user_addresses.map(item);
  const target = receiver === undefined ? undefined : item(receiver);
  const isPoisoned = target !== undefined && compared({ target, token: undefined, users }, world).isPoisoned;
  const decision = (): Decision => {
    if (has("refused")) return "UNKNOWN";
    if (has("risky") || (isPoisoned && !isUntold)) return "BLOCK";
    if (isUntold) return "UNKNOWN";
    return has("failed") ? "WARN" : "ALLOW";
  };
  const checks = [...(target === undefined ? [] : ["poisoning"]), "solana-simulation"];
  return { decision: decision(), checks, target, token: undefined, users, transactions, isUnanswerable };
}

/**
 * The gaining address is compared. The service is asked about effects that calldata leaves open. An undecodable call is
 * never allowed.
 */
function ofEvm(
  { chain_id, transaction, user_addresses = [] }: TransactionEvent,
  known: KnownEvm,
  transactions: readonly string[],
  world: World,
): Expected {
  const item = (address: string): Item => ({ chain_id, address });
  const { from } = transaction as { readonly from: string };
  const target = item(known.target);
  const token = known.token === undefined ? undefined : item(known.token);
  const users = [...new Set([from, ...user_addresses])].map(item);
  const { isPoisoned, isUnanswerable } = compared({ target, token, users }, world);
  const isUnasked = world.isExact && known.action !== undefined;
  const decision = (): Decision => {
    if (isPoisoned || (known.action === "BLOCK" && !isUnasked)) return "BLOCK";
    return isUnasked || isUnanswerable || !known.isExplained ? "UNKNOWN" : (known.action ?? "ALLOW");
  };
  const checks = ["poisoning", ...(known.action === undefined ? [] : ["evm-security"])];
  return {
    decision: decision(),
    checks,
    target,
    token,
    users,
    transactions,
    isUnanswerable: isUnanswerable || isUnasked,
  };
}
