/** Every error that the runtime has a name for comes out by that name, from nodes and from our own machines. */
import { readFileSync } from "node:fs";
import path from "node:path";
import {
  getSolanaErrorFromTransactionError,
  SOLANA_ERROR__INSTRUCTION_ERROR__UNKNOWN,
  SOLANA_ERROR__TRANSACTION_ERROR__UNKNOWN,
} from "@solana/kit";
import { expect, test } from "vitest";
import { errorOf } from "../../../../src/adapters/solana/litesvm-error.ts";
import { readTransactionError } from "../../../../src/adapters/solana/node-error.ts";
import {
  errorText,
  indexedTransactionErrors,
  instructionErrors,
  type TransactionError,
  transactionErrors,
} from "../../../../src/chains/solana/transaction-error.ts";

import { failing, notMade } from "../../../fixtures/solana/failing-vectors.ts";
import { nativeFailing } from "../../../fixtures/solana/native-vectors.ts";

/** The runtime's own numbers, as LiteSVM's types have them. They are not there at run time. */
function namesInTypings(name: string): readonly (readonly [name: string, number: number])[] {
  const file = path.resolve(import.meta.dirname, "../../../../node_modules/litesvm/dist/internal.d.ts");
  const [, body = ""] = new RegExp(`const enum ${name} \\{([^}]*)\\}`).exec(readFileSync(file, "utf8")) ?? [];
  return [...body.matchAll(/(\w+) = (\d+)/g)].map(([, member = "", number]) => [member, Number(number)] as const);
}

const numbered = (names: readonly string[]) => names.map((name, number) => [name, number]);
const textOf = (error: TransactionError | undefined) => error && errorText(error);

test("names and numbers of a transaction's errors are the runtime's", () => {
  expect(numbered(transactionErrors)).toEqual(namesInTypings("TransactionErrorFieldless"));
});

test("names and numbers of an instruction's errors are the runtime's", () => {
  expect(numbered(instructionErrors)).toEqual(namesInTypings("InstructionErrorFieldless"));
});

test("each name of the table is one that a vector fails with, or is listed as one that none does", () => {
  const failed = [...failing, ...nativeFailing].flatMap(
    ({ expected }) => String(expected).match(/[A-Z][A-Za-z]+/g) ?? [],
  );
  const made = new Set(failed.filter((name) => name !== "InstructionError" && name !== "Custom"));
  const all = new Set<string>([...transactionErrors, ...indexedTransactionErrors, ...instructionErrors]);

  expect([...made].filter((name) => notMade.includes(name) || !all.has(name))).toEqual([]);
  expect([...all].filter((name) => !made.has(name) && !notMade.includes(name))).toEqual([]);
  expect([made.size, notMade.length]).toEqual([53, 37]);
});

test("kit knows all names but the two newest", () => {
  const codeOf = (name: string) => getSolanaErrorFromTransactionError(name).context.__code;
  const unknown = transactionErrors.filter((name) => codeOf(name) === SOLANA_ERROR__TRANSACTION_ERROR__UNKNOWN);

  expect(unknown).toEqual(["ProgramCacheHitMaxLimit", "CommitCancelled"]);
});

test.each(transactionErrors.map((name, number) => [name, number]))("%s", (name, number) => {
  expect(textOf(readTransactionError(name))).toBe(name);
  expect(textOf(errorOf(number))).toBe(name);
});

test.each(indexedTransactionErrors)("%s, with what it is about", (name) => {
  const value = name === "DuplicateInstruction" ? 3 : { account_index: 3 };

  expect(textOf(readTransactionError({ [name]: value }))).toBe(`${name}(3)`);
  expect(getSolanaErrorFromTransactionError({ [name]: value }).context.__code).not.toBe(
    SOLANA_ERROR__TRANSACTION_ERROR__UNKNOWN,
  );
});

test.each(instructionErrors)("InstructionError %s", (name) => {
  const error = { InstructionError: [2, name] } as const;

  expect(textOf(readTransactionError(error))).toBe(`InstructionError(2, ${name})`);
  expect(getSolanaErrorFromTransactionError(error).context.__code).not.toBe(SOLANA_ERROR__INSTRUCTION_ERROR__UNKNOWN);
});

test("a program's own error keeps its code, and a Borsh error with a text is one", () => {
  expect(textOf(readTransactionError({ InstructionError: [2, { Custom: 4_294_967_295 }] }))).toBe(
    "InstructionError(2, Custom(4294967295))",
  );
  expect(textOf(readTransactionError({ InstructionError: [2, { BorshIoError: "text" }] }))).toBe(
    "InstructionError(2, BorshIoError)",
  );
});
