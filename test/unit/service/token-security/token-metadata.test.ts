import { encodeAbiParameters, hexToBytes, parseAbiParameters, stringToHex } from "viem";
import { expect, test } from "vitest";
import type { CallResult, EvmNode } from "../../../../src/service/evm/node.ts";
import { askToken } from "../../../../src/service/token-security/token-metadata.ts";

const never = new AbortController().signal;
const text = (value: string) => hexToBytes(encodeAbiParameters(parseAbiParameters("string"), [value]));
const word = (value: bigint) => hexToBytes(`0x${value.toString(16).padStart(64, "0")}`);

/** A token that answers each selector as the test says, and fails for the rest. */
function told(answers: Readonly<Record<string, Uint8Array>>) {
  const result = (data: Uint8Array | undefined): CallResult =>
    data === undefined ? { ok: false } : { ok: true, data };
  const node: EvmNode = {
    chainId: "1",
    head: async () => 1n,
    read: async () => [],
    call: async (calls) => calls.map(({ data }) => result(answers[data.slice(2, 10)])),
    experiment: async () => [],
    rehearse: async () => undefined,
    follow: async () => undefined,
    touched: async () => undefined,
  };
  return askToken(node, `0x${"1".repeat(40)}`, 1n, never);
}

test("the metadata of a complete token is read", async () => {
  expect(
    await told({
      "06fdde03": text("Wrapped Ether"),
      "95d89b41": text("WETH"),
      "313ce567": word(18n),
      "18160ddd": word(5n),
      "8da5cb5b": word(0xabcn),
    }),
  ).toEqual({ name: "Wrapped Ether", symbol: "WETH", decimals: 18, supply: 5n, owner: `0x${"abc".padStart(40, "0")}` });
});

test("a token without answers has no metadata", async () => {
  expect(await told({})).toEqual({
    name: undefined,
    symbol: undefined,
    decimals: undefined,
    supply: undefined,
    owner: undefined,
  });
});

test("the name of an old token is one word", async () => {
  expect((await told({ "95d89b41": hexToBytes(stringToHex("MKR", { size: 32 })) })).symbol).toBe("MKR");
});

test("the owner may be returned by getOwner", async () => {
  expect((await told({ "893d20e8": word(1n) })).owner).toBe(`0x${"1".padStart(40, "0")}`);
});

test.each([
  ["a line break and what turns a line round", text("US\nD\u202eC"), "USDC"],
  ["more than a name holds", text("x".repeat(500)), "x".repeat(128)],
  ["a length beyond its end", hexToBytes(`0x${"20".padStart(64, "0")}${"ff".padStart(64, "0")}`), undefined],
  ["a place that is not the next", hexToBytes(`0x${"40".padStart(64, "0")}${"1".padStart(64, "0")}`), undefined],
  ["nothing", new Uint8Array(), undefined],
])("the name is read or refused: %s", async (_name, bytes, name) => {
  expect((await told({ "06fdde03": bytes })).name).toBe(name);
});

test("impossible values count as missing", async () => {
  expect(await told({ "313ce567": word(256n), "8da5cb5b": word(1n << 160n) })).toMatchObject({
    decimals: undefined,
    owner: undefined,
  });
});
