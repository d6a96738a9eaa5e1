import { expect, test } from "vitest";
import {
  type AbortedTransaction,
  hideAborted,
} from "../../../../../src/adapters/kafka/kafkajs-patches/aborted-records.ts";

/** Records from their producers, offsets counted up: "a" of a transaction, "A" the marker of its end, "-" of none. */
function log(text: string, first = 0) {
  return [...text].map((letter, at) => ({
    offset: String(first + at),
    isControlRecord: letter !== letter.toLowerCase(),
    batchContext: { producerId: letter.toLowerCase(), inTransaction: letter !== "-" },
  }));
}

/** What is given out of it. */
function given(text: string, aborted: readonly AbortedTransaction[], first = 0): string {
  const records = log(text, first);
  hideAborted(records, aborted);
  return [...text].filter((_, at) => records[at]?.isControlRecord === false).join("");
}

const transaction = (producerId: string, firstOffset: number) => ({ producerId, firstOffset: String(firstOffset) });

test("what no transaction aborted is given out, but for markers", () => {
  expect(given("aa-Ab", [])).toBe("aa-b");
});

test("an aborted transaction hides its own records only, up to its marker", () => {
  expect(given("-aba-Aa", [transaction("a", 1)])).toBe("-b-a");
});

test("transactions that overlap hide what is theirs, though the one that began later is named first", () => {
  expect(given("abaBaAcab", [transaction("b", 1), transaction("a", 0)])).toBe("cab");
});

test("a fetch that begins in the middle of both hides all of both", () => {
  expect(given("ba-bBA", [transaction("a", 0), transaction("b", 1)], 2)).toBe("-");
});

test("two aborted transactions of one producer leave what it committed between them", () => {
  expect(given("aAaAaAa", [transaction("a", 0), transaction("a", 4)])).toBe("aa");
});

test("records of formats that know no transactions are left alone", () => {
  const old = { offset: "5", isControlRecord: false };
  hideAborted([old], [transaction("a", 0)]);
  expect(old.isControlRecord).toBe(false);
});
