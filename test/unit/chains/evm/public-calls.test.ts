import { readFileSync } from "node:fs";
import { type Hex, keccak256, parseTransaction, size } from "viem";
import { describe, expect, test } from "vitest";

interface PublicCall {
  readonly source: string;
  readonly project: string;
  readonly raw_tx: Hex;
  readonly tx_hash: Hex;
}

const SELECTOR_BYTES = 4;
const WORD_BYTES = 32;
const MOST_CHARACTERS = 1_600;
const MOST_OF_A_CONTRACT = 6;

/** Bytes follow the last word in these two: a zero byte after deposit(), a trailer of 24 bytes after deposit(...). */
const WITHOUT_WHOLE_WORDS = new Map<Hex, number>([
  ["0xc9d812ab4580595365ad3f90f34ed16973472458b0aeb7be3d318523e8083042", 5],
  ["0xb4ad814583934261d841bd4c30e7cc3d2e42c0fa156119dbe24603738c3dc059", 92],
]);

const calls = readFileSync("test/fixtures/evm/public-calls.ndjson", "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as PublicCall);

const parsed = calls.map((call) => ({ ...call, transaction: parseTransaction(call.raw_tx) }));

describe("the public contract calls of the clear signing registry", () => {
  test("are at least 150, of 30 projects", () => {
    expect(calls.length).toBeGreaterThanOrEqual(150);
    expect(new Set(calls.map(({ project }) => project)).size).toBeGreaterThanOrEqual(30);
  });

  test.each(calls)("$project, $tx_hash: a line names its file and has two lower-case texts of digits", (call) => {
    expect(Object.keys(call)).toEqual(["source", "project", "raw_tx", "tx_hash"]);
    expect(call.source).toMatch(
      new RegExp(`^registry/${call.project}/tests(?:v2)?/calldata-[\\w.+-]+\\.tests\\.json$`),
    );
    expect(call.raw_tx).toMatch(/^0x[0-9a-f]+$/);
    expect(call.raw_tx.length).toBeLessThanOrEqual(MOST_CHARACTERS);
    expect(call.tx_hash).toMatch(/^0x[0-9a-f]{64}$/);
  });

  test("hold each hash and each transaction once", () => {
    expect(new Set(calls.map(({ tx_hash }) => tx_hash)).size).toBe(calls.length);
    expect(new Set(calls.map(({ raw_tx }) => raw_tx)).size).toBe(calls.length);
  });

  test.each(parsed)("$project, $tx_hash: a transaction calls a contract", ({ transaction }) => {
    expect(transaction.to).toMatch(/^0x[0-9a-f]{40}$/i);
    expect(size(transaction.data ?? "0x")).toBeGreaterThanOrEqual(SELECTOR_BYTES);
  });

  test("have a selector and whole words, except for two with a trailer", () => {
    const others = parsed
      .map(({ tx_hash, transaction }) => [tx_hash, size(transaction.data ?? "0x")] as const)
      .filter(([, length]) => (length - SELECTOR_BYTES) % WORD_BYTES !== 0);

    expect(new Map(others)).toEqual(WITHOUT_WHOLE_WORDS);
  });

  test("have the hash that the registry gives, where a transaction carries its signature", () => {
    const signed = parsed.filter(({ transaction }) => transaction.r !== undefined);

    expect(signed.length).toBeGreaterThanOrEqual(20);
    expect(signed.filter(({ raw_tx, tx_hash }) => keccak256(raw_tx) !== tx_hash)).toEqual([]);
  });

  test("are at most six of one contract", () => {
    const contracts = Map.groupBy(parsed, ({ transaction }) => `${transaction.chainId ?? 1}:${transaction.to}`);

    expect([...contracts].filter(([, own]) => own.length > MOST_OF_A_CONTRACT)).toEqual([]);
  });
});
