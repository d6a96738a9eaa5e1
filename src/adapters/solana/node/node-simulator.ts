import type { AccountState, Accounts } from "../../../chains/solana/accounts/account-state.ts";
import { accountsOf } from "../../../chains/solana/accounts/lookup-table.ts";
import { readTokenAccount } from "../../../chains/solana/accounts/token-account.ts";
import { isWritable, type Message } from "../../../chains/solana/message/message.ts";
import type { TransactionError } from "../../../chains/solana/message/transaction-error.ts";
import type { Simulated, Simulation, Simulator } from "../../../service/solana-transactions/simulator.ts";
import { UnavailableError } from "../../../worker/answers/service-errors.ts";
import { readInner } from "../parsed-instructions/inner-json.ts";
import type { LiveAccounts } from "../simulator/live-accounts.ts";
import { neededToRead } from "../simulator/wanted-accounts.ts";
import { field, readAccountJson, unreadable, wholeNumber } from "./account-json.ts";
import { failureOf } from "./failure-of.ts";
import { errorOfRefusal, readTransactionError } from "./node-error.ts";
import { agrees } from "./pre-balances.ts";
import { type AccountsAtSlot, type NodeAnswer, RefusedByNodeError, type SolanaNode } from "./solana-node.ts";
import { truncatedData } from "./truncated-data.ts";
import { wireOf } from "./wire.ts";

export interface NodeSimulatorOptions {
  readonly node: Pick<SolanaNode, "simulate">;
  readonly accounts: Pick<LiveAccounts, "load">;
  /** Runs sequences of transactions, which nodes cannot run. */
  readonly sequences: Simulator;
  /** Longest wait for all answers about one transaction, milliseconds. */
  readonly timeoutMs: number;
}

/** Most runs of a transaction with accounts that changed between reading and running. */
const MAX_TRIES = 4;

/**
 * Runs transactions on nodes. No node reports the full accounts before the run, so the accounts are read first. When
 * the node ran on a later slot, the accounts count only where they are proved to be the node's starting state.
 */
export class NodeSimulator implements Simulator {
  readonly #options: NodeSimulatorOptions;

  constructor(options: NodeSimulatorOptions) {
    this.#options = options;
  }

  async simulate(messages: readonly Message[], sequence: boolean): Promise<Simulated> {
    if (sequence && messages.length > 1) return this.#options.sequences.simulate(messages, true);
    const signal = AbortSignal.timeout(this.#options.timeoutMs);
    try {
      return { ok: true, simulations: await Promise.all(messages.map((message) => this.#simulate(message, signal))) };
    } catch (thrown) {
      return failureOf(thrown);
    }
  }

  async #simulate(message: Message, signal: AbortSignal): Promise<Simulation> {
    const { node, accounts } = this.#options;
    const wants = neededToRead([message]);
    let before = await accounts.load(wants, signal);
    for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
      const names = accountsOf(message, (address) => before.accounts.get(address));
      const written = writtenOf(message, names);
      let answer: NodeAnswer;
      try {
        answer = await node.simulate(wireOf(message), written, before.slot, signal);
      } catch (thrown) {
        const error = thrown instanceof RefusedByNodeError ? errorOfRefusal(thrown.message) : undefined;
        if (error !== undefined) return refused(message, names, written, before, error);
        throw thrown instanceof RefusedByNodeError ? new UnavailableError("a node refused the question") : thrown;
      }
      const places = written.map((address) => names.indexOf(address));
      const isSame = answer.slot === before.slot || agrees(answer.value, written, places, before.accounts);
      if (isSame) return resultOf(message, names, written, before, answer);
      const again = await accounts.load(wants, signal, answer.slot);
      if (written.every((address) => isEqual(before.accounts.get(address), again.accounts.get(address)))) {
        return resultOf(message, names, written, before, answer);
      }
      before = again;
    }
    throw new UnavailableError("the accounts changed each time between reading and running");
  }
}

function resultOf(
  message: Message,
  names: Simulation["accounts"],
  written: readonly string[],
  known: AccountsAtSlot,
  { slot, value }: NodeAnswer,
): Simulation {
  const error = readTransactionError(field(value, "err"));
  const before = present(written, known.accounts);
  const after = error === undefined ? accountsAfter(written, field(value, "accounts")) : before;
  const inner = field(value, "innerInstructions");
  // A node that does not support inner instructions returns none. Calls between programs would then be missed.
  if (error === undefined && !Array.isArray(inner)) throw unreadable("inner instructions");
  return {
    slot,
    error,
    computeUnits: Number(wholeNumber(field(value, "unitsConsumed")) ?? 0n),
    accounts: names,
    inner: readInner(inner, message.instructions.length, names),
    before,
    after,
    mints: mintsOf(before, after, known.accounts),
  };
}

/** A refused transaction ran no instruction. */
function refused(
  { instructions }: Message,
  names: Simulation["accounts"],
  written: readonly string[],
  { slot, accounts }: AccountsAtSlot,
  error: TransactionError,
): Simulation {
  const before = present(written, accounts);
  const mints = mintsOf(before, before, accounts);
  return {
    slot,
    error,
    computeUnits: 0,
    accounts: names,
    inner: instructions.map(() => []),
    before,
    after: before,
    mints,
  };
}

function writtenOf(message: Message, names: Simulation["accounts"]): readonly string[] {
  const written = names.filter((_, place) => isWritable(message, place));
  return [...new Set(written)].filter((address) => address !== undefined);
}

function accountsAfter(written: readonly string[], json: unknown): Accounts {
  if (!Array.isArray(json) || json.length !== written.length) throw unreadable("the accounts afterwards");
  return present(written, new Map(written.map((address, i) => [address, readAccountJson(json[i])])));
}

function present(addresses: readonly string[], from: ReadonlyMap<string, AccountState | undefined>): Accounts {
  return new Map(
    addresses.flatMap((address) => {
      const account = from.get(address);
      return account === undefined ? [] : [[address, truncatedData(account)] as const];
    }),
  );
}

/** A mint that the transaction itself writes or creates counts in its state after the run. */
function mintsOf(before: Accounts, after: Accounts, known: AccountsAtSlot["accounts"]): Accounts {
  const held = [...before.values(), ...after.values()].map((account) => readTokenAccount(account)?.mint);
  const names = [...new Set(held)].filter((mint) => mint !== undefined);
  return new Map([...present(names, known), ...present(names, after)]);
}

function isEqual(a: AccountState | undefined, b: AccountState | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.lamports === b.lamports && a.owner === b.owner && Buffer.compare(a.data, b.data) === 0;
}
