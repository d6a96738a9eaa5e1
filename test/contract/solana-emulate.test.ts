/**
 * The sections "Solana simulation request", "Solana simulation response", "Errors" and "Limits" of the service's
 * interface. Source: docs/decisions/0001-open-points.md, which lists the open points of the interface.
 */
import { base58 } from "@scure/base";
import { describe, expect, test } from "vitest";
import { SolanaEmulateResponse } from "../../src/api/schemas/solana-emulate.ts";
import { call, evm, mismatchOf, service, solana } from "../support/service.ts";
import { received } from "./recorded.ts";
import { answers, requests } from "./samples.ts";

const app = service();
/** A message of one signer without instructions: the header, one key, a blockhash of zeros, no instruction. */
const message = Uint8Array.from([1, 0, 0, 1, ...new Uint8Array(32).fill(7), ...new Uint8Array(32), 0]);
const text = Buffer.from(message).toString("base64");
const serialized = { transaction: text };
const key = { pubkey: solana.real };
const instruction = { programId: solana.system, keys: [key] };
const structured = { feePayer: solana.real, instructions: [instruction] };
const asked = (...items: readonly unknown[]) => ({ sol_transactions: items });
const receivedItem = async (item: unknown) => {
  const request = await received("solanaEmulate", asked(item));
  return Reflect.get(Object(request), "sol_transactions")[0];
};

describe("defaults of omitted fields", () => {
  test("without requested_items balance changes are requested, and risks are not", async () => {
    expect(await received("solanaEmulate", asked(serialized))).toHaveProperty("requested_items", {
      balance_changes: true,
      involved_address_risks: false,
    });
  });

  test.each([
    [{}, { balance_changes: true, involved_address_risks: false }],
    [{ balance_changes: false }, { balance_changes: false, involved_address_risks: false }],
    [{ involved_address_risks: true }, { balance_changes: true, involved_address_risks: true }],
    [null, { balance_changes: true, involved_address_risks: false }],
    [{ involved_address_risks: null }, { balance_changes: true, involved_address_risks: false }],
    [
      { balance_changes: null, involved_address_risks: true },
      { balance_changes: true, involved_address_risks: true },
    ],
  ])("requested_items %j are %j", async (requested_items, full) => {
    const request = { ...asked(serialized), requested_items };

    expect(await received("solanaEmulate", request)).toHaveProperty("requested_items", full);
  });

  test("encoding is base64 by default", async () => {
    expect(await receivedItem(serialized)).toEqual({ transaction: text, encoding: "base64" });
  });

  test("isSigner and isWritable are false by default", async () => {
    const item = await receivedItem(structured);

    expect(item.instructions[0].keys).toEqual([{ pubkey: solana.real, isSigner: false, isWritable: false }]);
  });
});

describe("null counts as omitted", () => {
  test("in a serialized item null counts as omitted, also for the fields of the other kind", async () => {
    const item = { ...serialized, encoding: null, name: null, feePayer: null, instructions: null };

    expect(await receivedItem(item)).toEqual({ transaction: text, encoding: "base64" });
  });

  test("in a structured item null counts as omitted, also in its instructions and their keys", async () => {
    const keys = [{ ...key, isSigner: null, is_writable: null }];
    const item = { ...structured, transaction: null, name: null, instructions: [{ ...instruction, keys, data: null }] };

    expect(await receivedItem(item)).toEqual({
      encoding: "base64",
      feePayer: solana.real,
      instructions: [{ programId: solana.system, keys: [{ pubkey: solana.real, isSigner: false, isWritable: false }] }],
    });
  });
});

describe("accepted items", () => {
  const refusedForNow = {
    http: 400,
    body: { code: "-1", status: "unsupported chain", detail: "unsupported chainId: solana" },
  };

  test.each([
    ["a serialized item", serialized],
    ["base64, named as such", { transaction: text, encoding: "base64" }],
    ["base58", { transaction: base58.encode(message), encoding: "base58" }],
    ["a structured item", structured],
    ["a structured item with a name", { ...structured, name: "first" }],
    ["no instructions", { feePayer: solana.real, instructions: [] }],
    ["no keys", { feePayer: solana.real, instructions: [{ programId: solana.system, keys: [] }] }],
    ["instruction data", { ...structured, instructions: [{ ...instruction, data: "AQID" }] }],
    ["empty instruction data", { ...structured, instructions: [{ ...instruction, data: "" }] }],
    ["an empty name", { ...serialized, name: "" }],
  ])("the item is accepted: %s", async (_what, item) => {
    expect(await call(app, "solanaEmulate", asked(item))).toMatchObject(refusedForNow);
  });

  test("several items of both kinds are accepted, in order", async () => {
    const items = [serialized, structured, { ...serialized, name: "third" }];

    const request = await received("solanaEmulate", asked(...items));

    expect(request).toHaveProperty("sol_transactions.length", 3);
    expect(request).toHaveProperty("sol_transactions[1].feePayer", solana.real);
    expect(request).toHaveProperty("sol_transactions[2].name", "third");
  });

  test("the keys of an instruction keep their order, and one key may occur twice", async () => {
    const keys = [solana.fake, solana.real, solana.fake].map((pubkey) => ({ pubkey }));

    const item = await receivedItem({ ...structured, instructions: [{ ...instruction, keys }] });

    expect(item.instructions[0].keys).toMatchObject(keys);
  });
});

describe("a request that does not fit is 422 and names the field", () => {
  const item = "sol_transactions[0]";
  test.each([
    ["no transactions", {}, "sol_transactions: field required"],
    ["an empty array", asked(), "sol_transactions: at least 1 item"],
    ["an empty alias", { transactions: [] }, "sol_transactions: at least 1 item"],
    ["no array", { sol_transactions: serialized }, "sol_transactions: must be an array"],
    ["null", { sol_transactions: null }, "sol_transactions: must be an array"],
    ["an item that is text", asked("AQID"), `${item}: must be an object`],
    ["an item that is nothing", asked(serialized, {}), "sol_transactions[1].transaction: field required"],
    ["a transaction that is a number", asked({ transaction: 1 }), `${item}.transaction: must be a string`],
    ["an empty transaction", asked({ transaction: "" }), `${item}.transaction: must not be empty`],
    ["text that is no base64", asked({ transaction: "A*==" }), `${item}.transaction: not valid base64`],
    ["base64 cut short", asked({ transaction: "AQI" }), `${item}.transaction: not valid base64`],
    ["base64 of the URL kind", asked({ transaction: "-_-_" }), `${item}.transaction: not valid base64`],
    [
      "text that is no base58",
      asked({ transaction: "0OIl", encoding: "base58" }),
      `${item}.transaction: not valid base58`,
    ],
    [
      "too much base58",
      asked({ transaction: "1".repeat(1_684), encoding: "base58" }),
      `${item}.transaction: longer than 1683 characters of base58`,
    ],
    [
      "too much base64",
      asked({ transaction: "A".repeat(65_540) }),
      `${item}.transaction: longer than 65536 characters of base64`,
    ],
    ["another encoding", asked({ ...serialized, encoding: "hex" }), `${item}.encoding: must be base64 or base58`],
    [
      "the encoding in another case",
      asked({ ...serialized, encoding: "Base64" }),
      `${item}.encoding: must be base64 or base58`,
    ],
    ["a name that is a number", asked({ ...serialized, name: 1 }), `${item}.name: must be a string`],
    ["no instructions", asked({ feePayer: solana.real }), `${item}.instructions: field required`],
    ["no fee payer", asked({ instructions: [] }), `${item}.feePayer: field required`],
    [
      "both kinds in one",
      asked({ ...serialized, ...structured }),
      `${item}: give either transaction, or feePayer and instructions`,
    ],
    [
      "no program",
      asked({ ...structured, instructions: [instruction, { keys: [] }] }),
      `${item}.instructions[1].programId: field required`,
    ],
    [
      "no keys",
      asked({ ...structured, instructions: [{ programId: solana.system }] }),
      `${item}.instructions[0].keys: field required`,
    ],
    [
      "a key without pubkey",
      asked({ ...structured, instructions: [{ ...instruction, keys: [key, { isSigner: true }] }] }),
      `${item}.instructions[0].keys[1].pubkey: field required`,
    ],
    [
      "isSigner that is text",
      asked({ ...structured, instructions: [{ ...instruction, keys: [{ ...key, isSigner: "true" }] }] }),
      `${item}.instructions[0].keys[0].isSigner: must be a boolean`,
    ],
    [
      "isWritable that is a number",
      asked({ ...structured, instructions: [{ ...instruction, keys: [{ ...key, isWritable: 1 }] }] }),
      `${item}.instructions[0].keys[0].isWritable: must be a boolean`,
    ],
    [
      "data that is no base64",
      asked({ ...structured, instructions: [{ ...instruction, data: "%" }] }),
      `${item}.instructions[0].data: not valid base64`,
    ],
    [
      "requested_items that is an array",
      { ...asked(serialized), requested_items: ["balance_changes"] },
      "requested_items: must be an object",
    ],
    [
      "a flag that is text",
      { ...asked(serialized), requested_items: { balance_changes: "true" } },
      "requested_items.balance_changes: must be a boolean",
    ],
    ["an item that is null", asked(null), `${item}: must be an object`],
    ["a transaction that is null", asked({ transaction: null }), `${item}.transaction: field required`],
    [
      "instructions that are null",
      asked({ ...structured, instructions: null }),
      `${item}.instructions: field required`,
    ],
    ["a fee payer that is null", asked({ ...structured, feePayer: null }), `${item}.feePayer: field required`],
    [
      "an instruction that is null",
      asked({ ...structured, instructions: [null] }),
      `${item}.instructions[0]: must be an object`,
    ],
    [
      "a program that is null",
      asked({ ...structured, instructions: [{ ...instruction, programId: null }] }),
      `${item}.instructions[0].programId: must be a string`,
    ],
    [
      "a key that is null",
      asked({ ...structured, instructions: [{ ...instruction, keys: [null] }] }),
      `${item}.instructions[0].keys[0]: must be an object`,
    ],
  ])("the request is 422: %s", async (_what, fields, detail) => {
    expect(await call(app, "solanaEmulate", fields)).toMatchObject(mismatchOf("solanaEmulate", detail));
  });

  test("the path has the documented spelling, whatever the request's spelling is", async () => {
    const fields = { transactions: [{ fee_payer: solana.real, instructions: [{ program_id: 1, keys: [] }] }] };

    expect(await call(app, "solanaEmulate", fields)).toMatchObject(
      mismatchOf("solanaEmulate", "sol_transactions[0].instructions[0].programId: must be a string"),
    );
  });
});

describe("a key that is no base58 public key is 400", () => {
  const item = "sol_transactions[1]";
  test.each([
    ["the fee payer", { ...structured, feePayer: evm.real }, `${item}.feePayer`],
    ["an empty fee payer", { ...structured, feePayer: "" }, `${item}.feePayer`],
    [
      "a program",
      { ...structured, instructions: [instruction, { ...instruction, programId: "1".repeat(31) }] },
      `${item}.instructions[1].programId`,
    ],
    [
      "a key",
      { ...structured, instructions: [{ ...instruction, keys: [key, { pubkey: `${solana.real}1` }] }] },
      `${item}.instructions[0].keys[1].pubkey`,
    ],
  ])("the key is 400: %s", async (_what, bad, path) => {
    expect(await call(app, "solanaEmulate", asked(serialized, bad))).toMatchObject({
      http: 400,
      body: { code: "-1", status: "invalid address", detail: expect.stringMatching(`^${escaped(path)}: .+`) },
    });
  });
});

describe("a failed simulation is a success of the API", () => {
  test("a failed simulation fits the response schema without its optional fields", () => {
    const failed = {
      code: "0",
      status: "ok",
      data: {
        exec_summary: { result_code: "000000001", result_description: "failed", error_data: "AccountNotFound" },
        results: [
          {
            from: null,
            to: null,
            compute_units_consumed: 0,
            called_addresses: [],
            involved_addresses: [],
            balance_changes: [],
            error: "AccountNotFound",
          },
          {},
        ],
      },
    };

    expect(SolanaEmulateResponse.parse(failed)).toEqual(failed);
  });

  test.each([-1, 0, 1, 2, 3, 4, 5])("risk level %i is on the scale", (risk_level) => {
    expect(SolanaEmulateResponse.safeParse(withRisk(risk_level)).success).toBe(true);
  });

  test.each([-2, 6, 1.5, "1", null])("risk level %j is not on the scale", (risk_level) => {
    expect(SolanaEmulateResponse.safeParse(withRisk(risk_level)).success).toBe(false);
  });
});

test("the sample has every kind of item", () => {
  expect(requests.solanaEmulate["sol_transactions"]).toHaveLength(2);
});

function withRisk(risk_level: unknown): unknown {
  const answer = structuredClone(answers.solanaEmulate) as { data: { results: object[] } };
  answer.data.results = [{ involved_addresses_risks: [{ address: solana.real, risk_level }] }];
  return answer;
}

function escaped(text: string): string {
  return text.replace(/[[\].]/g, "\\$&");
}
