import { type CanonicalAddress, canonicalAddress } from "../../chains/address.ts";
import { formatOf } from "../../chains/address-format.ts";
import { type Family, families } from "../../chains/chain.ts";
import { lookalike } from "../../chains/lookalike.ts";
import type { TransferEnds } from "./compile-mapping.ts";
import { canonicalOf, type OwnWallets, type PaidBefore } from "./own-wallets.ts";

/** The most addresses that an event may hold. */
export const MAX_PAID = 10_000;

/** The time of a row, and its position among rows of one time. */
interface RowOrder {
  readonly timeMs: number;
  readonly line: number;
}

/** A payee with its first payment. */
interface FirstPayment extends RowOrder {
  readonly address: string;
}

/**
 * The addresses that a wallet paid, by time. The rows may come in any order, such as the newest first. An address that
 * looks like an address that was paid before is left out: any account can forge a token transfer from the wallet to a
 * lookalike, and such a row must not make the lookalike an address that the wallet knows.
 */
export class PaidAddresses implements PaidBefore {
  readonly #wallets: OwnWallets;
  readonly #rows = new Map<number, number>();
  readonly #payments: FirstPayment[] = [];
  #ascending = 0;
  #descending = 0;
  #lastTime: number | undefined;
  #kept: readonly FirstPayment[] = [];
  #forged = 0;
  #lists = new Map<number, readonly string[]>();

  constructor(wallets: OwnWallets) {
    this.#wallets = wallets;
  }

  /** Adds a row. Rows without a time count as neither before nor after any other. */
  add(line: number, { from, to, timeMs, isPaid }: TransferEnds): void {
    if (timeMs === undefined) return;
    this.#rows.set(line, timeMs);
    if (this.#lastTime !== undefined && timeMs > this.#lastTime) this.#ascending++;
    if (this.#lastTime !== undefined && timeMs < this.#lastTime) this.#descending++;
    this.#lastTime = timeMs;
    if (!isPaid || from === undefined || to === undefined || !this.#wallets.isOwn(from) || this.#wallets.isOwn(to))
      return;
    const address = canonicalOf(to);
    if (address !== undefined) this.#payments.push({ timeMs, line, address });
  }

  /** Orders the payments. Call it once, after all rows are added. */
  finish(): void {
    const byOrder = this.#payments.sort((a, b) => this.#compare(a, b));
    const known = new LookalikeIndex(this.#wallets.addresses);
    const first = new Map<string, FirstPayment>();
    for (const payment of byOrder) {
      if (first.has(payment.address) || known.resembles(payment.address)) continue;
      first.set(payment.address, payment);
      known.add(payment.address);
    }
    const paid = new Set(this.#payments.map(({ address }) => address));
    this.#forged = paid.size - first.size;
    this.#kept = [...first.values()];
  }

  /** Payees that look like an earlier payee. Payments to them do not make them known. */
  get resembling(): number {
    return this.#forged;
  }

  /** Whether some rows have more payees before them than an event may hold. */
  get isCapped(): boolean {
    return this.#kept.length > MAX_PAID;
  }

  get isNewestFirst(): boolean {
    return this.#descending > this.#ascending;
  }

  before(line: number): readonly string[] {
    const timeMs = this.#rows.get(line);
    if (timeMs === undefined) return [];
    const count = this.#countBefore({ timeMs, line });
    const list = this.#lists.get(count);
    if (list !== undefined) return list;
    const made = this.#kept.slice(Math.max(0, count - MAX_PAID), count).map(({ address }) => address);
    // Neighbouring rows have the same payees before them, and share one list.
    if (this.#lists.size >= SHARED_LISTS) this.#lists.clear();
    this.#lists.set(count, made);
    return made;
  }

  hasTime(line: number): boolean {
    return this.#rows.has(line);
  }

  #countBefore(row: RowOrder): number {
    let [low, high] = [0, this.#kept.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const payment = this.#kept[middle];
      if (payment !== undefined && this.#compare(payment, row) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Rows of one time are in the order of the file, whichever way it runs. */
  #compare(a: RowOrder, b: RowOrder): number {
    return a.timeMs - b.timeMs || (this.isNewestFirst ? b.line - a.line : a.line - b.line);
  }
}

/** Chosen: a handful of lists covers rows that are out of order. */
const SHARED_LISTS = 16;
/** Characters at either end that lookalikes share, beyond a constant prefix. */
const END_LENGTH = 3;

/** Finds whether an address looks like one of many. Lookalikes share three characters at one end at least. */
class LookalikeIndex {
  readonly #byEnd = new Map<string, CanonicalAddress[]>();

  constructor(addresses: readonly string[]) {
    for (const address of addresses) this.add(address);
  }

  add(text: string): void {
    const named = familyOf(text);
    if (named === undefined) return;
    for (const end of endsOf(...named)) {
      const bucket = this.#byEnd.get(end);
      if (bucket === undefined) this.#byEnd.set(end, [named[1]]);
      else bucket.push(named[1]);
    }
  }

  resembles(text: string): boolean {
    const named = familyOf(text);
    if (named === undefined) return false;
    const [family, address] = named;
    return endsOf(family, address).some((end) =>
      this.#byEnd.get(end)?.some((other) => lookalike(family, address, other) !== undefined),
    );
  }
}

function endsOf(family: Family, address: CanonicalAddress): readonly string[] {
  const { constantPrefix } = formatOf(family, address);
  return [`${family}<${address.slice(0, constantPrefix + END_LENGTH)}`, `${family}>${address.slice(-END_LENGTH)}`];
}

function familyOf(text: string): readonly [Family, CanonicalAddress] | undefined {
  for (const family of families) {
    const address = canonicalAddress(family, text);
    if (address !== undefined) return [family, address];
  }
  return undefined;
}
