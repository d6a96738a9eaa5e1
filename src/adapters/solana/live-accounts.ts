import type { AccountState } from "../../chains/solana/account-state.ts";
import type { Clock } from "../../kernel/clock.ts";
import { UnavailableError } from "../../worker/service-errors.ts";
import { CodeStore } from "./code-store.ts";
import { HEADER_BYTES, isCode, versionOf } from "./program-code.ts";
import { type AccountsAtSlot, MAX_KEYS, type SolanaNode } from "./solana-node.ts";

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

  /** Code that is kept is only asked for its header, and read again when that is another one. */
  async #read(addresses: readonly string[], minSlot: number, signal: AbortSignal): Promise<AccountsAtSlot> {
    const kept = new Map(addresses.flatMap((address) => entry(address, this.#code.get(address))));
    const others = addresses.filter((address) => !kept.has(address));
    const [states, headers] = await Promise.all([
      this.#readAtOnce(others, minSlot, signal),
      Promise.all(chunks([...kept.keys()]).map((some) => this.#node.accounts(some, minSlot, signal, HEADER_BYTES))),
    ]);
    const changed: string[] = [];
    for (const { accounts, sizes } of headers) {
      for (const [address, account] of accounts) {
        const version = account === undefined ? undefined : versionOf(account, sizes.get(address) ?? 0);
        if (version !== kept.get(address)?.version) changed.push(address);
      }
    }
    const renewed = await this.#readAtOnce(changed, minSlot, signal);
    const slot = states?.slot ?? renewed?.slot ?? headers[0]?.slot ?? minSlot;
    const accounts = new Map<string, AccountState | undefined>(
      [...kept].map(([address, { state }]) => [address, state]),
    );
    for (const [address, account] of [...(states?.accounts ?? []), ...(renewed?.accounts ?? [])]) {
      const isProgram = account !== undefined && isCode(account);
      if (!isProgram) this.#code.forget(address);
      accounts.set(address, isProgram ? this.#code.keep(address, account) : account);
    }
    return { slot, accounts };
  }

  /** As of one slot, however many requests it takes. */
  async #readAtOnce(
    addresses: readonly string[],
    minSlot: number,
    signal: AbortSignal,
  ): Promise<AccountsAtSlot | undefined> {
    if (addresses.length === 0) return undefined;
    let from = minSlot;
    for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
      const parts = await Promise.all(chunks(addresses).map((some) => this.#node.accounts(some, from, signal)));
      const slots = parts.map(({ slot }) => slot);
      from = Math.max(...slots);
      if (slots.every((slot) => slot === from)) {
        return { slot: from, accounts: new Map(parts.flatMap(({ accounts }) => [...accounts])) };
      }
    }
    throw new UnavailableError("the slot changed each time that accounts were read");
  }
}

function chunks(addresses: readonly string[]): string[][] {
  const count = Math.ceil(addresses.length / MAX_KEYS);
  return Array.from({ length: count }, (_, i) => addresses.slice(i * MAX_KEYS, (i + 1) * MAX_KEYS));
}

function entry<T>(address: string, value: T | undefined): (readonly [string, T])[] {
  return value === undefined ? [] : [[address, value]];
}
