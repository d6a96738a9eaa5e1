import type { AccountState, Accounts } from "../../../chains/solana/accounts/account-state.ts";
import { accountsOf } from "../../../chains/solana/accounts/lookup-table.ts";
import { readTokenAccount } from "../../../chains/solana/accounts/token-account.ts";
import { isWritable, type Message } from "../../../chains/solana/message/message.ts";
import type { TransactionError } from "../../../chains/solana/message/transaction-error.ts";
import { programs, SYSVAR_OWNER } from "../../../chains/solana/programs.ts";
import type { Simulation } from "../../../service/solana-transactions/simulator.ts";
import { exceedsLimits } from "../node/node-limits.ts";
import type { AccountsAtSlot } from "../node/solana-node.ts";
import { truncatedData } from "../node/truncated-data.ts";
import { errorOf } from "./litesvm-error.ts";
import { codeAddressOf, isCode, versionOf } from "./program-code.ts";
import { Runtime, type SimulatedRun } from "./runtime.ts";
import type { Snapshot } from "./snapshot.ts";

/** Most accounts that are cached, some megabytes. */
const MAX_KNOWN = 4_096;

/**
 * One LiteSVM with the accounts of a snapshot. It lives as long as its thread: each one takes about 8 MB that the
 * garbage collector does not see. Every run restores the initial state. All calls are synchronous, so two callers never
 * use it at once.
 */
export class VirtualMachine {
  readonly #runtime = new Runtime();
  #slot: number;
  /** Cached accounts: no account changes between runs. Reading one takes as long as simulating. */
  readonly #known = new Map<string, AccountState | undefined>();
  /** Versions of the network's programs that are installed here, by the account with their code. */
  readonly #installed = new Map<string, string>();
  /** Addresses that were a program at any time. */
  readonly #wereProgram = new Set<string>();
  /** Existing programs with code that the runtime rejects. */
  readonly #broken = new Set<string>();
  #codeBytes = 0;

  constructor({ slot, unixTimestamp, accounts }: Snapshot) {
    this.#slot = slot ?? this.#runtime.slot;
    this.#runtime.setTime(this.#slot, unixTimestamp);
    for (const [address, account] of dataFirst(accounts)) {
      if (isProgram(account)) this.#setProgram(address, account);
      else this.#set(address, account);
    }
    this.#codeBytes = 0;
  }

  /** Bytes of code that were loaded beyond the snapshot's. The library never releases code. */
  get codeBytes(): number {
    return this.#codeBytes;
  }

  /** Returns one result a message, in order. In a `sequence` each message sees the effects of the previous ones. */
  simulate(messages: readonly Message[], sequence: boolean): readonly Simulation[] {
    if (!sequence) return messages.map((message) => this.#simulate(message));
    const first = new Map<string, AccountState | undefined>();
    try {
      return messages.map((message) => this.#send(message, first));
    } finally {
      for (const [address, account] of dataFirst(first)) this.#set(address, account);
      this.#known.clear();
    }
  }

  /**
   * Simulates over accounts that were read elsewhere; an undefined account does not exist. The state is restored
   * afterwards, except for the programs. Loading a program takes longer than running it, so a program stays until its
   * code changes.
   */
  simulateOver({ slot, accounts }: AccountsAtSlot, messages: readonly Message[], sequence: boolean) {
    const own = { slot: this.#slot, accounts: new Map<string, AccountState | undefined>() };
    this.#known.clear();
    this.#install(accounts);
    try {
      for (const [address, account] of dataFirst(accounts)) {
        if (isProgram(account)) continue;
        const there = this.#read(address);
        if (isEqual(account, there)) continue;
        if (account === undefined && there?.owner === SYSVAR_OWNER) continue;
        own.accounts.set(address, there);
        this.#set(address, account);
      }
      this.#slot = slot;
      return this.simulate(messages, sequence);
    } finally {
      for (const [address, account] of dataFirst(own.accounts)) this.#set(address, account);
      this.#known.clear();
      this.#slot = own.slot;
    }
  }

  /**
   * Updates programs, the code before the account that refers to it. Built-in programs of the network stay the
   * machine's own.
   */
  #install(accounts: AccountsAtSlot["accounts"]): void {
    const renewed = new Set<string>();
    for (const [address, account] of accounts) {
      if (account === undefined ? !isProgram(this.#read(address)) : !isCode(account)) continue;
      const version = account === undefined ? "gone" : versionOf(account, account.data.length);
      if (version === this.#installed.get(address)) continue;
      this.#setProgram(address, account);
      this.#installed.set(address, version);
      renewed.add(address);
    }
    for (const [address, account] of accounts) {
      if (account === undefined || !isProgram(account) || isCode(account)) continue;
      if (account.owner === programs.nativeLoader) continue;
      const isRenewed = renewed.has(codeAddressOf(account) ?? "");
      if (isRenewed || !isEqual(account, this.#read(address))) this.#setProgram(address, account);
    }
  }

  /** A program with rejected code counts as absent. */
  #setProgram(address: string, account: AccountState | undefined): void {
    this.#broken.delete(address);
    try {
      this.#set(address, account);
    } catch {
      // The library throws for code that does not load, with no name that distinguishes this failure from others.
      this.#set(address, undefined);
      this.#broken.add(address);
    }
  }

  #simulate(message: Message): Simulation {
    const accounts = this.#accountsOf(message);
    const before = this.#states(writableOf(message, accounts));
    if (exceedsLimits(message)) return this.#refused(message, accounts, before);
    const run = this.#runtime.simulate(message);
    if (run.failed !== undefined) return this.#result(message, accounts, run, before, before);
    const after = new Map(before);
    for (const [address, account] of run.after) {
      if (account.lamports === 0n) after.delete(address);
      else after.set(address, truncatedData(account));
    }
    return this.#result(message, accounts, run, before, after);
  }

  /**
   * Runs the message and keeps its effects. `first` gets the original state of each account that the message may write,
   * once.
   */
  #send(message: Message, first: Map<string, AccountState | undefined>): Simulation {
    const accounts = this.#accountsOf(message);
    const writable = writableOf(message, accounts);
    for (const address of writable) if (!first.has(address)) first.set(address, this.#read(address));
    const before = this.#states(writable);
    if (exceedsLimits(message)) return this.#refused(message, accounts, before);
    const run = this.#runtime.send(message);
    this.#known.clear();
    const after = run.failed === undefined ? this.#states(writable) : before;
    return this.#result(message, accounts, run, before, after);
  }

  /** No instruction of the message ran. */
  #refused({ instructions }: Message, accounts: Simulation["accounts"], before: Accounts): Simulation {
    return {
      slot: this.#slot,
      error: { kind: "transaction", name: "SanitizeFailure" },
      computeUnits: 0,
      accounts,
      inner: instructions.map(() => []),
      before,
      after: before,
      mints: this.#mintsOf(before, before),
    };
  }

  #result(
    message: Message,
    accounts: Simulation["accounts"],
    { failed, meta }: Omit<SimulatedRun, "after">,
    before: Accounts,
    after: Accounts,
  ): Simulation {
    const inner = meta.innerInstructions();
    return {
      slot: this.#slot,
      error: failed === undefined ? undefined : this.#errorOf(failed, message, accounts),
      computeUnits: Number(meta.computeUnitsConsumed()),
      accounts,
      inner: message.instructions.map((_, i) =>
        (inner[i] ?? []).map((each) => {
          const instruction = each.instruction();
          return {
            program: instruction.programIdIndex(),
            accounts: instruction.accounts(),
            data: instruction.data(),
          };
        }),
      ),
      before,
      after,
      mints: this.#mintsOf(before, after),
    };
  }

  /**
   * The library has one error for an account that is no program and for a missing program; the network has two. The
   * first instruction that cannot run decides. Source: Agave, svm, load_transaction_accounts.
   */
  #errorOf(
    failed: NonNullable<SimulatedRun["failed"]>,
    { instructions }: Message,
    accounts: Simulation["accounts"],
  ): TransactionError {
    const error = errorOf(failed.err());
    if (error.name !== "InvalidProgramForExecution") return error;
    const called = instructions.flatMap(({ program }) => accounts[program] ?? []);
    const failing = called.find((address) => this.#get(address)?.executable !== true);
    const isMissing = failing !== undefined && this.#get(failing) === undefined && !this.#broken.has(failing);
    return isMissing ? { kind: "transaction", name: "ProgramAccountNotFound" } : error;
  }

  /** A mint that the transaction itself writes or creates counts in its state after the run. */
  #mintsOf(before: Accounts, after: Accounts): Accounts {
    const held = [...before.values(), ...after.values()].map((account) => readTokenAccount(account)?.mint);
    const names = [...new Set(held)].filter((mint) => mint !== undefined);
    return new Map([...this.#states(names), ...names.flatMap((mint) => entry(mint, after.get(mint)))]);
  }

  #accountsOf(message: Message): Simulation["accounts"] {
    return accountsOf(message, (address) => this.#get(address));
  }

  #states(addresses: readonly string[]): Accounts {
    return new Map(addresses.flatMap((address) => entry(address, this.#get(address))));
  }

  /** The account, without large data, which is never read. */
  #get(address: string): AccountState | undefined {
    if (this.#known.has(address)) return this.#known.get(address);
    const read = this.#read(address);
    const account = read && truncatedData(read);
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    this.#known.set(address, account);
    return account;
  }

  #read(address: string): AccountState | undefined {
    const account = this.#runtime.read(address);
    const isLeft = account?.lamports === LEFT.lamports && !account.executable && this.#wereProgram.has(address);
    return isLeft ? undefined : account;
  }

  /**
   * Sets an account. A missing account is one without lamports. But the library keeps every loaded program, and ends
   * the whole process when a called program has no account. So an account that was a program becomes a wallet of one
   * lamport.
   */
  #set(address: string, account: AccountState | undefined): void {
    const replaced = this.#read(address);
    if (replaced?.executable === true) this.#wereProgram.add(address);
    for (const code of [replaced, account]) if (code !== undefined && isCode(code)) this.#codeBytes += code.data.length;
    const none = this.#wereProgram.has(address) ? LEFT : NONE;
    // An account without lamports does not exist, even when it is a program in a file.
    this.#runtime.set(address, account === undefined || account.lamports === 0n ? none : account);
  }
}

const NONE: AccountState = {
  lamports: 0n,
  owner: "11111111111111111111111111111111",
  executable: false,
  data: new Uint8Array(),
};

function isProgram(account: AccountState | undefined): boolean {
  return account !== undefined && (account.executable || isCode(account));
}

function isEqual(a: AccountState | undefined, b: AccountState | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  const isSame = a.lamports === b.lamports && a.owner === b.owner && a.executable === b.executable;
  return isSame && Buffer.compare(a.data, b.data) === 0;
}

const LEFT: AccountState = { ...NONE, lamports: 1n };

function entry(address: string, account: AccountState | undefined): (readonly [string, AccountState])[] {
  return account === undefined ? [] : [[address, account]];
}

function writableOf(message: Message, accounts: Simulation["accounts"]): readonly string[] {
  return [...new Set(accounts.filter((_, place) => isWritable(message, place)))].filter((each) => each !== undefined);
}

/** Orders programs last: a program that is set before the account with its code counts as not deployed. */
function dataFirst<T extends AccountState | undefined>(
  accounts: Iterable<readonly [string, T]>,
): (readonly [string, T])[] {
  return [...accounts].sort(([, a], [, b]) => Number(a?.executable ?? false) - Number(b?.executable ?? false));
}
