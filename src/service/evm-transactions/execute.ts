import { type CanonicalAddress, parseAddress } from "../../chains/address.ts";
import { tokenOf } from "../../chains/evm/counterparties.ts";
import type { EvmReading, EvmTransfer } from "../../chains/evm/read-transaction.ts";
import { ZERO_ADDRESS } from "../../chains/evm/signatures.ts";
import { type EvmNode, NodeUnavailableError, type Rehearsed, type StateOverride, type ViewCall } from "../evm/node.ts";
import { balanceChanges } from "./balance-changes.ts";
import { allowanceLook, balanceLook, keyOf, readBeforeAfter, type StateBeforeAfter } from "./balance-snapshot.ts";
import { grantsIn, movesIn, tellingLogs, type WrittenGrant } from "./event-logs.ts";
import type { BalanceChange, EvmExecution } from "./execution.ts";
import { observation, readObservation } from "./observer.ts";
import { reasonOf } from "./reason.ts";

/** Accounts that are looked at: the sender, and those that he acts by. */
const MAX_ACCOUNTS = 4;
/** Looks before a transaction, and as many after it. Chosen: they take 4 million gas of a block at most. */
const MAX_LOOKS = 64;
/** Receivers that are compared. Chosen: as many as calls are looked at. */
const MAX_PAID = 256;
/** EIP-7702 writes this and an address where the code of an account stands. */
const DELEGATION = "0xef0100";

const unclear = (reason: string): EvmExecution => ({ ended: "unclear", reason });
const TOO_POOR: EvmExecution = { ended: "failed", reason: "the sender cannot pay what it sends" };

/** What is run, and whose balances are looked at. */
interface Run {
  readonly transaction: { readonly from: CanonicalAddress; readonly to: CanonicalAddress; value: bigint; data: string };
  readonly accounts: readonly CanonicalAddress[];
  /** Tokens that the calldata names. */
  readonly named: readonly CanonicalAddress[];
  readonly overrides: readonly StateOverride[];
}

/**
 * Runs a transaction without sending it, on the state after block `at`, by eth_simulateV1; where no node does that, by one
 * eth_call with a contract of our own at the sender's address, which sees less.
 *
 * @returns undefined where nobody can run it: code that becomes a contract, several delegations, a node that does neither.
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
  // Whose account several of them are of, only their signatures tell.
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

/** Whoever gets something of the accounts, but for themselves and nobody. */
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

/** Tokens that an account had to do with, and everything that is to be looked at for them. */
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

/** Old tokens write down what is left of a right when some of it is used: it is given where there is more than before. */
function isRaised({ isAllowance, token, giver, spender }: WrittenGrant, seen: StateBeforeAfter): boolean {
  const looked = isAllowance ? seen.of(allowanceLook(token, giver, spender)) : undefined;
  return looked === undefined || looked.after > looked.before;
}

function balanceLooks(tokens: readonly CanonicalAddress[], accounts: readonly CanonicalAddress[]): ViewCall[] {
  return tokens.flatMap((token) => accounts.map((account) => balanceLook(token, account)));
}

/** The balances of everything that is named or touched are looked at, as nobody says what moved. */
async function observe(
  node: EvmNode,
  { transaction, accounts, named, overrides }: Run,
  at: bigint,
  signal: AbortSignal,
): Promise<EvmExecution | undefined> {
  // The observer stands where the code that acts for the account would.
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
    // A node without state overrides refuses the call as if it were broken itself.
    if (thrown instanceof NodeUnavailableError) return undefined;
    throw thrown;
  }
}
