import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseHex } from "../../../../src/evm-analysis/machine/code.ts";
import { runtimeOf } from "../../../../src/evm-analysis/machine/runtime.ts";
import { readCorpus } from "../../../corpus/corpus.ts";

/**
 * Creation codes from the compiler. Some constructors take addresses, texts or lists, and no arguments follow the code.
 */
const creations = ["forms", "trading"].flatMap((file) => {
  const { codes } = JSON.parse(readFileSync(`test/fixtures/evm/${file}.json`, "utf8")) as {
    codes: Readonly<Record<string, string>>;
  };
  return Object.entries(codes);
});
const INVALID = 0xfe;

describe("creation code", () => {
  test.each(creations)("of %s is recognized without arguments", (_name, hex) => {
    const bytes = parseHex(hex) ?? new Uint8Array();
    const { code, creation } = runtimeOf(bytes);

    expect(creation).toBe(true);
    // Solidity writes an INVALID between the constructor and the returned code.
    expect(bytes[code.byteOffset - bytes.byteOffset - 1]).toBe(INVALID);
    expect(runtimeOf(code)).toEqual({ code, creation: false });
  });
});

test("runtime code is not taken for creation code", () => {
  const taken = readCorpus().filter(({ code }) => runtimeOf(code).creation);

  expect(taken.map(({ contract, build }) => `${contract} ${build}`)).toEqual([]);
});
