import { getAddress, pad } from "viem";
import { expect, test } from "vitest";
import { readAddressOn } from "../../../src/chains/address-advice.ts";
import { findChain } from "../../../src/chains/registry.ts";

const evm = "0x7f367cc41522ce07553e823bf3be79a889debe1b";
const tron = "TNd4cEh4xvxqewPDmTmbt3iacH9JuFypPs";
const solana = "3PsJzQzV9tYGZ6gQoZq5VQZ4JCwtTjy715F7DdaRrcnR";
const bitcoin = "12QtD5BFwRsdNsAZY76UVE1xyCGNTojH9h";
const genesis = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp";

function read(chainId: string, text: string) {
  const chain = findChain(chainId);
  if (chain === undefined) throw new Error("no chain");
  return readAddressOn(chain, text);
}

test.each([
  ["1", `${evm} `, "character 43 is not a hex digit; remove the blanks around the address"],
  ["1", `\u200b${evm}`, "must start with 0x; remove the blanks around the address"],
  ["tron", `\n${tron}`, "remove the blanks around the address"],
  ["1", evm.slice(2), "must start with 0x; write 0x in front of the digits"],
  ["1", evm.replace("0x", "0X"), "must start with 0x; write 0x in place of 0X"],
  ["1", pad(evm), `must have 40 hex digits after 0x, has 64; write the address of the padded word: ${evm}`],
  ["1", `eip155:1:${evm}`, `must start with 0x; write the address alone: ${evm}`],
  ["1", `eth:${getAddress(evm)}`, `write the address alone: ${getAddress(evm)}`],
  ["1", `ethereum:${evm}@1?value=2`, `write the address alone: ${evm}`],
  ["solana", `${genesis}:${solana}`, `write the address alone: ${solana}`],
  ["bitcoin", `bitcoin:${bitcoin}?amount=1`, `write the address alone: ${bitcoin}`],
  ["1", "vitalik.eth", "must start with 0x; a name must be resolved to an address first"],
  ["1", tron, "must start with 0x; the text is an address of TRON: correct the chain"],
  ["tron", evm, "the text is an address of EVM chains: correct the chain"],
  ["bitcoin", solana, "the text is an address of Solana: correct the chain"],
])("on %s the failure for %j says what to write instead", (chain, text, said) => {
  const address = read(chain, text);

  expect(address.ok ? "" : address.detail).toContain(said);
});

test.each([
  ["1", "", "empty address"],
  ["1", "nonsense", "must start with 0x"],
  ["1", `${evm.slice(0, -2)} `, "character 41 is not a hex digit"],
  ["1", "eth:nonsense", "must start with 0x"],
  ["1", "x".repeat(300), "longer than 100 characters"],
])("on %s the failure for %j says only what is wrong", (chain, text, detail) => {
  expect(read(chain, text)).toEqual({ ok: false, detail });
});

test("a valid address of the chain is still accepted", () => {
  expect(read("1", getAddress(evm))).toEqual({ ok: true, value: evm });
});
