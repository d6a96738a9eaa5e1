import { expect, test } from "vitest";
import { chainByForm } from "../../../src/chains/chain-by-form.ts";

const solana = "4yfu48qwim7hGzD3Nphzd2A6ThydzysfKi4wBPFSgnhY";
const tron = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";

test.each([
  ["0x28C6c06298d514Db089934071355E5743bf21d60", "1"],
  [tron, "tron"],
  ["41a614f803b6fd780986a42c78ec9c7f77e6ded13c", "tron"],
  [solana, "solana"],
  ["11111111111111111111111111111111", "solana"],
  ["1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", "bitcoin"],
  ["bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", "bitcoin"],
])("the form of %s implies the chain %s", (address, chain) => {
  expect(chainByForm(address)).toEqual({ ok: true, value: chain });
});

test.each([
  ["0x12", "1"],
  ["0X28C6c06298d514Db089934071355E5743bf21d60", "1"],
  [`${tron.slice(0, -1)}u`, "tron"],
  ["1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb", "bitcoin"],
  ["bc1qar0", "bitcoin"],
])("%s has the form of %s, and the parser of that family reports the fault", (address, chain) => {
  expect(chainByForm(address)).toEqual({ ok: true, value: chain });
});

test.each([
  [
    "nonsense",
    "EVM: must start with 0x; TRON: must start with T, or with 41 in hex; Solana: must have 32 to 44 characters, has 8; Bitcoin: must start with 1, 3 or bc1",
  ],
  ["", "EVM: empty address; TRON: empty address; Solana: empty address; Bitcoin: empty address"],
  [
    solana.slice(0, 40),
    "EVM: must start with 0x; TRON: must start with T, or with 41 in hex; Solana: must decode to 32 bytes, has 29; Bitcoin: must start with 1, 3 or bc1",
  ],
  ["vitalik.eth", "it is a name: look up the address that it stands for, and check that"],
  ["app.example.org", "it is a name: look up the address that it stands for, and check that"],
  [
    "28c6c06298d514db089934071355e5743bf21d60",
    "it has 40 hex digits: an address of an EVM chain begins with 0x, so 0x28c6c06298d514db089934071355e5743bf21d60",
  ],
  [`0x${"ab".repeat(32)}`, "it has 64 hex digits, as hashes and keys have; an address of an EVM chain has 40"],
])("%j implies no chain, and the failure gives the reason", (text, detail) => {
  expect(chainByForm(text)).toEqual({ ok: false, detail });
});
