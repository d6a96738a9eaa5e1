import { type CanonicalAddress, parseAddress } from "../../chains/address.ts";
import { ZERO_ADDRESS } from "../../chains/evm/calls/token-calls.ts";
import { tokenOf } from "../../chains/evm/counterparties.ts";
import type { EvmReading, EvmTransfer } from "../../chains/evm/read-transaction.ts";
import { type EvmNode, NodeUnavailableError, type Rehearsed, type StateOverride, type ViewCall } from "../evm/node.ts";
import { balanceChanges } from "./balance-changes.ts";
import { allowanceLook, balanceLook, keyOf, readBeforeAfter, type StateBeforeAfter } from "./balance-snapshot.ts";
import { grantsIn, movesIn, tellingLogs, type WrittenGrant } from "./event-logs.ts";
import type { BalanceChange, EvmExecution } from "./execution.ts";
import { observation, readObservation } from "./observer.ts";
import { reasonOf } from "./reason.ts";

/** Maximum number of accounts with balances that are read: the sender, and the accounts that it acts through. */
const MAX_ACCOUNTS = 4;
/**
 * Maximum number of reads before a transaction, and again after it. Chosen: they take at most 4 million gas of a block.
 */
const MAX_LOOKS = 64;
/** Maximum number of receivers that are compared. Chosen: equal to the maximum number of calls that are read. */
const MAX_PAID = 256;
/** EIP-7702 stores this prefix and an address as the code of a delegating account. */
const DELEGATION = "0xef0100";

const unclear = (reason: string): EvmExecution => ({ ended: "unclear", reason });
const TOO_POOR: EvmExecution = { ended: "failed", reason: "the sender cannot pay what it sends" };

/** A transaction to execute, and the accounts with balances to read. */
interface Run {
  readonly transaction: { readonly from: CanonicalAddress; readonly to: CanonicalAddress; value: bigint; data: string };
  readonly accounts: readonly CanonicalAddress[];
  /** Tokens that the calldata names. */
  readonly named: readonly CanonicalAddress[];
  readonly overrides: readonly StateOverride[];
}

/**
 * Executes a transaction without sending it, on the state after block `at`, by eth_simulateV1. A node without
 * eth_simulateV1 gets one eth_call with the observer contract at the sender's address, which sees less.
 *
 * @returns undefined where no node can execute it: contract creation, several delegations, or a node without both
 * calls.
 * @throws {NodeUnavailableError}
 */
export async function execute(
  node: EvmNode,
  transaction: EvmTransfer,
  does: EvmReading,
  at: bigint,
  signal: AbortSignal,
): Promise<EvmExecution | undefined> {
  const { from, to, value, delegates } = transaction;
  // Of several delegations, only the signatures show which account each belongs to.
  if (to === undefined || delegates.length > 1) return undefined;
  const run: Run = {
    transaction: { from, to, value, data: `0x${transaction.data}` },
    accounts: does.actors.slice(0, MAX_ACCOUNTS),
    named: [...new Set(does.acts.flatMap(tokenOf))],
    overrides: delegates.map((delegate) => ({
      address: from,
      code: delegate === ZERO_ADDRESS ? "0x" : `${DELEGATION}${delegate.slice(2)}`,
    })),
  };
  if (does.actors.length > MAX_ACCOUNTS) return unclear("more accounts act than are looked at");
  return (await rehearseAll(node, run, at, signal)) ?? (await observe(node, run, at, signal));
}

async function rehearseAll(
  node: EvmNode,
  { transaction, accounts, named, overrides }: Run,
  at: bigint,
  signal: AbortSignal,
): Promise<EvmExecution | undefined> {
  const rehearse = (views: readonly ViewCall[]) => node.rehearse({ ...transaction, views, overrides }, at, signal);
  const first = balanceLooks(named, accounts);
  if (first.length > MAX_LOOKS) return unclear("it names more tokens than are looked at");
  const rehearsed = await rehearse(first);
  if (rehearsed === undefined) return undefined;
  if (rehearsed === "too_poor") return TOO_POOR;
  if (!rehearsed.ending.ok) return { ended: "failed", reason: reasonOf(rehearsed.ending.returned) };
  const { tokens, looks } = looksAfter(rehearsed, accounts, named);
  if (looks.length > MAX_LOOKS) return unclear("it moves more tokens than are looked at");
  const known = new Set(first.map(keyOf));
  const again = looks.every((look) => known.has(keyOf(look))) ? rehearsed : await rehearse(looks);
  if (again === undefined || again === "too_poor" || !again.ending.ok)
    return unclear("it ends in two ways on the same state");
  const seen = readBeforeAfter(again === rehearsed ? first : looks, again.before, again.after);
  const { coins } = again;
  const logs = tellingLogs(again.logs);
  const moves = movesIn(logs);
  return {
    ended: "done",
    changes: balanceChanges({ accounts, tokens, seen, moves, coins }),
    grants: grantsIn(logs).filter((grant) => accounts.includes(grant.giver) && isRaised(grant, seen)),
    paid: paidBy(accounts, [...moves, ...coins]),
    seen: "all",
  };
}

/** The addresses that get something from the accounts, except the accounts themselves and the zero address. */
function paidBy(
  accounts: readonly string[],
  moves: readonly { readonly from: string; readonly to: string }[],
): readonly CanonicalAddress[] {
  const paid = moves.filter(({ from, to }) => accounts.includes(from) && !accounts.includes(to)).map(({ to }) => to);
  return [...new Set(paid)].slice(0, MAX_PAID).flatMap((text) => {
    const address = parseAddress("evm", text);
    return address.ok && address.value !== ZERO_ADDRESS ? [address.value] : [];
  });
}

/** The tokens that an account moved, and all reads that these tokens need. */
function looksAfter(rehearsed: Rehearsed, accounts: readonly CanonicalAddress[], named: readonly CanonicalAddress[]) {
  const logs = tellingLogs(rehearsed.logs);
  const isOwn = (address: CanonicalAddress) => accounts.includes(address);
  const moved = movesIn(logs).filter(({ standard, from, to }) => standard === "erc20" && (isOwn(from) || isOwn(to)));
  const tokens = [...new Set([...named, ...moved.map(({ token }) => token)])];
  const allowances = grantsIn(logs).filter(({ giver, isAllowance }) => isOwn(giver) && isAllowance);
  const asked = allowances.map(({ token, giver, spender }) => allowanceLook(token, giver, spender));
  const looks = new Map([...balanceLooks(tokens, accounts), ...asked].map((look) => [keyOf(look), look]));
  return { tokens, looks: [...looks.values()] };
}

/**
 * Old tokens log the remaining allowance when a part of it is used. An approval is therefore new only if the allowance
 * rises.
 */
function isRaised({ isAllowance, token, giver, spender }: WrittenGrant, seen: StateBeforeAfter): boolean {
  const looked = isAllowance ? seen.of(allowanceLook(token, giver, spender)) : undefined;
  return looked === undefined || looked.after > looked.before;
}

function balanceLooks(tokens: readonly CanonicalAddress[], accounts: readonly CanonicalAddress[]): ViewCall[] {
  return tokens.flatMap((token) => accounts.map((account) => balanceLook(token, account)));
}

/** Reads the balances of all named or touched tokens, because no logs show which tokens moved. */
async function observe(
  node: EvmNode,
  { transaction, accounts, named, overrides }: Run,
  at: bigint,
  signal: AbortSignal,
): Promise<EvmExecution | undefined> {
  // The observer's code and the delegated code would need the same address.
  if (overrides.length > 0) return undefined;
  try {
    const touched = await node.touched(transaction, at, signal);
    const contracts = (touched ?? []).flatMap((text) => {
      const address = parseAddress("evm", text);
      return address.ok && !accounts.includes(address.value) ? [address.value] : [];
    });
    const tokens = [...new Set([...named, ...contracts])];
    const native = accounts.map((account) => ({ to: account, data: "0x" }));
    const looks = [...native, ...balanceLooks(tokens, accounts)];
    if (looks.length > MAX_LOOKS) return unclear("it touches more contracts than are looked at");
    const [result] = await node.experiment([observation(transaction, looks)], at, signal);
    if (result?.ok !== true) return unclear("it could not be run to its end");
    const observed = readObservation(result.data, looks.length);
    if (observed === undefined) return undefined;
    if (!observed.ending.ok) return { ended: "failed", reason: reasonOf(observed.ending.returned) };
    const seen = readBeforeAfter(looks, observed.before, observed.after);
    const coins = native.flatMap((look, i): readonly BalanceChange[] => {
      const [account, looked] = [accounts[i], seen.of(look)];
      if (account === undefined || looked === undefined || looked.after === looked.before) return [];
      const { before, after } = looked;
      return [{ account, standard: "native", token: undefined, id: undefined, change: after - before, before }];
    });
    const changes = [...coins, ...balanceChanges({ accounts, tokens, seen, moves: [], coins: [] })];
    return { ended: "done", changes, grants: [], paid: [], seen: touched === undefined ? "named" : "balances" };
  } catch (thrown) {
    // A node without state overrides answers as if the node itself were broken.
    if (thrown instanceof NodeUnavailableError) return undefined;
    throw thrown;
  }
}
