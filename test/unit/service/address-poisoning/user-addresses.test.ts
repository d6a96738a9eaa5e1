import { expect, test } from "vitest";
import type { CanonicalAddress } from "../../../../src/chains/address.ts";
import { UserAddresses } from "../../../../src/service/address-poisoning/user-addresses.ts";
import { chainOf } from "../../../support/poisoning-parts.ts";

const on = (id: string, text: string) => ({ chain: chainOf(id), address: text.toLowerCase() as CanonicalAddress });

test.each([
  [
    "an account of Hedera beside another",
    "295",
    "0x000000000000000000000000000000000016f89a",
    "0x000000000000000000000000000000000006f89a",
  ],
  [
    "two tokens of one factory",
    "8453",
    "0xb2000000000000000000003779298b7eB3D8d501",
    "0xb200000000000000000000c02ce1aA07c9E3d501",
  ],
  ["two predeploys", "10", "0x4200000000000000000000000000000000000006", "0x4200000000000000000000000000000000000016"],
  [
    "two predeploys of one filler",
    "10",
    "0xc0d3c0d3c0d3c0d3c0d3c0d3c0d3c0d3c0d30006",
    "0xc0d3c0d3c0d3c0d3c0d3c0d3c0d3c0d3c0d30007",
  ],
  [
    "two senders of the system",
    "10",
    "0xdeaddeaddeaddeaddeaddeaddeaddeaddead1111",
    "0xdeaddeaddeaddeaddeaddeaddeaddeaddead0000",
  ],
  [
    "a numbered address beside one that was searched for",
    "1",
    "0x0000000000000000000000000000000000abcdef",
    "0x000a9b8c7d6e5f4a3b2c1d0e9f8a7b6c5dabcdef",
  ],
])("no imitation is found in %s", (_what, chain, target, user) => {
  expect(new UserAddresses([on(chain, user)]).areImitatedBy(on(chain, target))).toBe(false);
});

test.each([
  [
    "of which 39 of 40 digits are equal",
    "0x52908400098527886e0f7030069857d2e4169ee8",
    "0x52908400098527886e0f7030069857d2e4169ee7",
  ],
  [
    "of which both ends and one more digit differ",
    "0xf2908400098527886e0f7130069857d2e4169ee8",
    "0x52908400098527886e0f7030069857d2e4169ee7",
  ],
  [
    "of which one alone has a filler",
    "0xc0d3c0d31c2d3e4f5a6b7c8d9eafb0c1d2e30007",
    "0xc0d3c0d3c0d3c0d3c0d3c0d3c0d3c0d3c0d30007",
  ],
  [
    "whose filler is six words, one less than it takes",
    "0xc0d3c0d3c0d3c0d3c0d3c0d31c2d3e4f5a6b0006",
    "0xc0d3c0d3c0d3c0d3c0d3c0d31c2d3e4f5a6b0007",
  ],
  [
    "that share two digits in front and six behind",
    "0x12b1111111111111111111111111111112abcdef",
    "0x12a111111111111111111111111111111aabcdef",
  ],
  [
    "of which the user's was numbered",
    "0x000a9b8c7d6e5f4a3b2c1d0e9f8a7b6c5d46f89a",
    "0x000000000000000000000000000000000006f89a",
  ],
])("addresses %s are an imitation", (_what, target, user) => {
  expect(new UserAddresses([on("1", user)]).areImitatedBy(on("1", target))).toBe(true);
});

test("the ending of a launchpad counts against users on its chain as well", () => {
  const [one, other] = ["0xabc2a4c1d0e9f8a7b6c5d4e3f2a1b0c9d8e74444", "0xabcf1e2d3c4b5a69788796a5b4c3d2e1f0a94444"];
  const users = new UserAddresses([on("56", one)]);

  expect(users.areImitatedBy(on("56", other))).toBe(true);
  expect(users.areImitatedBy(on("1", other))).toBe(true);
  const vain = new UserAddresses([on("56", "0xabcdef1211223344556677889900aabbccdd8888")]);
  expect(vain.areImitatedBy(on("56", "0xabcdef139f3e7a6b5c4d3e2f1a0b9c8d7e6f8888"))).toBe(true);
});
