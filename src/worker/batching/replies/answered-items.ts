import type { ChainAddress } from "../../../api/schemas/address-poisoning.ts";
import { parseAddressOn } from "../../../chains/address.ts";
import { statedAddress, statedChain } from "../../answers/chain-prefixes.ts";
import { AnswerInvalidError } from "../../answers/service-errors.ts";
import { ItemMap } from "./item-map.ts";

/** An item of an answer says which chain and address it is about. */
type Echo = Readonly<Record<keyof ChainAddress, string>>;

/**
 * The items of one array of an answer, by what was asked: found by chain and canonical address, their order means nothing.
 * Nearly every one stands where it was asked, and spelled so: then nothing is parsed or looked up.
 */
export class AnsweredItems<I extends Echo> {
  readonly #asked: readonly ChainAddress[];
  /** Each at the place of what was asked. */
  readonly #found: (I | undefined)[];
  /** Places whose item came more than once. */
  readonly #repeated = new Set<number>();
  #places: ItemMap<number> | undefined;
  readonly #strangers = new ItemMap<true>();
  #unknown = 0;

  /** @param asked distinct, on canonical chains and with canonical addresses. */
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

  /** How many items nobody asked about; each that is on no chain that is known, or about no address of it, is one. */
  get extra(): number {
    return this.#strangers.size + this.#unknown;
  }

  /** What was asked at a place. */
  asked(place: number): ChainAddress | undefined {
    return this.#asked[place];
  }

  /** The one item that answers what was asked at a place. @throws {AnswerInvalidError} */
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

/** Whether an item is spelled as what was asked. */
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
