import { describe, expect, test } from "vitest";
import type { FieldValue, MessageValue } from "../../../../src/chains/tron/message/message-value.ts";
import { decodeOperation } from "../../../../src/chains/tron/operation.ts";
import { tronHexOf } from "../../../../src/chains/tron/tron-address.ts";
import { parseExact } from "../../../../src/kernel/json.ts";
import { tronVectors } from "../../../support/tron-vectors.ts";

/** Words of enums by their numbers on the wire. */
const enums: Readonly<Record<string, string>> = {
  BANDWIDTH: "0",
  ENERGY: "1",
  Witness: "1",
  Active: "2",
  constructor: "1",
  function: "2",
  event: "3",
  receive: "5",
  view: "2",
  nonpayable: "3",
  payable: "4",
};

/** Every leaf of JSON as path and text: the input of the library, in the library's spelling. */
function* builtLeaves(json: unknown, path = ""): Generator<string> {
  if (Array.isArray(json)) for (const item of json) yield* builtLeaves(item, path);
  else if (typeof json === "object" && json !== null) {
    for (const [name, member] of Object.entries(json)) yield* builtLeaves(member, `${path}.${name}`);
  } else if (!path.endsWith(".internalType")) {
    const isEnum = /\.(type|resource|stateMutability)$/.test(path) && !/puts\.type$/.test(path);
    yield `${path}=${isEnum ? (enums[String(json)] ?? String(json)) : String(json)}`;
  }
}

function* decodedLeaves(value: FieldValue | readonly FieldValue[], path = ""): Generator<string> {
  if (typeof value !== "object") yield `${path}=${value}`;
  else if ("hex" in value) yield `${path}=${value.hex}`;
  else if ("address" in value) yield `${path}=${tronHexOf(value.address)}`;
  else if ("fields" in value)
    for (const [name, member] of value.fields) yield* decodedLeaves(member, `${path}.${name}`);
  else for (const item of value) yield* decodedLeaves(item, path);
}

test.each(tronVectors)("$name is decoded to the built values", ({ transaction }) => {
  const [contract] = transaction.raw_data.contract;
  const decoded = decodeOperation(contract?.type ?? "", contract?.parameter.value, "hex");

  expect(decoded.ok).toBe(true);
  if (!decoded.ok) return;
  const { value, strays } = decoded.operation;
  expect([...decodedLeaves(value as MessageValue)].toSorted()).toEqual(
    [...builtLeaves(contract?.parameter.value)].toSorted(),
  );
  expect(strays.every((stray) => stray.endsWith(".internalType"))).toBe(true);
});

const owner = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";
const decode = (type: string, value: object) => decodeOperation(type, { owner_address: owner, ...value }, "hex");

describe("an operation that cannot be interpreted", () => {
  test.each(["", "transfercontract", "TransferContract2", "7", "constructor", "__proto__"])("%j is unknown", (type) => {
    expect(decode(type, {})).toEqual({ ok: false, why: "unknown", type });
  });

  test.each(["CustomContract", "GetContract", "ShieldedTransferContract"])("%s is unsupported", (type) => {
    expect(decode(type, {})).toEqual({ ok: false, why: "unsupported", type });
  });

  test.each([
    ["TransferContract", { amount: "1.5" }, "amount: must be an integer of 64 bits"],
    ["TransferContract", { amount: "9223372036854775808" }, "amount: must be an integer of 64 bits"],
    ["TransferContract", { amount: 1.5 }, "amount: must be an integer of 64 bits"],
    ["TransferContract", { to_address: 5 }, "to_address: must be a string"],
    ["UpdateBrokerageContract", { brokerage: 2 ** 31 }, "brokerage: must be an integer of 32 bits"],
    ["VoteWitnessContract", { votes: [{ vote_count: {} }] }, "votes[0].vote_count: must be an integer of 64 bits"],
    ["VoteWitnessContract", { votes: [7] }, "votes[0]: must be an object"],
    ["VoteWitnessContract", { support: "yes" }, "support: must be true or false"],
    ["CreateSmartContract", { new_contract: { name: 5 } }, "new_contract.name: must be a string"],
    [
      "AccountPermissionUpdateContract",
      { actives: [{ operations: "??" }] },
      "actives[0].operations: must be hex or Base64",
    ],
  ])("%s with %j is malformed", (type, value, detail) => {
    expect(decode(type, value)).toEqual({ ok: false, why: "malformed", type, detail });
  });
});

test("integers are exact, from numbers, preserved text and strings", () => {
  for (const json of ["9223372036854775807", '"9223372036854775807"']) {
    const decoded = decode("TransferContract", { to_address: owner, amount: parseExact(json) });
    expect(decoded.ok && decoded.operation.value.fields.get("amount")).toBe(9223372036854775807n);
  }
});

test("camel case is read, and unknown members are listed", () => {
  const decoded = decode("TransferContract", { toAddress: owner, amount: 1, memo: "x", feeLimit: 2 });

  expect(decoded).toMatchObject({ ok: true, operation: { owner, strays: ["memo", "feeLimit"] } });
  expect(decoded.ok && decoded.operation.value.fields.get("to_address")).toEqual({ address: owner });
});

test.each([
  ["TransferContract", { amount: 1 }, "to_address"],
  ["TriggerSmartContract", { data: "a9059cbb" }, "contract_address"],
  ["UnDelegateResourceContract", {}, "receiver_address"],
])("%s without its required address is malformed", (type, value, field) => {
  expect(decode(type, value)).toMatchObject({ ok: false, why: "malformed", detail: `${field}: field required` });
});

test("names are text where a node shows them as text, otherwise hex", () => {
  const nameOf = (spelling: "text" | "hex", asset_name: string) => {
    const read = decodeOperation(
      "TransferAssetContract",
      { owner_address: owner, to_address: owner, asset_name },
      spelling,
    );
    return read.ok && read.operation.value.fields.get("asset_name");
  };

  expect(nameOf("hex", "31303032303030")).toEqual({ hex: "31303032303030" });
  expect(nameOf("text", "1002000")).toEqual({ hex: "31303032303030" });
  expect(nameOf("hex", "a name")).toEqual({ hex: "61206e616d65" });
});
