import { expect, test } from "vitest";
import { sha256 } from "../../../../src/kernel/hash.ts";
import type { TransferEnds } from "../../../../src/messages/mapping/compile-mapping.ts";
import { OwnWallets } from "../../../../src/messages/mapping/own-wallets.ts";
import { MAX_PAID, PaidAddresses } from "../../../../src/messages/mapping/paid-addresses.ts";

const me = "0xd9a1b0b1e1ae382dbdc898ea68012ffcb2853a91";
const payee = (n: number) => `0x${sha256(String(n)).slice(0, 40)}`;

function paidIn(rows: readonly Partial<TransferEnds>[]): PaidAddresses {
  const paid = new PaidAddresses(new OwnWallets([me]));
  for (const [i, row] of rows.entries())
    paid.add(i + 2, { from: me, to: undefined, timeMs: i, direction: undefined, isPaid: true, ...row });
  paid.finish();
  return paid;
}

test("a row knows the payees strictly before it", () => {
  const paid = paidIn([{ to: payee(1) }, { to: payee(2) }, { to: payee(1) }]);

  expect([2, 3, 4].map((line) => paid.before(line))).toEqual([[], [payee(1)], [payee(1), payee(2)]]);
});

test("the newest row may come first, also among rows of one time", () => {
  const paid = paidIn([
    { to: payee(4), timeMs: 30 },
    { to: payee(3), timeMs: 20 },
    { to: payee(2), timeMs: 20 },
    { to: payee(1), timeMs: 10 },
  ]);

  expect([2, 3, 4, 5].map((line) => paid.before(line))).toEqual([
    [payee(1), payee(2), payee(3)],
    [payee(1), payee(2)],
    [payee(1)],
    [],
  ]);
});

test("rows of one time are in the order of a file that runs forward", () => {
  const paid = paidIn([
    { to: payee(1), timeMs: 10 },
    { to: payee(2), timeMs: 10 },
    { to: payee(3), timeMs: 20 },
  ]);

  expect(paid.before(3)).toEqual([payee(1)]);
  expect(paid.before(2)).toEqual([]);
});

test("payments that others made, that failed or that moved nothing pay no one", () => {
  const paid = paidIn([
    { from: payee(9), to: payee(1) },
    { to: payee(2), isPaid: false },
    { to: payee(3), timeMs: undefined },
    { to: "nonsense" },
    { to: me },
    { to: payee(4) },
  ]);

  expect(paid.before(7)).toEqual([]);
  expect(paid.hasTime(4)).toBe(false);
});

test("a lookalike of an earlier payee, or of the wallet, never becomes known", () => {
  const exchange = "0x1e227979f0b5bc691a70deaed2e0f39a6f538fd5";
  const lookalike = "0x1e22aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa538fd5";
  const likeMe = "0xd9a1c3788d81257612e2581a6ea0ada244853a91";
  const paid = paidIn([{ to: exchange }, { to: lookalike }, { to: likeMe }, { to: payee(1) }, { to: payee(2) }]);

  expect(paid.before(6)).toEqual([exchange, payee(1)]);
  expect(paid.resembling).toBe(2);
});

test("a row knows at most the last addresses that an event may hold", () => {
  const rows = Array.from({ length: MAX_PAID + 100 }, (_, n) => ({ to: payee(n) }));
  const paid = paidIn([...rows, { to: payee(0) }]);
  const last = paid.before(rows.length + 2);

  expect(paid.isCapped).toBe(true);
  expect(last).toHaveLength(MAX_PAID);
  expect(last.at(-1)).toBe(payee(MAX_PAID + 99));
});
