/**
 * A node may return errors that no transaction of the tests causes. Each such error is made up and sent over real HTTP
 * and kit's client, to an answer with its name. The texts of refusals by nodes are tested the same way.
 */
import { expect, onTestFinished, test } from "vitest";
import { instructionErrors, transactionErrors } from "../../../../src/chains/solana/message/transaction-error.ts";
import { LabelBook } from "../../../../src/service/labels/label-book.ts";
import { operationsOver } from "../../../../src/service/operations.ts";
import { RpcNode } from "../../../fakes/solana/rpc-node.ts";
import { unmade } from "../../../fixtures/solana/unmade-errors.ts";
import { pay } from "../../../fixtures/solana/vectors.ts";
import * as w from "../../../fixtures/solana/world.ts";
import { listen } from "../../../support/http-server.ts";
import { call, service } from "../../../support/service.ts";
import { enginesOver, machineHere } from "../../../support/solana-engines.ts";

const labels = LabelBook.of([]);
const machine = machineHere();
const requestId = () => "00000000-0000-4000-8000-000000000000";

/** The answer to a payment when the node returns `said`. */
async function answerTo(said: object) {
  const onCall = (method: string) => (method === "simulateTransaction" ? said : undefined);
  const node = new RpcNode({ accounts: w.world(), slot: w.SLOT, unixTimestamp: 0, onCall });
  const { node: simulator, close } = enginesOver([await listen(node.listener)], machine);
  onTestFinished(close);
  const app = service({ operations: operationsOver({ labels: () => labels, solana: { simulator, requestId } }) });
  return call(app, "solanaEmulate", { sol_transactions: [w.serialized([pay(7n)])], requested_items: {} });
}

/** Nodes return no accounts for a transaction that failed before or during its execution. */
const failedWith = (err: unknown) => ({
  result: {
    context: { apiVersion: "3.0.0", slot: w.SLOT },
    value: { err, logs: [], unitsConsumed: 0, accounts: [null, null], innerInstructions: null },
  },
});

const isOf = (names: readonly string[]) => (name: string) => names.includes(name);
const names = unmade.flatMap((each) => each.names);
const indexed = "ProgramExecutionTemporarilyRestricted";
const said: readonly (readonly [text: string, err: unknown, code: string])[] = [
  ...names.filter(isOf(transactionErrors)).map((name) => [name, name, "000000001"] as const),
  ...names
    .filter(isOf(instructionErrors))
    .map((name) => [`InstructionError(0, ${name})`, { InstructionError: [0, name] }, "000000002"] as const),
  [`${indexed}(2)`, { [indexed]: { account_index: 2 } }, "000000001"],
];

test("the made-up errors are all those that no transaction causes, and one name belongs to two errors", () => {
  expect(said).toHaveLength(names.length + 1);
});

test.each(said)("the node's error becomes an answer: %s", async (text, err, resultCode) => {
  const { http, body } = await answerTo(failedWith(err));

  expect([http, body]).toMatchObject([
    200,
    {
      code: "0",
      data: {
        exec_summary: { result_code: resultCode, error_data: `transaction 0: ${text}` },
        results: [{ error: text, balance_changes: [], called_addresses: [], block_height: w.SLOT }],
      },
    },
  ]);
});

test.each([
  ["Transaction failed to sanitize accounts offsets correctly", "SanitizeFailure"],
  ["Transaction locked too many accounts", "TooManyAccountLocks"],
  ["Transaction version is unsupported", "UnsupportedVersion"],
  ["Transaction loads an address table account that doesn't exist", "AddressLookupTableNotFound"],
  ["Transaction loads an address table account with an invalid owner", "InvalidAddressLookupTableOwner"],
  ["Transaction loads an address table account with invalid data", "InvalidAddressLookupTableData"],
  ["Transaction address table lookup uses an invalid index", "InvalidAddressLookupTableIndex"],
  ["Transaction contains a duplicate instruction (3) that is not allowed", "DuplicateInstruction(3)"],
  ["Error processing Instruction 2: invalid instruction data", "InstructionError(2, InvalidInstructionData)"],
])("the node's refusal becomes an answer: %s", async (words, text) => {
  const { http, body } = await answerTo({ error: { code: -32602, message: `invalid transaction: ${words}` } });

  expect([http, body]).toMatchObject([200, { code: "0", data: { results: [{ error: text }] } }]);
});

test.each([
  "invalid transaction: Error processing Instruction 2: custom program error: 0x1",
  "invalid transaction: Transaction contains a duplicate instruction (3) that is not allowed, or so",
  "invalid transaction: constructor",
  "Transaction version is unsupported",
])("a message that no node is known to refuse with is no answer: %s", async (message) => {
  expect((await answerTo({ error: { code: -32602, message } })).http).toBe(502);
});
