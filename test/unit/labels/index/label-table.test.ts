import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findChain } from "../../../../src/chains/registry.ts";
import { seededRandom } from "../../../../src/kernel/retry.ts";
import { keyOf } from "../../../../src/labels/index/key-buckets.ts";
import { LabelDeduplication } from "../../../../src/labels/index/label-deduplication.ts";
import { LabelTable } from "../../../../src/labels/index/label-table.ts";
import { type Label, labelKinds, riskLevels } from "../../../../src/labels/label.ts";
import { labelOf, tableOf } from "../../../support/book-of.ts";
import { randomAddress } from "../../../support/random-addresses.ts";

const random = seededRandom(8);

/** Any label that a row can yield. */
const anyLabel: fc.Arbitrary<Label> = fc
  .record({
    kind: fc.constantFrom(...labelKinds),
    id: fc.constantFrom("1", "56", "tron", "solana", "bitcoin"),
    name: fc.string({ minLength: 1, maxLength: 200, unit: "grapheme" }),
    texts: fc.record(
      {
        fullName: fc.string({ minLength: 1, maxLength: 200, unit: "grapheme" }),
        program: fc.string({ minLength: 1, maxLength: 20, unit: "grapheme" }),
        note: fc.string({ minLength: 1, maxLength: 500, unit: "grapheme" }),
      },
      { requiredKeys: [] },
    ),
    riskLevel: fc.option(fc.constantFrom(...riskLevels), { nil: undefined }),
  })
  .map(({ kind, id, name, texts, riskLevel }): Label => {
    const common = { name, ...(riskLevel === undefined ? {} : { riskLevel }) };
    if (kind === "site") return { kind, host: `${id}.example`, ...common };
    const chain = findChain(id);
    if (chain === undefined) throw new Error(id);
    const address = randomAddress(chain.family, random);
    return { kind, chain, address, ...common, ...texts };
  });

describe("a table of labels", () => {
  test("returns its labels in order", () => {
    fc.assert(
      fc.property(fc.array(anyLabel), (labels) => {
        const table = tableOf(labels);

        expect([...table]).toEqual(labels);
        expect(labels.map((_, at) => table.at(at))).toEqual(labels);
        expect(table.at(labels.length)).toBeUndefined();
      }),
    );
  });

  test("holds more than one block of text, and more labels than it caches as objects", () => {
    const labels = Array.from({ length: 20_000 }, (_, i) =>
      labelOf("1", randomAddress("evm", random), "token", `T${i}`),
    );
    const table = tableOf(labels);

    expect(table.length).toBe(20_000);
    expect(labels.every((label, at) => table.subjectAt(at) === label.address)).toBe(true);
    expect([0, 10_000, 19_999, 0].map((at) => table.at(at)?.name)).toEqual(["T0", "T10000", "T19999", "T0"]);
    for (let at = 0; at < 5_000; at++) expect(table.at(at)).toBe(table.at(at));
  });

  test("has no label beyond its end", () => {
    expect(() => tableOf([]).subjectAt(0)).toThrow("no block 0 among 0");
  });
});

describe("deduplication of labels", () => {
  function distinct(labels: readonly Label[]): readonly Label[] {
    const table = new LabelTable();
    const seen = new LabelDeduplication(table);
    for (const label of labels) if (seen.see(label) !== "known") table.add(label);
    return [...table];
  }

  test("reports each of thousands of labels as new once", () => {
    const labels = Array.from({ length: 20_000 }, (_, i) =>
      labelOf("1", randomAddress("evm", random), "token", `T${i}`),
    );

    expect(distinct([...labels, ...labels])).toEqual(labels);
  });

  test("treats two addresses with one key as two labels", () => {
    const key = (address: string) => keyOf(address, address.length, 0);
    const byKey = new Map<number, string>();
    let pair: readonly string[] = [];
    // By the birthday bound, two of some 80,000 random addresses share 32 bits.
    while (pair.length === 0) {
      const address = randomAddress("evm", random);
      const other = byKey.get(key(address));
      if (other === undefined) byKey.set(key(address), address);
      else pair = [other, address];
    }
    const labels = pair.map((address) => labelOf("1", address, "exchange"));

    expect(distinct([...labels, ...labels])).toEqual(labels);
  });
});
