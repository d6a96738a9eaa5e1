import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Chain } from "../../../src/chains/chain.ts";
import { findChain } from "../../../src/chains/registry.ts";
import { seededRandom } from "../../../src/kernel/retry.ts";
import { emptyBook, type ListInfo } from "../../../src/labels/address-book.ts";
import { LabelTable } from "../../../src/labels/index/label-table.ts";
import { type AddressLabel, labelKinds, riskLevels } from "../../../src/labels/label.ts";
import { bookOfLists, listedBook, listInfo, shippedBook } from "../../support/address-book.ts";
import { labelOf } from "../../support/book-of.ts";
import { randomAddress } from "../../support/random-addresses.ts";

const random = seededRandom(5);
const bad = randomAddress("evm", random);
const chainOf = (id: string): Chain => {
  const chain = findChain(id);
  if (chain === undefined) throw new Error(id);
  return chain;
};

/** Few addresses, so that many entries share one. */
const pool = new Map<string, readonly AddressLabel["address"][]>(
  ["1", "tron", "solana", "bitcoin"].map((id) => [
    id,
    Array.from({ length: 4 }, () => randomAddress(chainOf(id).family, random)),
  ]),
);

const anyLabel: fc.Arbitrary<AddressLabel> = fc
  .record({
    kind: fc.constantFrom(...labelKinds.filter((kind) => kind !== "site")),
    id: fc.constantFrom("1", "56", "tron", "solana", "bitcoin"),
    which: fc.nat(3),
    name: fc.string({ minLength: 1, maxLength: 40, unit: "grapheme" }),
    texts: fc.record({ program: fc.string({ minLength: 1 }), note: fc.string({ minLength: 1 }) }, { requiredKeys: [] }),
    riskLevel: fc.option(fc.constantFrom(...riskLevels), { nil: undefined }),
    everywhere: fc.boolean(),
  })
  .map(({ kind, id, which, name, texts, riskLevel, everywhere }): AddressLabel => {
    const chain = chainOf(id);
    const address = (pool.get(id) ?? pool.get("1") ?? [])[which] ?? bad;
    const where = everywhere ? { chain, everywhere: true as const } : { chain };
    return { kind, ...where, address, name, ...texts, ...(riskLevel === undefined ? {} : { riskLevel }) };
  });

test("a table returns its entries in order", () => {
  fc.assert(
    fc.property(fc.array(anyLabel), (labels) => {
      const table = new LabelTable();
      for (const label of labels) table.add(label);

      expect(labels.map((_, at) => table.at(at))).toEqual(labels);
      expect(table.at(labels.length)).toBeUndefined();
    }),
  );
});

/** A slow specification: every entry of the address and family, one after the other. */
function listedSlowly(lists: readonly (readonly AddressLabel[])[], on: Chain, address: string) {
  const entries = lists.flat().filter(({ address: own, chain }) => own === address && chain.family === on.family);
  const accuses = ({ kind, riskLevel = 0, chain, everywhere }: AddressLabel) =>
    ["sanctioned", "malicious", "blocked"].includes(kind) ||
    (riskLevel >= 4 && (kind !== "token" || chain.id === on.id || everywhere === true));
  const names = (of: (label: AddressLabel) => boolean) => entries.filter(of).map(({ name }) => name);
  return [
    ...names(({ kind }) => kind === "sanctioned"),
    ...names((label) => label.kind !== "sanctioned" && accuses(label)),
    ...names(
      (label) => label.kind === "allowed" && !accuses(label) && (label.chain.id === on.id || label.everywhere === true),
    ),
  ];
}

test("a book finds the same entries as a search through all, accusations first", () => {
  fc.assert(
    fc.property(fc.array(fc.array(anyLabel, { maxLength: 12 }), { maxLength: 3 }), (lists) => {
      const book = bookOfLists(lists.map((labels) => ({ info: listInfo, labels })));

      for (const [id, addresses] of pool) {
        for (const address of addresses) {
          const found = book.listed(chainOf(id), address).map(({ label }) => label.name);
          // A book reports at most 16 entries of one address.
          expect(found).toEqual(listedSlowly(lists, chainOf(id), address).slice(0, 16));
        }
      }
    }),
  );
});

describe("the standing of an address", () => {
  test.each([
    ["sanctioned", undefined, "sanctioned"],
    ["blocked", undefined, "blocked"],
    ["malicious", undefined, "blocked"],
    ["malicious", 0, "blocked"],
    ["protocol", 5, "blocked"],
    ["token", 4, "blocked"],
    ["allowed", 5, "blocked"],
    ["allowed", undefined, "allowed"],
    ["protocol", 3, undefined],
    ["exchange", undefined, undefined],
  ] as const)("with a label %s of risk %s is %s", (kind, riskLevel, standing) => {
    const label = { ...labelOf("1", bad, kind), ...(riskLevel === undefined ? {} : { riskLevel }) };

    expect(listedBook(label).listed(chainOf("1"), bad)[0]?.standing).toBe(standing);
  });

  test("counts on every chain of the family, and on no other family", () => {
    const book = listedBook(labelOf("56", bad, "sanctioned"));

    expect(book.listed(chainOf("1"), bad)).toHaveLength(1);
    expect(book.listed(chainOf("tron"), bad)).toEqual([]);
  });

  test("counts on its own chain only when the risk is that of a token, and so does the doubt", () => {
    const usdc = labelOf("1", bad, "token", "USDC");
    for (const riskLevel of [2, 5] as const) {
      const book = listedBook(usdc, { ...labelOf("56", bad, "token", "Scam"), riskLevel });

      expect(book.listed(chainOf("1"), bad)).toEqual([]);
      expect(book.isToken(chainOf("1"), bad)).toBe(true);
      expect(book.accusedWithin(chainOf("1"), Buffer.from(bad.slice(2), "hex")).size).toBe(0);
      expect(book.listed(chainOf("56"), bad)).toHaveLength(riskLevel === 5 ? 1 : 0);
      expect(book.accusedWithin(chainOf("56"), Buffer.from(bad.slice(2), "hex")).size).toBe(riskLevel === 5 ? 1 : 0);
    }
    for (const kind of ["protocol", "exchange"] as const) {
      const book = listedBook(usdc, { ...labelOf("56", bad, kind, "Scam"), riskLevel: 5 });

      expect(book.listed(chainOf("1"), bad)).toMatchObject([{ standing: "blocked" }]);
      expect(book.isToken(chainOf("1"), bad)).toBe(false);
    }
  });

  test("comes from an accusation, however many harmless rows stand before it", () => {
    const allowed = Array.from({ length: 40 }, (_, i) => labelOf("1", bad, "allowed", `Ours ${i}`));
    const book = listedBook(...allowed, labelOf("1", bad, "sanctioned", "A party"));

    expect(book.listed(chainOf("1"), bad)[0]).toMatchObject({ standing: "sanctioned", label: { name: "A party" } });
    expect(book.isKnown(chainOf("1"), bad)).toBe(false);
  });

  test("is found at once when a list repeats one address without end", () => {
    const book = listedBook(...Array.from({ length: 100_000 }, () => labelOf("1", bad, "blocked", "again")));

    expect(book.listed(chainOf("1"), bad)).toHaveLength(16);
  });

  test("a label of another chain makes no contract known, and an accusation or a doubt cancels the excuse", () => {
    const token = labelOf("1", bad, "token");
    const known = (...labels: readonly AddressLabel[]) => shippedBook(...labels).isKnown(chainOf("1"), bad);

    expect(known(token)).toBe(true);
    expect(shippedBook(token).isToken(chainOf("1"), bad)).toBe(true);
    expect(shippedBook(token).isKnown(chainOf("56"), bad)).toBe(false);
    expect(known({ ...token, riskLevel: 5 })).toBe(false);
    expect(known({ ...token, riskLevel: 2 })).toBe(false);
    expect(known(token, labelOf("56", bad, "sanctioned"))).toBe(false);
    expect(known(labelOf("56", bad, "allowed"))).toBe(false);
    expect(known({ ...labelOf("56", bad, "allowed"), everywhere: true })).toBe(true);
    expect(known(labelOf("1", bad, "allowed"), labelOf("56", bad, "blocked"))).toBe(false);
  });
});

describe("calldata is searched for accused addresses", () => {
  const bad = `0x${"5a".repeat(20)}`;
  const data = Buffer.from(`07${"5a".repeat(20)}0707${"5a".repeat(20)}`, "hex");

  test.each(["sanctioned", "malicious", "blocked"] as const)("%s, with the number of its occurrences", (kind) => {
    const book = listedBook(labelOf("1", bad, kind, "A party"));

    expect([...book.accusedWithin(chainOf("1"), data)]).toEqual([[bad, 2]]);
    expect([...book.accusedWithin(chainOf("tron"), data)]).toEqual([]);
  });

  test("a risk of 4 accuses, and neither a risk of 3 nor a list that allows the address does", () => {
    const found = (label: AddressLabel) => [...listedBook(label).accusedWithin(chainOf("1"), data)].length;
    const protocol = labelOf("1", bad, "protocol", "A party");

    expect(found({ ...protocol, riskLevel: 4 })).toBe(1);
    expect(found({ ...protocol, riskLevel: 3 })).toBe(0);
    expect(found(labelOf("1", bad, "allowed", "A party"))).toBe(0);
  });

  test("another address with the same beginning is not on the list", () => {
    const other = Buffer.from(`${"5a".repeat(19)}07`, "hex");

    expect([...listedBook(labelOf("1", bad, "blocked", "A party")).accusedWithin(chainOf("1"), other)]).toEqual([]);
  });
});

describe("the id of a set of lists", () => {
  const withInfo = (info: Partial<ListInfo>) => bookOfLists([{ info: { ...listInfo, ...info }, labels: [] }]).id;

  test("depends on names and contents, not on the time of loading", () => {
    expect(withInfo({})).toMatch(/^[0-9a-f]{16}$/);
    expect(withInfo({ loadedAt: "2027-01-01T00:00:00.000Z" })).toBe(withInfo({}));
    expect(withInfo({ name: "other.csv" })).not.toBe(withInfo({}));
    expect(withInfo({ sha256: "6".repeat(64) })).not.toBe(withInfo({}));
  });

  test("is undefined when no list is loaded, because the version of Weir identifies bundled labels", () => {
    expect(emptyBook.id).toBeUndefined();
    expect(shippedBook(labelOf("1", bad, "token")).id).toBeUndefined();
  });
});
