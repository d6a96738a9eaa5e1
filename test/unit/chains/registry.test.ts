import { expect, test } from "vitest";
import { chains, findChain } from "../../../src/chains/registry.ts";

test.each([
  ["1", "Ethereum"],
  ["10", "OP Mainnet"],
  ["56", "BNB Smart Chain"],
  ["137", "Polygon"],
  ["8453", "Base"],
  ["42161", "Arbitrum One"],
  ["43114", "Avalanche"],
])("the EIP-155 id %s is %s", (id, name) => {
  expect(findChain(id)).toEqual({ id, name, family: "evm" });
});

test.each([97, 17000, 43113, 80002, 84532, 421614, 560048, 11155111, 11155420])("the testnet %i is known", (id) => {
  expect(findChain(String(id))).toMatchObject({ id: String(id), family: "evm" });
});

test.each(["31337", "1337", "11155421", "5", "999999"])("%s is no known chain", (id) => {
  expect(findChain(id)).toBeUndefined();
});

test.each([
  ["tron", "tron"],
  ["TRX", "tron"],
  ["728126428", "tron"],
  ["solana", "solana"],
  ["Sol", "solana"],
  ["bitcoin", "bitcoin"],
  ["BTC", "bitcoin"],
  ["eth", "1"],
  ["Ethereum", "1"],
  ["bsc", "56"],
  ["bnb", "56"],
  ["polygon", "137"],
  ["MATIC", "137"],
  ["arbitrum", "42161"],
  ["optimism", "10"],
  ["base", "8453"],
  ["avax", "43114"],
  ["avalanche", "43114"],
])("%s is another name of %s", (alias, id) => {
  expect(findChain(alias)?.id).toBe(id);
});

test.each([
  ["cronos", "Cronos Mainnet"],
  ["gnosis", "Gnosis"],
  ["xdai", "Gnosis"],
  ["unichain", "Unichain"],
  ["sonic", "Sonic"],
  ["opbnb", "opBNB"],
  ["fantom", "Fantom"],
  ["ftm", "Fantom"],
  ["zksync", "ZKsync Era"],
  ["moonbeam", "Moonbeam"],
  ["ronin", "Ronin"],
  ["mantle", "Mantle"],
  ["kaia", "Kaia"],
  ["celo", "Celo"],
  ["linea", "Linea Mainnet"],
  ["berachain", "Berachain"],
  ["blast", "Blast"],
  ["scroll", "Scroll"],
  ["sepolia", "Sepolia"],
])("%s leads to the network %s", (alias, name) => {
  expect(findChain(alias)?.name).toBe(name);
});

test.each([
  "",
  "0",
  "01",
  "+1",
  "-1",
  "1.0",
  "1e0",
  "0x1",
  " 1",
  "1 ",
  "eip155:1",
  "__proto__",
  "constructor",
  "toString",
  "1".repeat(100_000),
])("%.20s is not a spelling of a chain", (id) => {
  expect(findChain(id)).toBeUndefined();
});

test("SLIP-44 numbers do not name TRON, Solana and Bitcoin", () => {
  const found = ["195", "501", "0"].map((id) => findChain(id)?.family);

  expect(found).toEqual([undefined, undefined, undefined]);
});

test("every chain is found by its id, and ids are unique", () => {
  expect(chains.length).toBe(406);
  expect(new Set(chains.map((chain) => chain.id)).size).toBe(chains.length);
  for (const chain of chains) expect(findChain(chain.id)).toBe(chain);
});

test("evm chains come first, ascending by id, then the others", () => {
  const evm = chains.filter((chain) => chain.family === "evm");
  const ids = evm.map((chain) => Number(chain.id));

  expect(chains.slice(0, evm.length)).toEqual(evm);
  expect(chains.slice(evm.length).map((chain) => chain.id)).toEqual(["tron", "solana", "bitcoin"]);
  expect(ids).toEqual(ids.toSorted((a, b) => a - b));
});

test("names are plain printable text", () => {
  for (const chain of chains) expect(chain.name).toMatch(/^[\x21-\x7e]+( [\x21-\x7e]+)*$/);
});
