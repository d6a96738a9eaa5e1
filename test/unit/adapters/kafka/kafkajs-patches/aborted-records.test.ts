import { expect, test } from "vitest";
import {
  type AbortedTransaction,
  hideAborted,
} from "../../../../../src/adapters/kafka/kafkajs-patches/aborted-records.ts";

/** Records by producer, with rising offsets: "a" in a transaction, "A" the marker of its end, "-" outside of one. */
function log(text: string, first = 0) {
  return [...text].map((letter, at) => ({
    offset: String(first + at),
    isControlRecord: letter !== letter.toLowerCase(),
    batchContext: { producerId: letter.toLowerCase(), inTransaction: letter !== "-" },
  }));
}

/** The delivered records. */
function given(text: string, aborted: readonly AbortedTransaction[], first = 0): string {
  const records = log(text, first);
  hideAborted(records, aborted);
  return [...text].filter((_, at) => records[at]?.isControlRecord === false).join("");
}

const transaction = (producerId: string, firstOffset: number) => ({ producerId, firstOffset: String(firstOffset) });

test("records that no transaction aborted are delivered, except for markers", () => {
  expect(given("aa-Ab", [])).toBe("aa-b");
});

test("an aborted transaction hides only its own records, up to its marker", () => {
  expect(given("-aba-Aa", [transaction("a", 1)])).toBe("-b-a");
});

test("overlapping transactions hide their own records, even when the later one is listed first", () => {
  expect(given("abaBaAcab", [transaction("b", 1), transaction("a", 0)])).toBe("cab");
});

test("a fetch that begins in the middle of two transactions hides both", () => {
  expect(given("ba-bBA", [transaction("a", 0), transaction("b", 1)], 2)).toBe("-");
});

test("two aborted transactions of one producer keep the committed records between them", () => {
  expect(given("aAaAaAa", [transaction("a", 0), transaction("a", 4)])).toBe("aa");
});

test("records of formats without transactions are not changed", () => {
  const old = { offset: "5", isControlRecord: false };
  hideAborted([old], [transaction("a", 0)]);
  expect(old.isControlRecord).toBe(false);
});
