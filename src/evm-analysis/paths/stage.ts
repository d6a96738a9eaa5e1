import { selectors } from "../contract.ts";
import type { Machine } from "../machine/machine.ts";
import { callData } from "./call-data.ts";

type Alive = () => boolean;

/** Who takes part: addresses that no one has. */
export const people = { owner: 0x0a11ceen, stranger: 0x57a96e7n, holder: 0x401de7n } as const;

/** What each has at first, smallest units: nobody but owner and holder has tokens. */
const FUNDS = 10n ** 24n;
const SUPPLY = 10n ** 27n;

/** The token, with what was put into its storage. */
export interface Stage {
  readonly machine: Machine;
  /** Whether the address that opens functions could be set. */
  readonly hasOwner: boolean;
  balance(who: bigint): Promise<bigint | undefined>;
  /** Gives the holder again what it had at first. */
  refill(): Promise<void>;
  /** Puts the owner back into its place. */
  enthrone(): Promise<void>;
}

const asking = (selector: string, who?: bigint) =>
  callData(selector, who === undefined ? "" : "address", { addresses: [who ?? 0n], number: 0n, flag: false });

/** What a view function without side effects answers. */
async function answer(machine: Machine, selector: string, who?: bigint, traced = false) {
  const data = asking(selector, who) ?? new Uint8Array();
  return machine.apart(() => machine.call({ from: people.stranger, data, traced }));
}

/** Words that are tried: a view reads few before the one it answers with, and a hostile one may read many. */
const MAX_WORDS = 8;

/** Writes to the word that a view reads until it answers `wanted`; undefined when no single word decides. */
async function put(
  machine: Machine,
  alive: Alive,
  selector: string,
  wanted: bigint,
  who?: bigint,
): Promise<bigint | undefined> {
  const { reads } = await answer(machine, selector, who, true);
  for (const key of reads.slice(-MAX_WORDS).reverse()) {
    if (!alive()) return undefined;
    const fits = await machine.apart(async () => {
      await machine.write(key, wanted);
      return (await answer(machine, selector, who)).word === wanted;
    });
    if (!fits) continue;
    await machine.write(key, wanted);
    return key;
  }
  return undefined;
}

/** The word and place in it of a field as an analysis names it: `0x5`, or `0x5+1` for one byte from the low end. */
function placeOf(name: string | undefined): { readonly key: bigint; readonly shift: bigint } | undefined {
  const [, key, bytes] = /^(0x[0-9a-f]+)(?:\+(\d+))?$/.exec(name ?? "") ?? [];
  return key === undefined ? undefined : { key: BigInt(key), shift: BigInt(bytes ?? 0) * 8n };
}

/**
 * Gives owner and holder tokens and the owner its place. Undefined when balances do not lie in words of their own, as
 * those of reflection tokens, which divide them by what a constructor sets.
 */
export async function setStage(
  machine: Machine,
  ownerSlot: string | undefined,
  alive: Alive,
): Promise<Stage | undefined> {
  if ((await put(machine, alive, selectors.balanceOf, FUNDS, people.owner)) === undefined) return undefined;
  const held = await put(machine, alive, selectors.balanceOf, FUNDS, people.holder);
  if (held === undefined) return undefined;
  await put(machine, alive, selectors.totalSupply, SUPPLY);
  const place = placeOf(ownerSlot);
  const enthrone = async () => {
    if (place) await machine.write(place.key, people.owner << place.shift);
  };
  await enthrone();
  return {
    machine,
    enthrone,
    refill: () => machine.write(held, FUNDS),
    hasOwner: place !== undefined,
    balance: async (who) => (await answer(machine, selectors.balanceOf, who)).word,
  };
}
