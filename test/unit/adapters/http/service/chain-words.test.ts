import { expect, test } from "vitest";
import { chainWords, ownWords } from "../../../../../src/adapters/http/service/chain-words.ts";

const { sent, heard } = chainWords(
  new Map([
    ["1", "ethereum"],
    ["56", "eip155:56"],
  ]),
);
const address = "0xd9a1c3788d81257612e2581a6ea0ada244853a91";

test("without names of its own a service gets and returns the same objects", () => {
  const object = { chain_id: "1", data: { address: `1:${address}` } };
  expect(ownWords.sent(object)).toBe(object);
  expect(ownWords.heard(object)).toBe(object);
});

test.each<[object, object]>([
  [
    { chain_id: "1", address },
    { chain_id: "ethereum", address },
  ],
  [
    { chainId: "56", address },
    { chainId: "eip155:56", address },
  ],
  [
    { chain_id: "137", address },
    { chain_id: "137", address },
  ],
  [
    { user_addresses: [{ chain_id: "1", address }], token_addresses: [{ chain_id: "137", address }] },
    { user_addresses: [{ chain_id: "ethereum", address }], token_addresses: [{ chain_id: "137", address }] },
  ],
  // Known addresses of an EVM transaction have no chain there.
  [
    { chain_id: "1", data: "1", user_addresses: [address] },
    { chain_id: "ethereum", data: "1", user_addresses: [address] },
  ],
  // Weir must not change the content of a transaction.
  [
    { tron_transactions: [{ chain_id: "1" }], sol_transactions: [{ chainId: "1" }] },
    { tron_transactions: [{ chain_id: "1" }], sol_transactions: [{ chainId: "1" }] },
  ],
])("%j is sent as %j", (request, expected) => {
  const before = structuredClone(request);
  expect(sent(request)).toEqual(expected);
  expect(request).toEqual(before);
});

test.each([
  [`Ethereum:${address}`, `1:${address}`],
  [`eip155:56:${address}`, `56:${address}`],
  [`evm:${address}`, `evm:${address}`],
  [address, address],
  ["", ""],
])("an answer about %s becomes one about %s", (told, expected) => {
  expect(heard({ code: "0", data: { address: told, is_erc20: "1" } })).toEqual({
    code: "0",
    data: { address: expected, is_erc20: "1" },
  });
});

test("items of a batch get the chains that the names stand for", () => {
  const items = (...ids: string[]) => ids.map((chain_id) => ({ chain_id, address }));
  const answer = {
    data: { target_addresses: items("ETHEREUM", "solana"), token_addresses: [...items("eip155:56"), 1] },
  };
  expect(heard(answer)).toEqual({
    data: { target_addresses: items("1", "solana"), token_addresses: [...items("56"), 1] },
  });
});

test.each([[{ code: "1", status: "in progress" }], [{ data: null }], [{ data: { target_addresses: 7, chain_id: 1 } }]])(
  "%j holds no chain name, and stays unchanged",
  (answer) => {
    expect(heard(answer)).toEqual(answer);
  },
);
