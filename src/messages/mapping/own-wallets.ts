import { canonicalAddress, parseAddress } from "../../chains/address.ts";
import { families } from "../../chains/chain.ts";
import { fail, ok, type Result } from "../../kernel/result.ts";
import type { TransferEnds } from "./compile-mapping.ts";

/** The addresses that the wallet paid before a row. */
export interface PaidBefore {
  /** @param line of the row in its file. */
  before(line: number): readonly string[];
}

/** Which end of a payment is the counterparty. */
export type PaymentCounterparty = { readonly address: string; readonly own: string; readonly isOutgoing: boolean };

/** The addresses of one owner, in their canonical forms. */
export class OwnWallets {
  readonly addresses: readonly string[];
  readonly #canonical: ReadonlySet<string>;
  readonly #isMixed: boolean;

  /** @param addresses valid addresses. */
  constructor(addresses: readonly string[]) {
    this.addresses = addresses.map((address) => canonicalOf(address) ?? address);
    this.#canonical = new Set(this.addresses);
    this.#isMixed =
      new Set(this.addresses.map((each) => families.find((family) => parseAddress(family, each).ok))).size > 1;
  }

  /** Those of some addresses that are of the family of `address`. Wallets of several families share no address. */
  fitting(address: string, known: readonly string[]): readonly string[] {
    if (!this.#isMixed) return known;
    const family = families.find((each) => parseAddress(each, address).ok);
    return family === undefined ? known : known.filter((each) => parseAddress(family, each).ok);
  }

  isOwn(address: string): boolean {
    if (this.#canonical.has(address)) return true;
    const canonical = canonicalOf(address);
    return canonical !== undefined && this.#canonical.has(canonical);
  }

  /** The end that is not the owner's. A payment between two own addresses is outgoing. */
  counterparty({ from, to }: TransferEnds): Result<PaymentCounterparty> {
    const isFrom = from !== undefined && this.isOwn(from);
    const isTo = to !== undefined && this.isOwn(to);
    if (isFrom && to !== undefined) return ok({ address: to, own: from, isOutgoing: true });
    if (isFrom) return fail("the row has no receiver: the payment made a contract, or the export left it out");
    if (isTo && from !== undefined) return ok({ address: from, own: to, isOutgoing: false });
    if (isTo) return fail("the row has no sender");
    return fail("neither end of the payment is the wallet of --wallet");
  }
}

/** The counterparty of a file that states the direction of each payment. */
export function statedCounterparty({ from, to, direction }: TransferEnds): Result<PaymentCounterparty> {
  if (direction !== "out" && direction !== "in")
    return fail(`direction: must be out or in, not ${direction ?? "missing"}`);
  const isOutgoing = direction === "out";
  const [address, own] = isOutgoing ? [to, from] : [from, to];
  if (address === undefined) return fail(`the record names no ${isOutgoing ? "receiver" : "sender"}`);
  return ok({ address, own: own ?? "", isOutgoing });
}

/** The canonical form of an address of any family. Undefined for any other text. */
export function canonicalOf(text: string): string | undefined {
  const evm = canonicalAddress("evm", text) ?? canonicalAddress("evm", text.toLowerCase());
  if (evm !== undefined || text.startsWith("0x")) return evm;
  for (const family of families) {
    const parsed = parseAddress(family, text);
    if (parsed.ok) return parsed.value;
  }
  return undefined;
}
