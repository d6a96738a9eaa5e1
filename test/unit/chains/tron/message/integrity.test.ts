import { describe, expect, test } from "vitest";
import { type ClaimedBytes, integrityOf } from "../../../../../src/chains/tron/message/integrity.ts";
import { parseTronAddress } from "../../../../../src/chains/tron/tron-address.ts";
import { sha256 } from "../../../../../src/kernel/hash.ts";
import { isRawNumber, parseExact } from "../../../../../src/kernel/json.ts";
import { tronVector, tronVectors } from "../../../../support/tron-vectors.ts";

type Path = readonly (string | number)[];

const copyOf = (value: unknown) => parseExact(JSON.stringify(value)) as ClaimedBytes;
const bytesOf = (digits: string | undefined) => Buffer.from(digits ?? "", "hex");

/** Every scalar in a body, by its path. */
function* leaves(value: unknown, path: Path = []): Generator<{ readonly path: Path; readonly leaf: unknown }> {
  if (typeof value !== "object" || value === null || isRawNumber(value)) yield { path, leaf: value };
  else for (const [key, member] of Object.entries(value)) yield* leaves(member, [...path, key]);
}

/** Another value of the same type. */
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
  test("is reported as equal, and its hash is the library's", () => {
    expect(integrityOf(transaction)).toEqual({ integrity: "equal", txId: transaction.txID });
  });

  test("is reported as equal by its hash alone, and by its bytes alone", () => {
    const { txID, raw_data_hex, ...body } = transaction;

    expect(integrityOf({ ...body, txID })).toEqual({ integrity: "equal", txId: txID });
    expect(integrityOf({ ...body, raw_data_hex })).toEqual({ integrity: "equal", txId: txID });
    expect(integrityOf(body)).toEqual({ integrity: "not_claimed", txId: txID });
  });

  test("differs when any member of its body is changed", () => {
    // The bytes do not hold the members that the compiler adds to an interface. They do not hold a word beyond the enum
    // either.
    const written = [...leaves(transaction.raw_data)].filter(
      ({ path, leaf }) => path.at(-1) !== "internalType" && !(path.includes("abi") && /^[a-z]/.test(String(leaf))),
    );
    expect(written.length).toBeGreaterThan(6);
    for (const { path, leaf } of written) {
      const other = withLeaf(transaction, path, changed(leaf));
      expect(integrityOf(other).integrity, `${path.join(".")} as ${changed(leaf)}`).toBe("body_differs");
    }
  });
});

test("bytes that do not hash to the txID are reported first", () => {
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

test("upper case and 0x in the claimed values make no difference", () => {
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
    "$name is reported as equal",
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

/** A field on the wire: a number, or bytes. Source: protobuf.dev, "Encoding". */
const varint = (value: number): number[] => (value < 128 ? [value] : [(value % 128) + 128, ...varint(value >> 7)]);
const numberField = (field: number, value: number) => [...varint(field * 8), ...varint(value)];
const bytesField = (field: number, bytes: readonly number[]) => [
  ...varint(field * 8 + 2),
  ...varint(bytes.length),
  ...bytes,
];
const utf8 = (text: string) => [...Buffer.from(text)];

/** A payment as bytes, with further members in its payload, its contract or its body, perhaps of a later type. */
function paid({
  payload = [] as number[],
  contract = [] as number[],
  body = [] as number[],
  id = 1,
  type = "TransferContract",
}) {
  const to = [0x41, ...Array<number>(20).fill(7)];
  const value = [...bytesField(1, to), ...bytesField(2, to), ...numberField(3, 5), ...payload];
  const parameter = [...bytesField(1, utf8(`type.googleapis.com/protocol.${type}`)), ...bytesField(2, value)];
  const raw = [...bytesField(11, [...numberField(1, id), ...bytesField(2, parameter), ...contract]), ...body];
  const raw_data_hex = Buffer.from(raw).toString("hex");
  return { raw_data_hex, txID: sha256(Uint8Array.from(raw)) };
}

/** The payment as JSON. */
function shown(more: { value?: object; contract?: object; body?: object; type?: string } = {}, amount = 5) {
  const address = `41${"07".repeat(20)}`;
  const value = { owner_address: address, to_address: address, amount, ...more.value };
  return {
    raw_data: {
      contract: [{ type: more.type ?? "TransferContract", parameter: { value }, ...more.contract }],
      ...more.body,
    },
  };
}

describe("an unknown member", () => {
  test("is not reported as forged when the bytes hold more too", () => {
    const strange = { later_field: 1 };
    const later = numberField(90, 1);

    for (const [more, json] of [
      [{ payload: later }, { value: strange }],
      [{ contract: later }, { contract: strange }],
      [{ body: later }, { body: strange }],
    ] as const) {
      const claimed = paid(more);
      expect(integrityOf({ ...shown(json), ...claimed })).toEqual({ integrity: "not_compared", txId: claimed.txID });
    }
    const later99 = paid({ id: 99, type: "LaterContract" });
    expect(integrityOf({ ...shown({ type: "LaterContract" }), ...later99 })).toEqual({
      integrity: "not_compared",
      txId: undefined,
    });
  });

  test("makes no difference when the bytes hold the known members", () => {
    expect(integrityOf({ ...shown({ value: { note: "x" } }), ...paid({}) })).toEqual({
      integrity: "equal",
      txId: paid({}).txID,
    });
  });

  test("does not hide a difference in a known member", () => {
    const strange = { later_field: 1 };
    const forged = [
      { ...shown({ value: strange }, 6), ...paid({}) },
      { ...shown({ value: strange }, 6), ...paid({ payload: numberField(90, 1) }) },
      { ...shown({ body: { ...strange, expiration: 5 } }), ...paid({}) },
      { ...shown({ contract: { ...strange, Permission_id: 2 } }), ...paid({}) },
      { ...shown({ type: "LaterContract" }), ...paid({}) },
      { ...shown({ type: "LaterContract" }), ...paid({ id: 46, type: "LaterContract" }) },
      { ...shown({ type: "LaterContract" }), ...paid({ id: 99, type: "AnotherContract" }) },
      { ...shown({ type: "LaterContract", body: { timestamp: 9 } }), ...paid({ id: 99, type: "LaterContract" }) },
      { ...shown({ type: "GetContract" }), ...paid({}) },
    ];

    expect(forged.map((each) => integrityOf(each).integrity)).toEqual(Array(forged.length).fill("body_differs"));
  });

  test("is reported as forged when the body does not show it", () => {
    const later = numberField(90, 1);
    const claims = [{ payload: later }, { contract: later }, { body: later }, { body: numberField(18, 7) }];

    for (const more of claims) expect(integrityOf({ ...shown(), ...paid(more) }).integrity).toBe("body_differs");
    expect(integrityOf({ ...shown(), ...paid({ payload: numberField(3, 6) }) }).integrity).toBe("body_differs");
  });

  test("does not hide a repeated field, which readers interpret in different ways", () => {
    const strange = { value: { later_field: 1 } };

    expect(integrityOf({ ...shown(strange), ...paid({ payload: numberField(3, 5) }) }).integrity).toBe("body_differs");
    expect(integrityOf({ ...shown(strange), ...paid({ contract: numberField(1, 1) }) }).integrity).toBe("body_differs");
  });

  test("cannot be distinguished from a forgery by a hash alone", () => {
    const { txID } = paid({});

    expect(integrityOf({ ...shown({ value: { later_field: 1 } }, 6), txID }).integrity).toBe("not_compared");
    expect(integrityOf({ ...shown({}, 6), txID }).integrity).toBe("body_differs");
    expect(integrityOf({ ...shown({}, 6), txID, visible: true }).integrity).toBe("body_differs");
  });
});

test("a member that cannot be read is neither forged nor equal, at any position", () => {
  const claimed = paid({ contract: numberField(5, 2) });

  for (const json of [
    { contract: { Permission_id: [] } },
    { contract: { Permission_id: 2 }, value: { amount: "much" } },
  ]) {
    expect(integrityOf({ ...shown(json), ...claimed }).integrity).toBe("not_compared");
  }
  expect(integrityOf({ ...shown({ contract: { Permission_id: 2 } }), ...claimed }).integrity).toBe("equal");
});

describe("invalid bytes of a body", () => {
  test.each(["ff", "0a", "0a05", "5a00", "5affffffffffffffffffff01", `0a${"80".repeat(12)}`, "5d01020304", "59", "00"])(
    "%s",
    (raw_data_hex) => {
      expect(integrityOf({ ...shown(), raw_data_hex }).integrity).toBe("body_differs");
    },
  );
});

describe("names as a node shows them with `visible`", () => {
  const address = `41${"07".repeat(20)}`;
  const named = (account_name: string) => ({
    visible: true,
    raw_data: {
      contract: [{ type: "AccountUpdateContract", parameter: { value: { account_name, owner_address: address } } }],
    },
  });
  const bytesOfName = (name: readonly number[]) => {
    const value = [...bytesField(1, name), ...bytesField(2, [0x41, ...Array<number>(20).fill(7)])];
    const url = utf8("type.googleapis.com/protocol.AccountUpdateContract");
    const raw = bytesField(11, [
      ...numberField(1, 10),
      ...bytesField(2, [...bytesField(1, url), ...bytesField(2, value)]),
    ]);
    return Buffer.from(raw).toString("hex");
  };

  test("are text, or hex when they are no text", () => {
    expect(integrityOf({ ...named("caf\u00e9"), raw_data_hex: bytesOfName(utf8("caf\u00e9")) }).integrity).toBe(
      "equal",
    );
    expect(integrityOf({ ...named("6162"), raw_data_hex: bytesOfName(utf8("6162")) }).integrity).toBe("equal");
    expect(integrityOf({ ...named("6162"), raw_data_hex: bytesOfName([0x61, 0x62]) }).integrity).toBe("equal");
  });

  test("with replacement marks may stand for other bytes, which is no forgery", () => {
    expect(integrityOf({ ...named("\ufffda"), raw_data_hex: bytesOfName([0xff, 0x61]) }).integrity).toBe(
      "not_compared",
    );
    expect(integrityOf({ ...named("\ufffda"), raw_data_hex: bytesOfName([0xff, 0x62]) }).integrity).toBe(
      "body_differs",
    );
    expect(integrityOf({ ...named("\ufffda"), txID: "00" }).integrity).toBe("not_compared");
  });

  test("of one transaction each have a spelling of their own", () => {
    const value = { owner_address: address, description: "0a0b", url: "6162" };
    const body = { visible: true, raw_data: { contract: [{ type: "UpdateAssetContract", parameter: { value } }] } };
    const payload = [
      ...bytesField(1, [0x41, ...Array<number>(20).fill(7)]),
      ...bytesField(2, [0x0a, 0x0b]),
      ...bytesField(3, utf8("6162")),
    ];
    const url = utf8("type.googleapis.com/protocol.UpdateAssetContract");
    const raw = bytesField(11, [
      ...numberField(1, 15),
      ...bytesField(2, [...bytesField(1, url), ...bytesField(2, payload)]),
    ]);

    expect(integrityOf({ ...body, raw_data_hex: Buffer.from(raw).toString("hex") })).toEqual({
      integrity: "equal",
      txId: sha256(Uint8Array.from(raw)),
    });
    expect(integrityOf({ ...body, txID: sha256(Uint8Array.from(raw)) }).integrity).toBe("not_compared");
  });
});
