import fc from "fast-check";
import { TronWeb, type Types, utils } from "tronweb";
import { describe, expect, test } from "vitest";
import type { ClaimedBytes } from "../../../../../src/chains/tron/message/integrity.ts";
import { parseTronAddress } from "../../../../../src/chains/tron/tron-address.ts";
import { isRawNumber } from "../../../../../src/kernel/json.ts";
import { readTron } from "../../../../../src/worker/plan/reading/tron-reading.ts";
import { tronVectors } from "../../../../support/tron-vectors.ts";

const numRuns = Number(process.env["FC_RUNS"] ?? 60);

type Path = readonly (string | number)[];

/** A copy that may be changed. The vectors hold no number beyond 2^53, which a copy would not keep. */
const copyOf = (transaction: ClaimedBytes): ClaimedBytes => JSON.parse(JSON.stringify(transaction));

/** Every path in the body, except the one that compilers add to an interface and no signer writes. */
function* placesIn(value: unknown, path: Path = []): Generator<Path> {
  if (path.at(-1) === "internalType") return;
  if (path.length > 0) yield path;
  if (typeof value !== "object" || value === null || isRawNumber(value)) return;
  for (const [key, member] of Object.entries(value)) yield* placesIn(member, [...path, key]);
}

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, step) => Reflect.get(Object(inner), step), value);
}

/** Values that a forger may write: each JSON type, and values close to the original. */
const written = fc.oneof(
  fc.nat(),
  fc.bigInt(0n, 2n ** 63n - 1n).map(String),
  fc.boolean(),
  fc.string({ maxLength: 8 }),
  fc.uint8Array({ maxLength: 21 }).map((bytes) => Buffer.from(bytes).toString("hex")),
  fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => `41${Buffer.from(bytes).toString("hex")}`),
  fc.constantFrom("ENERGY", "BANDWIDTH", "Active", "Owner", "Witness", "TransferContract", "TriggerSmartContract"),
  fc.constant([]),
  fc.constant({}),
  fc.constant(undefined),
);

/**
 * Whether the library's own encoder writes the same bytes for the changed body. Undefined if it cannot encode the body.
 */
function tronwebAgrees(transaction: ClaimedBytes): boolean | undefined {
  try {
    return utils.transaction.txCheck(transaction as unknown as Types.Transaction);
  } catch {
    // The encoder throws for types without an encoder, and for values that it cannot write.
    return undefined;
  }
}

describe("a changed transaction never counts as honest", () => {
  test.each(tronVectors)("$name", ({ transaction }) => {
    const places = [...placesIn(transaction.raw_data)];
    const byOwnEncoder = tronwebAgrees(copyOf(transaction));
    fc.assert(
      fc.property(fc.constantFrom(...places), written, (path, value) => {
        const changed = copyOf(transaction);
        Reflect.set(Object(at(changed.raw_data, path.slice(0, -1))), path.at(-1) ?? "", value);
        // A missing field means 0, and so does 0. tronweb turns a missing number into NaN.
        fc.pre(
          value !== undefined || (at(transaction.raw_data, path) !== 0 && at(transaction.raw_data, path) !== false),
        );
        // An enum's number is also read as text, and tronweb does not accept it as a name.
        fc.pre(!(["resource", "type", "stateMutability"].includes(String(path.at(-1))) && /^\d+$/.test(String(value))));
        const reading = readTron(changed);
        if (!reading.ok || reading.value.report.integrity !== "equal" || byOwnEncoder !== true) return;

        // The change is then only another spelling of the same value.
        expect(tronwebAgrees(changed), `${path.join(".")} as ${JSON.stringify(value)}`).not.toBe(false);
      }),
      { numRuns },
    );
  });
});

test("invalid bytes never crash the comparison, and are reported as a different body", () => {
  const vector = fc.constantFrom(...tronVectors.map(({ transaction }) => transaction));
  const cut = vector.chain(({ raw_data_hex = "" }) =>
    fc.nat(raw_data_hex.length).map((end) => raw_data_hex.slice(0, end)),
  );
  const bytes = fc.uint8Array({ maxLength: 80 }).map((some) => Buffer.from(some).toString("hex"));
  fc.assert(
    fc.property(vector, fc.oneof(cut, bytes), (transaction, raw_data_hex) => {
      fc.pre(raw_data_hex !== "" && raw_data_hex !== transaction.raw_data_hex);
      const reading = readTron({ ...copyOf(transaction), raw_data_hex, txID: undefined });

      expect(reading).toMatchObject({ ok: true, value: { report: { integrity: "body_differs" } } });
    }),
    { numRuns: 10 * numRuns },
  );
});

describe("an honest transaction never counts as forged", () => {
  const { transactionBuilder } = new TronWeb({ fullHost: "http://127.0.0.1:1" });
  const time = fc.integer({ min: 1, max: 2 ** 42 });
  const header = fc.record({
    ref_block_bytes: fc.uint8Array({ minLength: 2, maxLength: 2 }).map((bytes) => Buffer.from(bytes).toString("hex")),
    ref_block_hash: fc.uint8Array({ minLength: 8, maxLength: 8 }).map((bytes) => Buffer.from(bytes).toString("hex")),
    expiration: time,
    timestamp: time,
  });
  const address = fc
    .uint8Array({ minLength: 20, maxLength: 20 })
    .map((bytes) => `41${Buffer.from(bytes).toString("hex")}`);
  const verdictOn = (transaction: unknown) => {
    const reading = readTron(JSON.parse(JSON.stringify(transaction)));
    return reading.ok ? reading.value.report.integrity : reading.detail;
  };
  const base58 = (text: string) => {
    const parsed = parseTronAddress(text);
    return parsed.ok ? parsed.value : text;
  };

  test("payments of any amount, in hex and as a node shows them", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
        address,
        address,
        header,
        async (amount, to, from, blockHeader) => {
          fc.pre(to !== from);
          const built = await transactionBuilder.sendTrx(to, amount, from, { blockHeader });

          expect(verdictOn(built)).toBe("equal");
          const text = JSON.stringify(built).replaceAll(/"(41[0-9a-f]{40})"/g, (_, hex: string) => `"${base58(hex)}"`);
          expect(verdictOn({ ...JSON.parse(text), visible: true })).toBe("equal");
        },
      ),
      { numRuns },
    );
  });

  test("names of any bytes, as java writes them as text", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.uint8Array({ minLength: 1, maxLength: 12 }).map((bytes) => Buffer.from(bytes)),
          fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }).map((text) => Buffer.from(text)),
          fc.constantFrom("6162", "0x61", "ff", "00").map((text) => Buffer.from(text)),
        ),
        address,
        header,
        async (name, owner, blockHeader) => {
          const built = await transactionBuilder.updateAccount("name", owner, { blockHeader });
          const pb = (account_name: string) => {
            const copy = JSON.parse(JSON.stringify(built));
            copy.raw_data.contract[0].parameter.value.account_name = account_name;
            return copy;
          };
          const bytes = utils.transaction.txPbToRawDataHex(utils.transaction.txJsonToPb(pb(name.toString("hex"))));
          const shownAs = (account_name: string) =>
            verdictOn({ ...pb(account_name), visible: true, raw_data_hex: bytes, txID: undefined });

          const text = name.toString("utf8");
          expect(shownAs(name.toString("hex"))).toBe("equal");
          expect(shownAs(text)).toBe(Buffer.from(text).equals(name) ? "equal" : "not_compared");
        },
      ),
      { numRuns },
    );
  });
});
