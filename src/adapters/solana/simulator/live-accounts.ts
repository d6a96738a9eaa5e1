import type { AccountState } from "../../../chains/solana/accounts/account-state.ts";
import type { Clock } from "../../../kernel/clock.ts";
import { UnavailableError } from "../../../worker/answers/service-errors.ts";
import { type AccountsAtSlot, MAX_KEYS, type SolanaNode } from "../node/solana-node.ts";
import { type Code, CodeStore } from "./code-store.ts";
import { HEADER_BYTES, isCode, versionOf } from "./program-code.ts";

/** The addresses of the needed accounts, as far as the accounts that were already read determine them. */
export type Wants = (get: (address: string) => AccountState | undefined) => readonly string[];

export interface LiveAccountsOptions {
  readonly node: Pick<SolanaNode, "accounts">;
  readonly clock: Pick<Clock, "ticks">;
}

/** How long the accounts of a slot count as current, milliseconds: the length of a slot. */
const SLOT_MS = 400;
/** Most accounts of one slot that are kept. */
const MAX_KNOWN = 10_000;
/**
 * Most rounds of one load. Tables name accounts, programs name their code, token accounts name their mint, and a slot
 * may end at each of these steps.
 */
const MAX_ROUNDS = 10;
/** Most tries of a large read until all its parts are of one slot. */
const MAX_TRIES = 4;

type Answer = Awaited<ReturnType<SolanaNode["accounts"]>> & { readonly isHeaders: boolean };

interface Known {
  readonly slot: number;
  readonly readAt: number;
  readonly accounts: Map<string, AccountState | undefined>;
}

/**
 * Accounts from nodes, all at one slot, in requests of the largest allowed size. Accounts are kept until their slot is
 * over. The code of a program is kept until its header changes.
 */
export class LiveAccounts {
  readonly #node: Pick<SolanaNode, "accounts">;
  readonly #clock: Pick<Clock, "ticks">;
  readonly #code = new CodeStore();
  #latest: Known | undefined;

  constructor({ node, clock }: LiveAccountsOptions) {
    this.#node = node;
    this.#clock = clock;
  }

  /**
   * All accounts of `wants`, at one slot that is not older than `minSlot`.
   *
   * @throws {UnavailableError}
   */
  async load(wants: Wants, signal: AbortSignal, minSlot = 0): Promise<AccountsAtSlot> {
    let known = this.#current(minSlot);
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const { accounts, slot } = known;
      const wanted = [...new Set(wants((address) => accounts.get(address)))];
      const missing = wanted.filter((address) => !accounts.has(address));
      if (missing.length === 0) {
        return { slot, accounts: new Map(wanted.map((address) => [address, accounts.get(address)])) };
      }
      const read = await this.#read(missing, Math.max(slot, minSlot), signal);
      if (accounts.size === 0 || read.slot === slot) {
        known = this.#keep(read, accounts.size === 0 ? undefined : known);
      } else {
        // The chain advanced in the meantime. All accounts are read again in one step, so that they are of one slot.
        known = this.#keep(await this.#read(wanted, read.slot, signal), undefined);
      }
    }
    throw new UnavailableError("the slot changed each time that accounts were read");
  }

  #current(minSlot: number): Known {
    const latest = this.#latest;
    const isFresh = latest !== undefined && this.#clock.ticks() - latest.readAt < SLOT_MS && latest.slot >= minSlot;
    return isFresh && latest.accounts.size < MAX_KNOWN
      ? latest
      : { slot: 0, readAt: this.#clock.ticks(), accounts: new Map() };
  }

  #keep({ slot, accounts }: AccountsAtSlot, into: Known | undefined): Known {
    const known = into ?? { slot, readAt: this.#clock.ticks(), accounts: new Map() };
    for (const [address, account] of accounts) known.accounts.set(address, account);
    if (this.#latest === undefined || this.#latest.slot <= slot) this.#latest = known;
    return known;
  }

  /**
   * Reads accounts at one slot, in any number of requests. For kept code only the header is read, and the whole code
   * when the header has changed. When the answers differ in their slot, everything is read again.
   */
  async #read(addresses: readonly string[], minSlot: number, signal: AbortSignal): Promise<AccountsAtSlot> {
    const kept = new Map(addresses.flatMap((address) => entry(address, this.#code.get(address))));
    let slot = minSlot;
    let accounts = new Map<string, AccountState | undefined>();
    for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
      const missing = addresses.filter((address) => !accounts.has(address));
      const answers = await this.#ask(missing, kept, slot, signal);
      const latest = Math.max(slot, ...answers.map((answer) => answer.slot));
      // When nothing was read yet, the first answers define the slot.
      if (answers.some((answer) => answer.slot !== latest) || (accounts.size > 0 && latest !== slot)) {
        accounts = new Map();
        slot = latest;
        continue;
      }
      slot = latest;
      for (const answer of answers) this.#take(answer, kept, accounts);
      if (accounts.size === addresses.length) return { slot, accounts };
    }
    throw new UnavailableError("the slot changed each time that accounts were read");
  }

  /** Reads the headers of `kept` code, and all other accounts in full, in requests of the largest allowed size. */
  async #ask(
    addresses: readonly string[],
    kept: ReadonlyMap<string, Code>,
    minSlot: number,
    signal: AbortSignal,
  ): Promise<readonly Answer[]> {
    const parts = [
      ...chunks(addresses.filter((address) => !kept.has(address))).map((some) => [some, undefined] as const),
      ...chunks(addresses.filter((address) => kept.has(address))).map((some) => [some, HEADER_BYTES] as const),
    ];
    return Promise.all(
      parts.map(async ([some, firstBytes]) => ({
        ...(await this.#node.accounts(some, minSlot, signal, firstBytes)),
        isHeaders: firstBytes !== undefined,
      })),
    );
  }

  /** Adds an answer to `accounts`. Code with a changed header is dropped from `kept`, and is not added. */
  #take(
    { accounts: read, sizes, isHeaders }: Answer,
    kept: Map<string, Code>,
    accounts: Map<string, AccountState | undefined>,
  ) {
    for (const [address, account] of read) {
      if (!isHeaders) {
        const isCodeNow = account !== undefined && isCode(account);
        if (!isCodeNow) this.#code.forget(address);
        accounts.set(address, isCodeNow ? this.#code.keep(address, account) : account);
        continue;
      }
      const version = account === undefined ? undefined : versionOf(account, sizes.get(address) ?? 0);
      const code = kept.get(address);
      if (code !== undefined && version === code.version) accounts.set(address, code.state);
      else kept.delete(address);
    }
  }
}

function chunks(addresses: readonly string[]): string[][] {
  const count = Math.ceil(addresses.length / MAX_KEYS);
  return Array.from({ length: count }, (_, i) => addresses.slice(i * MAX_KEYS, (i + 1) * MAX_KEYS));
}

function entry<T>(address: string, value: T | undefined): (readonly [string, T])[] {
  return value === undefined ? [] : [[address, value]];
}
