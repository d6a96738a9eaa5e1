import type { AccountState } from "../../../chains/solana/accounts/account-state.ts";
import type { Clock } from "../../../kernel/clock.ts";
import { UnavailableError } from "../../../worker/answers/service-errors.ts";
import { type AccountsAtSlot, MAX_KEYS, type SolanaNode } from "../node/solana-node.ts";
import { type Code, CodeStore } from "./code-store.ts";
import { HEADER_BYTES, isCode, versionOf } from "./program-code.ts";

/** Which accounts are needed, as far as those that were read already can tell. */
export type Wants = (get: (address: string) => AccountState | undefined) => readonly string[];

export interface LiveAccountsOptions {
  readonly node: Pick<SolanaNode, "accounts">;
  readonly clock: Pick<Clock, "ticks">;
}

/** How long what was read of a slot is taken for what there is, milliseconds: the length of a slot. */
const SLOT_MS = 400;
/** Most accounts of one slot that are kept. */
const MAX_KNOWN = 10_000;
/** Tables name accounts, programs their code, token accounts their mint; and a slot may end at any of these steps. */
const MAX_ROUNDS = 10;
/** How often the parts of a large read are asked for again until they are of one slot. */
const MAX_TRIES = 4;

type Answer = Awaited<ReturnType<SolanaNode["accounts"]>> & { readonly isHeaders: boolean };

interface Known {
  readonly slot: number;
  readonly readAt: number;
  readonly accounts: Map<string, AccountState | undefined>;
}

/**
 * Accounts as nodes have them, all of one slot, as many at once as nodes allow. They are kept until their slot is over;
 * the code of programs until its header says that there is another one.
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
   * All that `wants` asks for, as of one slot that is not older than `minSlot`.
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
        // The chain went on meanwhile. What was found so far is asked for at once, so that it is of one slot again.
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
   * As of one slot, however many requests it takes. Code that is kept is only asked for its header, and read in full when that
   * is another one. Whatever is of an older slot than the rest is asked for again, and all with it.
   */
  async #read(addresses: readonly string[], minSlot: number, signal: AbortSignal): Promise<AccountsAtSlot> {
    const kept = new Map(addresses.flatMap((address) => entry(address, this.#code.get(address))));
    let slot = minSlot;
    let accounts = new Map<string, AccountState | undefined>();
    for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
      const missing = addresses.filter((address) => !accounts.has(address));
      const answers = await this.#ask(missing, kept, slot, signal);
      const latest = Math.max(slot, ...answers.map((answer) => answer.slot));
      // With a slot that nothing was read of yet, whatever is read is the first of it.
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

  /** Of code that is `kept` the headers, of everything else all; as many at once as nodes allow. */
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

  /** Puts what was answered into `accounts`. Code of which the header is another one is not kept any more, nor taken. */
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
