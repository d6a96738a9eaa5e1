import type { ChainAddress } from "../../../api/schemas/address-poisoning.ts";
import { parseAddressOn } from "../../../chains/address.ts";
import { statedAddress, statedChain } from "../../answers/chain-prefixes.ts";
import { AnswerInvalidError } from "../../answers/service-errors.ts";
import { ItemMap } from "./item-map.ts";

/** The chain and the address that an item of an answer states. */
type Echo = Readonly<Record<keyof ChainAddress, string>>;

/**
 * The items of one array of an answer, matched to the request by chain and canonical address. The order of the answer
 * means nothing. Nearly every item has the index and the spelling of the request, and then nothing is parsed or looked
 * up.
 */
export class AnsweredItems<I extends Echo> {
  readonly #asked: readonly ChainAddress[];
  /** Items at the index of their request item. */
  readonly #found: (I | undefined)[];
  /** Indexes with more than one item in the answer. */
  readonly #repeated = new Set<number>();
  #places: ItemMap<number> | undefined;
  readonly #strangers = new ItemMap<true>();
  #unknown = 0;

  /** @param asked Distinct items, with canonical chains and addresses. */
  constructor(asked: readonly ChainAddress[], items: readonly I[]) {
    this.#asked = asked;
    this.#found = asked.map(() => undefined);
    items.forEach((item, i) => {
      const at = isOf(item, asked[i]) ? i : this.#placeOf(item);
      if (at === undefined) return;
      if (this.#found[at] === undefined) this.#found[at] = item;
      else this.#repeated.add(at);
    });
  }

  /** Items that were not in the request. An item on an unknown chain or with an invalid address counts as one. */
  get extra(): number {
    return this.#strangers.size + this.#unknown;
  }

  /** The request item at an index. */
  asked(place: number): ChainAddress | undefined {
    return this.#asked[place];
  }

  /**
   * The one item that answers the request item at an index.
   *
   * @throws {AnswerInvalidError}
   */
  at(place: number): I {
    const item = this.#found[place];
    if (item === undefined) throw new AnswerInvalidError("the answer lacks the item that was asked");
    if (this.#repeated.size > 0 && this.#repeated.has(place))
      throw new AnswerInvalidError("the answer holds the item that was asked more than once");
    return item;
  }

  #placeOf(item: I): number | undefined {
    const chain = statedChain(item.chain_id);
    const parsed = chain === undefined ? undefined : parseAddressOn(chain, statedAddress(item.address, chain));
    if (chain === undefined || parsed?.ok !== true) {
      this.#unknown++;
      return undefined;
    }
    this.#places ??= placesOf(this.#asked);
    const at = this.#places.get(chain.id, parsed.value);
    if (at === undefined) this.#strangers.set(chain.id, parsed.value, true);
    return at;
  }
}

/** Whether an item has exactly the spelling of the request item. */
export function isOf(item: Echo, asked: ChainAddress | undefined): asked is ChainAddress {
  return asked !== undefined && item.address === asked.address && item.chain_id === asked.chain_id;
}

function placesOf(asked: readonly ChainAddress[]): ItemMap<number> {
  const places = new ItemMap<number>();
  asked.forEach(({ chain_id, address }, at) => {
    places.set(chain_id, address, at);
  });
  return places;
}
