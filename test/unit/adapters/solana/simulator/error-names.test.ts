/** Every named error of the runtime is returned by its name, from nodes and from local machines. */
import { readFileSync } from "node:fs";
import path from "node:path";
import {
  getSolanaErrorFromTransactionError,
  SOLANA_ERROR__INSTRUCTION_ERROR__UNKNOWN,
  SOLANA_ERROR__TRANSACTION_ERROR__UNKNOWN,
} from "@solana/kit";
import { FailedTransactionMetadata, LiteSvm } from "litesvm/dist/internal.js";
import { expect, test } from "vitest";
import { readTransactionError } from "../../../../../src/adapters/solana/node/node-error.ts";
import { errorOf } from "../../../../../src/adapters/solana/simulator/litesvm-error.ts";
import { keyBytes } from "../../../../../src/chains/solana/key.ts";
import {
  errorText,
  indexedTransactionErrors,
  instructionErrors,
  type TransactionError,
  transactionErrors,
} from "../../../../../src/chains/solana/message/transaction-error.ts";

import { failing } from "../../../../fixtures/solana/failing-vectors.ts";
import { nativeFailing } from "../../../../fixtures/solana/native-vectors.ts";
import { unmade } from "../../../../fixtures/solana/unmade-errors.ts";
import { pay } from "../../../../fixtures/solana/vectors.ts";
import { messageBytes, user, wireOf } from "../../../../fixtures/solana/world.ts";

/** The runtime's own numbers, from LiteSVM's types. They are missing at run time. */
function namesInTypings(name: string): readonly (readonly [name: string, number: number])[] {
  const file = path.resolve(import.meta.dirname, "../../../../../node_modules/litesvm/dist/internal.d.ts");
  const [, body = ""] = new RegExp(`const enum ${name} \\{([^}]*)\\}`).exec(readFileSync(file, "utf8")) ?? [];
  return [...body.matchAll(/(\w+) = (\d+)/g)].map(([, member = "", number]) => [member, Number(number)] as const);
}

const numbered = (names: readonly string[]) => names.map((name, number) => [name, number]);
const textOf = (error: TransactionError | undefined) => error && errorText(error);

test("the names and numbers of transaction errors equal those of the runtime", () => {
  expect(numbered(transactionErrors)).toEqual(namesInTypings("TransactionErrorFieldless"));
});

test("the names and numbers of instruction errors equal those of the runtime", () => {
  expect(numbered(instructionErrors)).toEqual(namesInTypings("InstructionErrorFieldless"));
});

test("a vector fails with each name of the table, or the name is listed as one without a vector", () => {
  const failed = [...failing, ...nativeFailing].flatMap(
    ({ expected }) => String(expected).match(/[A-Z][A-Za-z]+/g) ?? [],
  );
  const made = new Set(failed.filter((name) => name !== "InstructionError" && name !== "Custom"));
  const notMade = unmade.flatMap(({ names }) => names);
  const all = new Set<string>([...transactionErrors, ...indexedTransactionErrors, ...instructionErrors]);

  expect([...made, ...notMade].sort()).toEqual([...all].sort());
  expect([made.size, notMade.length]).toEqual([57, 33]);
});

test("the documents list each name without a vector, with the reason", () => {
  const file = path.resolve(import.meta.dirname, "../../../../../docs/solana-transactions.md");
  const [, section = ""] =
    /## Errors that no transaction fails with here\n(.*?)\n## /s.exec(readFileSync(file, "utf8")) ?? [];
  const rows = [...section.matchAll(/^\| (`.*`) \| (.*) \|$/gm)].map(([, names = "", why]) => ({
    why,
    names: names.split(", ").map((name) => name.replaceAll("`", "")),
  }));

  expect(rows).toEqual(unmade);
});

test("the library itself reports each error that is disabled, or that is checked before the run", () => {
  const svm = new LiteSvm();
  svm.airdrop(keyBytes(user), 1_000_000_000n);
  const saidOf = (message: Uint8Array) => {
    const result = svm.simulateLegacyTransaction(wireOf(message));
    return result instanceof FailedTransactionMetadata ? textOf(errorOf(result.err())) : undefined;
  };
  const payment = messageBytes([pay(1n)], { version: "legacy" });
  const { message: wide = payment } = failing.find(({ name }) => name.includes("256 accounts")) ?? {};

  expect(saidOf(payment)).toBe("SignatureFailure");
  svm.setSigverify(false);
  expect(saidOf(payment)).toBe("BlockhashNotFound");
  svm.setBlockhashCheck(false);
  expect(saidOf(wide)).toBe("InstructionError(0, MaxAccountsExceeded)");
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

test.each(indexedTransactionErrors)("%s, with its detail", (name) => {
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

test("a program's own error keeps its code, and a Borsh error with a text has its name", () => {
  expect(textOf(readTransactionError({ InstructionError: [2, { Custom: 4_294_967_295 }] }))).toBe(
    "InstructionError(2, Custom(4294967295))",
  );
  expect(textOf(readTransactionError({ InstructionError: [2, { BorshIoError: "text" }] }))).toBe(
    "InstructionError(2, BorshIoError)",
  );
});
