import { selectors } from "../contract.ts";
import type { Machine } from "../machine/machine.ts";
import { callData } from "./call-data.ts";

type Alive = () => boolean;

/** The participants: addresses without an owner. */
export const people = { owner: 0x0a11ceen, stranger: 0x57a96e7n, holder: 0x401de7n } as const;

/** The initial balances in smallest units. Only the owner and the holder have tokens. */
const FUNDS = 10n ** 24n;
const SUPPLY = 10n ** 27n;

/** The token, with the storage that was prepared for it. */
export interface Stage {
  readonly machine: Machine;
  /** Whether the address of the owner could be written to storage. */
  readonly hasOwner: boolean;
  balance(who: bigint): Promise<bigint | undefined>;
  /** Restores the holder's initial balance. */
  refill(): Promise<void>;
  /** Restores the owner's address in storage. */
  enthrone(): Promise<void>;
}

const asking = (selector: string, who?: bigint) =>
  callData(selector, who === undefined ? "" : "address", { addresses: [who ?? 0n], number: 0n, flag: false });

/** The answer of a view function, without side effects. */
async function answer(machine: Machine, selector: string, who?: bigint, traced = false) {
  const data = asking(selector, who) ?? new Uint8Array();
  return machine.apart(() => machine.call({ from: people.stranger, data, traced }));
}

/**
 * The most words that are tried. A view reads few words before the one it answers with, and a hostile view may read
 * many.
 */
const MAX_WORDS = 8;

/** Writes to the words that a view reads until it answers `wanted`. Undefined when no single word decides. */
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

/**
 * The word of a field, and the position in it, from the name in an analysis: `0x5`, or `0x5+1` for one byte from the
 * low end.
 */
function placeOf(name: string | undefined): { readonly key: bigint; readonly shift: bigint } | undefined {
  const [, key, bytes] = /^(0x[0-9a-f]+)(?:\+(\d+))?$/.exec(name ?? "") ?? [];
  return key === undefined ? undefined : { key: BigInt(key), shift: BigInt(bytes ?? 0) * 8n };
}

/**
 * Gives tokens to owner and holder, and writes the owner's address. Undefined when balances do not lie in words of
 * their own. Reflection tokens divide balances by a value that a constructor sets.
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
