import { describe, expect, test } from "vitest";
import { type ClaimedBytes, integrityOf } from "../../../../src/chains/tron/integrity.ts";
import { parseTronAddress } from "../../../../src/chains/tron-address.ts";
import { isRawNumber, parseExact } from "../../../../src/kernel/json.ts";
import { sha256 } from "../../../../src/kernel/sha256.ts";
import { tronVector, tronVectors } from "../../../support/tron-vectors.ts";

type Path = readonly (string | number)[];

const copyOf = (value: unknown) => parseExact(JSON.stringify(value)) as ClaimedBytes;
const bytesOf = (digits: string | undefined) => Buffer.from(digits ?? "", "hex");

/** Every value in a body that is no object and no list, by its path. */
function* leaves(value: unknown, path: Path = []): Generator<{ readonly path: Path; readonly leaf: unknown }> {
  if (typeof value !== "object" || value === null || isRawNumber(value)) yield { path, leaf: value };
  else for (const [key, member] of Object.entries(value)) yield* leaves(member, [...path, key]);
}

/** Another value of the same kind. */
function changed(leaf: unknown): unknown {
  if (typeof leaf === "number") return leaf + 1;
  if (typeof leaf === "boolean") return !leaf;
  const text = String(leaf);
  if (text.startsWith("41") && text.length === 42) return `41${"ab".repeat(20)}`;
  if (/^([0-9a-f]{2})+$/.test(text)) return text.startsWith("ff") ? `00${text.slice(2)}` : `ff${text.slice(2)}`;
  const others: Readonly<Record<string, string>> = { ENERGY: "BANDWIDTH", Active: "Witness", Witness: "Active" };
  return others[text] ?? `${text}x`;
}

function withLeaf(transaction: ClaimedBytes, path: Path, value: unknown): ClaimedBytes {
  const copy = copyOf(transaction);
  let at: object = copy.raw_data;
  for (const step of path.slice(0, -1)) at = Reflect.get(at, step) as object;
  Reflect.set(at, path.at(-1) ?? "", value);
  return copy;
}

describe.each(tronVectors)("$name, as tronweb built it", ({ transaction }) => {
  test("is called equal, and its hash is the library's", () => {
    expect(integrityOf(transaction)).toEqual({ integrity: "equal", txId: transaction.txID });
  });

  test("is called equal by its hash alone, and by its bytes alone", () => {
    const { txID, raw_data_hex, ...body } = transaction;

    expect(integrityOf({ ...body, txID })).toEqual({ integrity: "equal", txId: txID });
    expect(integrityOf({ ...body, raw_data_hex })).toEqual({ integrity: "equal", txId: txID });
    expect(integrityOf(body)).toEqual({ integrity: "not_claimed", txId: txID });
  });

  test("differs once any member of its body is another", () => {
    // What the compiler adds to an interface is not among the bytes, and neither is what a word beyond the enum says.
    const written = [...leaves(transaction.raw_data)].filter(
      ({ path, leaf }) => path.at(-1) !== "internalType" && !(path.includes("abi") && /^[a-z]/.test(String(leaf))),
    );
    expect(written.length).toBeGreaterThan(6);
    for (const { path, leaf } of written) {
      const other = withLeaf(transaction, path, changed(leaf));
      expect(["body_differs", "not_compared"], `${path.join(".")} as ${changed(leaf)}`).toContain(
        integrityOf(other).integrity,
      );
    }
  });
});

test("bytes that do not hash to the txID are told first", () => {
  const transaction = tronVector("sendTrx");
  const other = tronVector("sendToken");

  expect(integrityOf({ ...transaction, txID: other.txID }).integrity).toBe("id_differs");
  expect(integrityOf({ ...transaction, raw_data_hex: other.raw_data_hex }).integrity).toBe("id_differs");
  expect(integrityOf({ ...transaction, raw_data_hex: "zz" }).integrity).toBe("id_differs");
  expect(integrityOf({ ...transaction, raw_data_hex: other.raw_data_hex, txID: other.txID })).toEqual({
    integrity: "body_differs",
    txId: transaction.txID,
  });
});

test("upper case and 0x in what is claimed make no difference", () => {
  const { txID, raw_data_hex, ...body } = tronVector("sendTrx");
  const claimed = { ...body, txID: `0x${txID?.toUpperCase()}`, raw_data_hex: raw_data_hex?.toUpperCase() };

  expect(integrityOf(claimed).integrity).toBe("equal");
});

test("amounts beyond 2^53 are exact", () => {
  const safe = tronVector("sendTrx of the largest safe amount");
  const raw_data_hex = safe.raw_data_hex?.replace("ffffffffffffff0f", "8180808080808010");
  const txID = sha256(bytesOf(raw_data_hex));
  const withAmount = (amount: string) =>
    parseExact(JSON.stringify({ ...safe, raw_data_hex, txID }).replace("9007199254740991", amount)) as ClaimedBytes;

  expect(raw_data_hex).not.toBe(safe.raw_data_hex);
  expect(integrityOf(withAmount("9007199254740993"))).toEqual({ integrity: "equal", txId: txID });
  expect(integrityOf(withAmount('"9007199254740993"'))).toEqual({ integrity: "equal", txId: txID });
  for (const amount of ["9007199254740992", "9007199254740994"]) {
    expect(integrityOf(withAmount(amount)).integrity).toBe("body_differs");
  }
});

describe("as a node shows them with `visible`", () => {
  const names =
    /^(asset_name|first_token_id|second_token_id|token_id|url|update_url|account_name|account_id|name|abbr|description)$/;

  test.each(tronVectors.filter(({ name }) => !name.startsWith("createSmartContract") && !name.startsWith("trigger")))(
    "$name is called equal",
    ({ transaction }) => {
      const shown = [...leaves(transaction.raw_data)].reduce((copy, { path, leaf }) => {
        const inValue = path.includes("value") && typeof leaf === "string";
        if (inValue && /^41[0-9a-f]{40}$/.test(leaf)) {
          const address = parseTronAddress(leaf);
          return address.ok ? withLeaf(copy, path, address.value) : copy;
        }
        const isName = inValue && names.test(String(path.at(-1)));
        return isName ? withLeaf(copy, path, bytesOf(leaf).toString("utf8")) : copy;
      }, copyOf(transaction));

      expect(integrityOf({ ...shown, visible: true })).toEqual({ integrity: "equal", txId: transaction.txID });
    },
  );
});

test("a body of a type or with members that are not known here is not called forged", () => {
  const transaction = tronVector("sendTrx");
  const [contract] = transaction.raw_data.contract;
  const strange = {
    ...transaction,
    raw_data: { ...transaction.raw_data, contract: [{ ...contract, type: "LaterContract" }] },
  } as ClaimedBytes;

  expect(integrityOf(strange)).toEqual({ integrity: "not_compared", txId: undefined });
  const later = withLeaf(transaction, ["contract", 0, "parameter", "value", "later_field"], 1);
  expect(integrityOf(later).integrity).toBe("equal");
  expect(integrityOf(withLeaf(later, ["expiration"], 5)).integrity).toBe("not_compared");
});
