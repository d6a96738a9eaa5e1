import type { CanonicalAddress } from "../../address.ts";
import type { AbiValue } from "./abi-reader.ts";

/**
 * The values of a decoded call, by their position. The signature guarantees the type at each position. Another type is
 * a bug, and the accessor throws.
 */
export interface Arguments {
  readonly address: (index: number) => CanonicalAddress;
  readonly integer: (index: number) => bigint;
  readonly flag: (index: number) => boolean;
  readonly hex: (index: number) => string;
  readonly tuple: (index: number) => Arguments;
  readonly addresses: (index: number) => readonly CanonicalAddress[];
  readonly integers: (index: number) => readonly bigint[];
  readonly hexes: (index: number) => readonly string[];
  readonly tuples: (index: number) => readonly Arguments[];
}

export function argumentsOf(values: readonly AbiValue[]): Arguments {
  const items = (index: number) => itemsOf(values[index]);
  return {
    address: (index) => addressIn(values[index], index),
    integer: (index) => integerOf(values[index]),
    flag: (index) => {
      const value = values[index];
      return typeof value === "boolean" ? value : wrong("flag", index);
    },
    hex: (index) => hexOf(values[index]),
    tuple: (index) => argumentsOf(items(index)),
    addresses: (index) => items(index).map((item) => addressIn(item, index)),
    integers: (index) => items(index).map(integerOf),
    hexes: (index) => items(index).map(hexOf),
    tuples: (index) => items(index).map((item) => argumentsOf(itemsOf(item))),
  };
}

function addressIn(value: AbiValue | undefined, index: number): CanonicalAddress {
  return typeof value === "string" ? value : wrong("address", index);
}

function integerOf(value: AbiValue | undefined): bigint {
  return typeof value === "bigint" ? value : wrong("integer");
}

function hexOf(value: AbiValue | undefined): string {
  return typeof value === "object" && "hex" in value ? value.hex : wrong("bytes");
}

function itemsOf(value: AbiValue | undefined): readonly AbiValue[] {
  return typeof value === "object" && "items" in value ? value.items : wrong("items");
}

function wrong(what: string, index?: number): never {
  throw new Error(`no ${what} stands there in the signature${index === undefined ? "" : `, at ${index}`}`);
}
