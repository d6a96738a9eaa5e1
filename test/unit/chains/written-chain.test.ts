import { describe, expect, test } from "vitest";
import { accountIdIn, unknownChainText, writtenChain } from "../../../src/chains/written-chain.ts";

const idOf = (text: string) => {
  const chain = writtenChain(text);
  return chain.ok ? chain.value.id : undefined;
};

test.each([
  ["eip155:1", "1"],
  ["eip155:0x38", "56"],
  ["solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", "solana"],
  ["bip122:000000000019d6689c085ae165831e93", "bitcoin"],
  ["tron:0x2b6653dc", "tron"],
  ["0x1", "1"],
  ["0X89", "137"],
  [" ETH ", "1"],
  ["ERC20", "1"],
  ["ERC-20", "1"],
  ["TRC20", "tron"],
  ["trc-20", "tron"],
  ["BEP20", "56"],
  ["SPL", "solana"],
  ["USDT-TRC20", "tron"],
  ["USDT_ERC20", "1"],
  ["USDT (TRC-20)", "tron"],
  ["BNB Smart Chain (BEP20)", "56"],
  ["Tron (TRC20)", "tron"],
  ["ETH (BEP20)", "56"],
  ["LTC (BEP20)", "56"],
  ["Arbitrum One", "42161"],
  ["Arbitrum (ERC20)", "42161"],
  ["MATIC-ERC20", "1"],
  ["Polygon POS", "137"],
  ["AVAX C-Chain", "43114"],
  ["avalanche_c", "43114"],
  ["binance-smart-chain", "56"],
  ["USDC-SOL", "solana"],
  ["Bitcoin", "bitcoin"],
  ["USDC on", undefined],
  ["USDC Polygon network", "137"],
  ["XYZ/ERC20", "1"],
])("%j is chain %s", (text, id) => {
  expect(idOf(text)).toBe(id);
});

describe("a chain that is not screened is named", () => {
  test.each([
    ["LTC", "Litecoin (LTC) is a chain that Weir does not screen"],
    ["litecoin", "Litecoin (LTC) is a chain that Weir does not screen"],
    ["XRP", "XRP Ledger (XRP) is a chain that Weir does not screen"],
    ["TON", "The Open Network (TON) is a chain that Weir does not screen"],
    ["USDT-TON", "The Open Network (TON) is a chain that Weir does not screen"],
    ["ETH (TON)", "The Open Network (TON) is a chain that Weir does not screen"],
    ["BEP2", "BNB Beacon Chain is a chain that Weir does not screen"],
    ["BNB Beacon Chain (BEP2)", "BNB Beacon Chain is a chain that Weir does not screen"],
    ["xrpl:0", "XRP Ledger (XRP) is a chain that Weir does not screen"],
    ["bip122:12a765e31ffd4059bada1e25190f6e98", "Litecoin (LTC) is a chain that Weir does not screen"],
    ["Cosmos", "Cosmos (ATOM) is a chain that Weir does not screen"],
    ["DOGE", "Dogecoin or Verge (DOGE or XVG) is a chain that Weir does not screen"],
  ])("%j", (text, detail) => {
    expect(writtenChain(text)).toEqual({ ok: false, detail });
    expect(unknownChainText(text)).toBe(detail);
  });
});

test.each([
  ["", 'unknown chain ""'],
  ["0x0", 'unknown chain "0x0"'],
  ["-1", 'unknown chain "-1"'],
  ["1.0", 'unknown chain "1.0"'],
  ["01", 'unknown chain "01"'],
  ["1e0", 'unknown chain "1e0"'],
  ["eip155:", 'unknown chain "eip155:"'],
  ["eip155:999999999999", 'unknown chain "eip155:999999999999"'],
  ["solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1", 'unknown chain "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1"'],
  ["USDT", 'unknown chain "USDT"'],
  ["__proto__", 'unknown chain "__proto__"'],
  ["x".repeat(100), `unknown chain "${"x".repeat(40)}…"`],
  ["Ethereum Classic", 'unknown chain "Ethereum Classic"'],
  ["Polygon zkEVM", 'unknown chain "Polygon zkEVM"'],
  ["Ethereum Goerli", 'unknown chain "Ethereum Goerli"'],
  ["TRC20 (Shasta testnet)", 'unknown chain "TRC20 (Shasta testnet)"'],
  ["BTC/ETH", '"BTC/ETH" names several chains: Bitcoin, Ethereum'],
  ["TRC20 or ERC20", '"TRC20 or ERC20" names several chains: TRON, Ethereum'],
  ["Tron ERC20", '"Tron ERC20" names several chains: TRON, Ethereum'],
])("%.30j is no chain: %s", (text, detail) => {
  expect(writtenChain(text)).toEqual({ ok: false, detail });
});

test("CAIP-10 has a chain and an address", () => {
  expect(accountIdIn("eip155:1:0xab16a96D359eC26a11e2C2b3d8f8B8942d5Bfcdb")).toEqual({
    chain: "eip155:1",
    address: "0xab16a96D359eC26a11e2C2b3d8f8B8942d5Bfcdb",
  });
  for (const text of ["eth:0xab", "eip155:1", "a:b:c:d", "https://x:1"]) expect(accountIdIn(text)).toBeUndefined();
});
