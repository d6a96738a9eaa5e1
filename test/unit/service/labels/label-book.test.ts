import { describe, expect, test } from "vitest";
import type { CanonicalAddress } from "../../../../src/chains/address.ts";
import { findChain } from "../../../../src/chains/registry.ts";
import { sha256 } from "../../../../src/kernel/hash.ts";
import { seededRandom } from "../../../../src/kernel/retry.ts";
import { barBits } from "../../../../src/labels/index/imitable.ts";
import { keyOf } from "../../../../src/labels/index/key-buckets.ts";
import type { AddressKind } from "../../../../src/labels/label.ts";
import { readLabelList } from "../../../../src/labels/label-list.ts";
import { LabelBook } from "../../../../src/service/labels/label-book.ts";
import { bookOf, isAccused, labelOf, listOf } from "../../../support/book-of.ts";
import { imitation, randomAddress } from "../../../support/random-addresses.ts";

const { address: real, chain: ethereum } = labelOf("1", "0xd9a1b0b1e1ae382dbdc898ea68012ffcb2853a91", "exchange");
const { address: fake } = labelOf("1", "0xd9a1c3788d81257612e2581a6ea0ada244853a91", "malicious");

test("an empty book knows no address", () => {
  const book = LabelBook.of([]);

  expect(isAccused(book, real)).toBe(false);
  expect(book.isWellKnown(ethereum, real)).toBe(false);
  expect(book.wellKnownImitatedBy("evm", real)).toBeUndefined();
});

test.each(["exchange", "bridge", "protocol"] as const)(
  "a lookalike of a labelled %s is found on every chain of the family",
  (kind) => {
    const book = bookOf(labelOf("56", real, kind, "known"));

    expect(book.wellKnownImitatedBy("evm", fake)?.name).toBe("known");
    expect(book.wellKnownImitatedBy("evm", real)).toBeUndefined();
    expect(book.wellKnownImitatedBy("tron", fake)).toBeUndefined();
  },
);

test.each(["token", "sanctioned", "malicious"] as const)("no address imitates a labelled %s by family", (kind) => {
  expect(bookOf(labelOf("1", real, kind)).wellKnownImitatedBy("evm", fake)).toBeUndefined();
});

test("tokens are imitated on their own chain only", () => {
  const token = labelOf("1", real, "token", "USDX");
  const book = bookOf(token);
  const onBsc = labelOf("56", real, "token").chain;

  expect(book.tokenImitatedBy(token.chain, fake)?.name).toBe("USDX");
  expect(book.tokenImitatedBy(onBsc, fake)).toBeUndefined();
  expect(book.isToken(token.chain, real)).toBe(true);
  expect(book.isToken(onBsc, real)).toBe(false);
});

test.each([
  ["exchange", true, false],
  ["bridge", true, false],
  ["protocol", true, false],
  ["token", true, false],
  ["delegate", false, false],
  ["sanctioned", false, true],
  ["malicious", false, true],
] as const)("an address labelled %s is well known: %s, and accused: %s", (kind, isWellKnown, isBad) => {
  const book = bookOf(labelOf("1", real, kind));

  expect(book.isWellKnown(ethereum, real)).toBe(isWellKnown);
  expect(isAccused(book, real)).toBe(isBad);
  expect(book.isWellKnown(ethereum, fake)).toBe(false);
});

test.each(["exchange", "bridge", "protocol", "token"] as const)("the label %s excuses on its chain only", (kind) => {
  const label = labelOf("56", real, kind);
  const book = bookOf(label);

  expect([book.isWellKnown(label.chain, real), book.isWellKnown(ethereum, real)]).toEqual([true, false]);
  expect([book.hasKind(label.chain, real, kind), book.hasKind(ethereum, real, kind)]).toEqual([true, false]);
  expect([book.riskOf(label.chain, real), book.riskOf(ethereum, real)]).toEqual([0, undefined]);
  expect([book.labelsOf(label.chain, real), book.labelsOf(ethereum, real)]).toEqual([[label], []]);
  expect([book.labelsElsewhere(label.chain, real), book.labelsElsewhere(ethereum, real)]).toEqual([[], [label]]);
});

test.each([["exchange"], ["bridge"], ["protocol"]] as const)(
  "an address with the bundled label %s is no imitation on another chain, and is vouched for on its own chain only",
  (kind) => {
    const shipped = bookOf({ ...labelOf("56", real, kind), originalInFamily: true });

    expect(shipped.isOriginal(ethereum, real)).toBe(true);
    expect(shipped.isWellKnown(ethereum, real)).toBe(false);
    expect(bookOf(labelOf("56", real, kind)).isOriginal(ethereum, real)).toBe(false);
  },
);

test("an address with a label on another chain may be an imitation when a label doubts it", () => {
  const doubted = bookOf(
    { ...labelOf("56", real, "exchange"), originalInFamily: true },
    { ...labelOf("137", real, "protocol"), riskLevel: 2 },
  );

  expect(doubted.isOriginal(ethereum, real)).toBe(false);
});

test.each(["exchange", "bridge", "protocol"] as const)("the label %s for all chains excuses on each", (kind) => {
  const label = { ...labelOf("1", real, kind), everywhere: true as const };
  const book = bookOf(label);

  for (const id of ["1", "56", "137"]) {
    const { chain } = labelOf(id, real, kind);
    expect(book.isWellKnown(chain, real)).toBe(true);
    expect(book.hasKind(chain, real, kind)).toBe(true);
    expect(book.riskOf(chain, real)).toBe(0);
    expect(book.labelsOf(chain, real)).toEqual([label]);
  }
});

test.each(["malicious", "sanctioned"] as const)("the label %s accuses on every chain of the family", (kind) => {
  const label = labelOf("56", real, kind);
  const book = bookOf(label);

  expect(book.hasKind(ethereum, real, kind)).toBe(true);
  expect(book.riskOf(ethereum, real)).toBe(5);
  expect(book.labelsOf(ethereum, real)).toEqual([label]);
  expect(isAccused(book, real)).toBe(true);
});

test("a label's risk holds on every chain of the family, and a token's risk on its own chain only", () => {
  const risky = (kind: "protocol" | "token") => bookOf({ ...labelOf("56", real, kind), riskLevel: 4 });

  expect(risky("protocol").riskOf(ethereum, real)).toBe(4);
  expect(risky("protocol").isWellKnown(ethereum, real)).toBe(false);
  expect(risky("token").riskOf(ethereum, real)).toBeUndefined();
});

test("a row with a higher risk counts, whatever earlier rows of the chain or of all chains say", () => {
  const exchange = labelOf("1", real, "exchange");
  const risky = { ...labelOf("56", real, "exchange"), riskLevel: 5 as const };

  for (const before of [{ ...exchange, everywhere: true as const }, labelOf("56", real, "exchange")]) {
    expect(bookOf(before, risky).riskOf(risky.chain, real)).toBe(5);
    expect(bookOf(risky, before).riskOf(risky.chain, real)).toBe(5);
  }
});

test("labels of several kinds for one address all count", () => {
  const book = bookOf(labelOf("1", real, "token"), labelOf("1", real, "malicious"), labelOf("1", real, "exchange"));

  expect(isAccused(book, real)).toBe(true);
  const kinds = ["token", "malicious", "exchange"] as const;
  expect(kinds.filter((kind) => book.hasKind(ethereum, real, kind))).toEqual(kinds);
  expect(book.isWellKnown(ethereum, real)).toBe(false);
});

test("an address that an operator blocked is accused", () => {
  expect(isAccused(bookOf(labelOf("56", real, "blocked")), real)).toBe(true);
});

test("an address with a key that collides with that of a labelled address does not get its label", () => {
  const [a, b] = ["0x69ff20e3657af5891c62b1700418c2ef79e10e90", "0xdab6213f033ed0a9426b182cb152da2856a12d7f"] as const;
  expect(keyOf(a, a.length, 0)).toBe(keyOf(b, b.length, 0));

  const book = bookOf(labelOf("1", a, "malicious"));

  expect(isAccused(book, labelOf("1", a, "malicious").address)).toBe(true);
  expect(isAccused(book, labelOf("1", b, "malicious").address)).toBe(false);
});

test("among several imitated labels the one with the most bits wins, and among equals the first", () => {
  const random = seededRandom(1);
  const close = imitation("evm", fake, { prefix: 9, suffix: 9 }, random);
  const alsoClose = imitation("evm", fake, { prefix: 9, suffix: 9 }, random);
  const lists = [listOf([labelOf("1", real, "exchange", "far")]), listOf([labelOf("1", close, "bridge", "close")])];

  const book = LabelBook.of([...lists, listOf([labelOf("1", alsoClose, "exchange", "also close")])]);

  expect(book.wellKnownImitatedBy("evm", fake)?.name).toBe("close");
});

describe("the bar of a list", () => {
  /** `count` random labels, the first one at `address`. */
  function labels(count: number, kind: AddressKind = "exchange", address: CanonicalAddress = real) {
    const random = seededRandom(count);
    return Array.from({ length: count }, (_, i) =>
      labelOf("1", i === 0 ? address : randomAddress("evm", random), kind),
    );
  }
  /** An address that shares exactly this many hex digits with `real`, 4 bits each. */
  const sharing = (digits: number) => imitation("evm", real, { prefix: digits - 4, suffix: 4 }, seededRandom(digits));

  test("up to 128 addresses the shapes' own bar holds, and beyond that log2 of the count plus 21 bits", () => {
    expect(barBits(1)).toBe(0);
    expect(barBits(128)).toBe(0);
    expect(barBits(129)).toBeGreaterThan(28);
    expect(barBits(32_768)).toBe(36);
    expect(barBits(100_000)).toBeCloseTo(37.61, 2);
  });

  test.each([
    [128, 7],
    [129, 8],
    [32_768, 9],
    [32_769, 10],
    [100_000, 10],
  ])("the bar of %i addresses is reached by %i matched digits, and by no fewer", (count, digits) => {
    const book = LabelBook.of([listOf(labels(count))]);

    expect(book.wellKnownImitatedBy("evm", sharing(digits))?.address).toBe(real);
    expect(book.wellKnownImitatedBy("evm", sharing(digits - 1))).toBeUndefined();
  });

  test("the size of a list alone sets its bar, so another list, kind or family does not raise it", () => {
    const [small, large] = [labels(128), labels(100_000, "exchange", randomAddress("evm", seededRandom(2)))];
    const random = seededRandom(4);
    const onTron = Array.from({ length: 1_000 }, () => labelOf("tron", randomAddress("tron", random), "exchange"));
    const protocols = labels(1_000, "protocol", randomAddress("evm", seededRandom(3)));

    expect(LabelBook.of([listOf(small), listOf(large)]).wellKnownImitatedBy("evm", sharing(7))?.address).toBe(real);
    expect(LabelBook.of([listOf([...small, ...onTron])]).wellKnownImitatedBy("evm", sharing(7))?.address).toBe(real);
    expect(LabelBook.of([listOf([...small, ...protocols])]).wellKnownImitatedBy("evm", sharing(7))?.address).toBe(real);
    expect(LabelBook.of([listOf([...small, ...large])]).wellKnownImitatedBy("evm", sharing(7))).toBeUndefined();
  });

  test("the bar of tokens counts the tokens of their own chain, because they are compared with no others", () => {
    const random = seededRandom(5);
    const elsewhere = Array.from({ length: 1_000 }, () => labelOf("56", randomAddress("evm", random), "token"));
    const chain = findChain("1");
    if (chain === undefined) throw new Error("no chain 1");

    const book = LabelBook.of([listOf([...labels(128, "token"), ...elsewhere])]);

    expect(book.tokenImitatedBy(chain, sharing(7))?.address).toBe(real);
  });

  test("the bar counts an address once, however many chains its list has it for", () => {
    const rows = labels(128).flatMap(({ address }) => ["1", "56", "137"].map((chain) => ({ chain, address })));
    const list = readLabelList(
      "list",
      rows.map((row, i) => ({ line: i + 2, row: { ...row, name: "n", kind: "exchange" } })),
    );
    const book = LabelBook.of([list]);

    expect(list.labels.length).toBe(384);
    expect(book.wellKnownImitatedBy("evm", sharing(7))?.address).toBe(real);
    expect(book.isWellKnown(labelOf("137", real, "exchange").chain, real)).toBe(true);
    expect(book.isWellKnown(labelOf("10", real, "exchange").chain, real)).toBe(false);
  });

  test("the bar counts a token with one address on several chains once", () => {
    const tokens = labels(128, "token");
    const book = LabelBook.of([listOf([...tokens, ...tokens.map((token) => labelOf("56", token.address, "token"))])]);

    for (const chain of ["1", "56"]) {
      expect(book.tokenImitatedBy(labelOf(chain, real, "token").chain, sharing(7))?.address).toBe(real);
    }
  });
});

test("a rare shape imitates a label with nine digits, and with more digits where the list has a bar", () => {
  const own = labelOf("1", "0x12a7c0b9d7f5e3c1a0b8d6f4e2c0a9b7d5abcdef", "exchange");
  const eight = "0x12b9d6f4e2c0a9b7d5e3c1a0b8d7f5e3c1abcdef" as CanonicalAddress;
  const nine = "0x12b9d6f4e2c0a9b7d5e3c1a0b8d7f5e3c5abcdef" as CanonicalAddress;
  const many = Array.from({ length: 400 }, (_, i) =>
    labelOf("1", `0x${sha256(`label ${i}`).slice(0, 40)}`, "exchange"),
  );

  expect(bookOf(own).wellKnownImitatedBy("evm", eight)).toBeUndefined();
  expect(bookOf(own).wellKnownImitatedBy("evm", nine)?.address).toBe(own.address);
  expect(bookOf(own, ...many).wellKnownImitatedBy("evm", nine)).toBeUndefined();
});
