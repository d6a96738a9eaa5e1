import { expect, test } from "vitest";
import { canonicalAddress } from "../../../../src/chains/address.ts";
import type { Family } from "../../../../src/chains/chain.ts";
import { keyText } from "../../../../src/chains/solana/key.ts";
import { seededRandom } from "../../../../src/kernel/retry.ts";
import { LeadingBytes } from "../../../../src/labels/index/leading-bytes.ts";

const random = seededRandom(29);
const randomBytes = (length: number) => Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)));

const textOf: Readonly<Record<"evm" | "tron" | "solana", (bytes: Buffer) => string>> = {
  evm: (bytes) => `0x${bytes.toString("hex")}`,
  tron: (bytes) => `41${bytes.toString("hex")}`,
  solana: (bytes) => keyText(bytes),
};

function addressOf(family: keyof typeof textOf, bytes: Buffer) {
  const address = canonicalAddress(family, textOf[family](bytes));
  if (address === undefined) throw new Error("not an address");
  return address;
}

/** Random addresses, and addresses with leading bytes at the ends of their range. */
function cases(length: number): readonly Buffer[] {
  const edges = ["000000", "000001", "ffffff", "7fffff", "800000"].flatMap((leading) => [
    Buffer.concat([Buffer.from(leading, "hex"), Buffer.alloc(length - 3, 254)]),
    Buffer.concat([Buffer.from(leading, "hex"), Buffer.alloc(5), Buffer.alloc(length - 8, 1)]),
  ]);
  return [...edges, ...Array.from({ length: 2_000 }, () => randomBytes(length))];
}

test.each([
  ["evm", 20],
  ["tron", 20],
  ["solana", 32],
] as const)("an address of the set is found at every byte: %s", (family, length) => {
  for (const bytes of cases(length)) {
    const address = addressOf(family, bytes);
    const set = new LeadingBytes();
    set.add(family, address);
    const before = randomBytes(Math.floor(random() * 40));
    const data = Buffer.concat([before, bytes, randomBytes(Math.floor(random() * 3))]);
    expect(set.candidatesIn(family, data), bytes.toString("hex")).toContain(address);
  }
});

test("few positions begin like an address of the set", () => {
  const set = new LeadingBytes();
  for (let i = 0; i < 1_000; i++) set.add("evm", addressOf("evm", randomBytes(20)));

  expect(set.candidatesIn("evm", randomBytes(100_000)).length).toBeLessThan(60);
});

test("an address of nine zero bytes is ignored, because padding looks like it, and one of eight is not", () => {
  const found = (zeros: number) => {
    const bytes = Buffer.concat([Buffer.alloc(zeros), Buffer.alloc(20 - zeros, 7)]);
    const set = new LeadingBytes();
    set.add("evm", addressOf("evm", bytes));
    return set.candidatesIn("evm", bytes).length;
  };

  expect([found(8), found(9)]).toEqual([1, 0]);
});

test("an address of ff alone is ignored, because an unlimited amount looks like it", () => {
  const found = (byte: number) => {
    const set = new LeadingBytes();
    set.add("evm", addressOf("evm", Buffer.alloc(20, byte)));
    return set.candidatesIn("evm", Buffer.alloc(20, byte)).length;
  };

  expect([found(0xff), found(0xfe)]).toEqual([0, 1]);
});

test.each([
  ["an empty set", new LeadingBytes(), "evm"],
  ["Bitcoin, which has no calldata", bitcoinSet(), "bitcoin"],
] as const)("nothing is found by %s", (_name, set, family: Family) => {
  expect(set.candidatesIn(family, Buffer.alloc(100, 7))).toEqual([]);
});

test.each([0, 1, 2, 19])("%i bytes hold no address", (length) => {
  const set = new LeadingBytes();
  set.add("evm", addressOf("evm", Buffer.alloc(20, 7)));

  expect(set.candidatesIn("evm", Buffer.alloc(length, 7))).toEqual([]);
});

function bitcoinSet(): LeadingBytes {
  const address = canonicalAddress("bitcoin", "12QtD5BFwRsdNsAZY76UVE1xyCGNTojH9h");
  const set = new LeadingBytes();
  if (address !== undefined) set.add("bitcoin", address);
  return set;
}
