import { expect, test } from "vitest";
import type { CanonicalAddress } from "../../../../src/chains/address.ts";
import { lookalike } from "../../../../src/chains/lookalike.ts";
import { sha256 } from "../../../../src/kernel/hash.ts";
import { comparablePayees, MANY_PAYEES } from "../../../../src/messages/mapping/comparable-payees.ts";
import { mappedEvent } from "../../../../src/messages/mapping/mapped-event.ts";
import { OwnWallets } from "../../../../src/messages/mapping/own-wallets.ts";

const random = (n: number) => `0x${sha256(String(n)).slice(0, 40)}`;
const address = "0x1e227979f0b5bc691a70deaed2e0f39a6f538fd5";
const payees = Array.from({ length: 2_000 }, (_, n) => random(n));
const alike = [
  // The same beginning and end, the same end, the same beginning, and two typing errors at both ends.
  "0x1e22aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa538fd5",
  `0x${"a".repeat(32)}6f538fd5`,
  `0x1e227979${"b".repeat(32)}`,
  "0x2e227979f0b5bc691a70deaed2e0f39a6f538fd6",
];

test("a wallet with few payees keeps them all", () => {
  const few = payees.slice(0, MANY_PAYEES);

  expect(comparablePayees(address, few)).toBe(few);
});

test("of many payees, those that the address can be mistaken for remain, and itself", () => {
  const kept = comparablePayees(address, [...payees, ...alike, address]);

  expect(kept).toEqual(expect.arrayContaining([...alike, address]));
  expect(kept.length).toBeLessThan(60);
});

test("no lookalike is left out, whichever payee is asked about", () => {
  const all = [...payees, ...alike, address] as CanonicalAddress[];
  for (const one of all.slice(-200)) {
    const kept = new Set(comparablePayees(one, all));
    const lost = all.filter((other) => !kept.has(other) && lookalike("evm", one, other) !== undefined);
    expect(lost).toEqual([]);
  }
});

test("an event of a wallet with many payees holds only those that matter, and the wallet", () => {
  const me = "0xd9a1b0b1e1ae382dbdc898ea68012ffcb2853a91";
  const view = { wallets: new OwnWallets([me]), paid: { before: () => [...payees, ...alike], hasTime: () => true } };
  const ends = { from: me, to: address, timeMs: 1, direction: undefined, isPaid: true };
  const event = mappedEvent({ values: { type: "address", chain_id: "1" }, ends }, {}, { line: 2, view });

  if (!event.ok) throw new Error(event.detail);
  expect(event.value.user_addresses).toEqual(expect.arrayContaining([me, ...alike]));
  expect(event.value.user_addresses?.length).toBeLessThan(60);
});
