import { describe, expect, test } from "vitest";
import { LabelFiles } from "../../../../src/adapters/files/labels/label-files.ts";
import type { CanonicalAddress } from "../../../../src/chains/address.ts";
import { evmEndings } from "../../../../src/chains/evm/evm-endings.generated.ts";
import { evmEndingsOn } from "../../../../src/chains/evm/evm-endings.ts";
import { lookalike } from "../../../../src/chains/lookalike.ts";
import { bundled } from "../../../../src/cli/program/package-root.ts";
import { sha256 } from "../../../../src/kernel/hash.ts";
import { commonEndings, evmTokensByChain } from "../../../../tools/refresh/common-endings.ts";

const token = (name: string, ending = "") =>
  `0x${sha256(name).slice(0, 40 - ending.length)}${ending}` as CanonicalAddress;

test("the endings match the bundled lists", async () => {
  const lists = await new LabelFiles(bundled.labels, bundled.labels).load();
  const found = [...evmTokensByChain(lists)].map(([chain, tokens]) => [chain, commonEndings(tokens)] as const);

  expect(Object.fromEntries(found.filter(([, endings]) => endings.length > 0))).toEqual(evmEndings);
  expect(evmEndings).toMatchObject({ "56": ["4444", "8888"], "8453": ["cb07"], "146": ["3333"], "4663": ["1e18"] });
});

test("an ending is common when more tokens have it than by chance, and numbered tokens do not make one", () => {
  const many = Array.from({ length: 2000 }, (_, i) => token(`${i}`));
  const counted = Array.from({ length: 9 }, (_, i) => `0x${`${i}`.padEnd(36, "0")}abcd` as CanonicalAddress);
  const withEnding = (count: number) => [
    ...many,
    ...counted,
    ...Array.from({ length: count }, (_, i) => token(`of a launchpad ${i}`, "4444")),
  ];

  expect(commonEndings(many)).toEqual([]);
  expect(commonEndings(withEnding(2))).toEqual([]);
  expect(commonEndings(withEnding(3))).toEqual(["4444"]);
});

describe("two tokens of one launchpad", () => {
  const shaped = (start: string, filler: string, end: string) =>
    `0x${start}${filler.repeat(40 - start.length - end.length)}${end}` as CanonicalAddress;
  const alike = (start: string, end: string, chain = "56") =>
    lookalike("evm", shaped(start, "2", end), shaped(start, "3", end), evmEndingsOn(chain)) !== undefined;

  test("are compared in front of their common ending", () => {
    expect(alike("abc", "4444")).toBe(false);
    expect(alike("abcdefa", "4444")).toBe(false);
    expect(alike("abcdefab", "4444")).toBe(true);
    expect(alike("abc", "abcd4444")).toBe(true);
  });

  test("are compared as a whole on another chain", () => {
    expect(alike("abc", "4444", "1")).toBe(true);
    expect(alike("abc", "cb07")).toBe(true);
  });

  test("share no suffix when they have different endings", () => {
    expect(
      lookalike("evm", shaped("abc", "2", "4444"), shaped("abc", "3", "8888"), evmEndingsOn("56")),
    ).toBeUndefined();
  });
});
