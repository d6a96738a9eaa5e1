import { describe, expect, test } from "vitest";
import {
  judgeLater,
  judgeTrade,
  judgeTrials,
  needsFallback,
  type PoolTrade,
  sold,
  taxOf,
  type Unbought,
} from "../../../../../src/service/token-security/trade-simulation/trade.ts";
import type { Sale, TrialOutcome } from "../../../../../src/service/token-security/trade-simulation/trial.ts";

const units = 1_000_000n;
const sent = (arrived = units) => ({ ok: arrived > 0n, sent: units, arrived });
const sale = (arrived = units): Sale => ({ ...sent(arrived), paid: arrived });
const noSale = sale(0n);

const free: TrialOutcome = { funded: true, bought: sent(), transfer: sent(), sale: sale(), secondSale: sale() };
const trapped: TrialOutcome = { ...free, sale: noSale, secondSale: noSale };
const closed: TrialOutcome = {
  funded: true,
  bought: sent(0n),
  transfer: undefined,
  sale: undefined,
  secondSale: undefined,
};
const given = (outcome: TrialOutcome): TrialOutcome => ({ ...outcome, bought: undefined });
const frozen: TrialOutcome = { ...given(trapped), transfer: sent(0n), secondSale: undefined };

describe("a tax", () => {
  test.each([
    [1_000_000n, 0],
    [999_500n, 0.1],
    [999_499n, 0.1],
    [999_501n, 0],
    [995_000n, 0.5],
    [900_000n, 10],
    [0n, 100],
    [2_000_000n, 0],
  ] as const)("when %s of a million units arrive, the tax is %s", (arrived, tax) => {
    expect(taxOf({ ok: true, sent: units, arrived })).toBe(tax);
  });

  test("too few units give no tax", () => {
    expect(taxOf({ ok: true, sent: 1_999n, arrived: 1_999n })).toBeUndefined();
    expect(taxOf({ ok: true, sent: 2_000n, arrived: 1_800n })).toBe(10);
  });
});

test("a sale counts when more than a tenth arrives and the pool pays", () => {
  expect(sold(sale(100_001n))).toBe(true);
  expect(sold(sale(100_000n))).toBe(false);
  expect(sold({ ...sale(), paid: 0n })).toBe(false);
  expect(sold({ ...sale(), ok: false })).toBe(false);
  expect(sold(undefined)).toBe(false);
});

describe("a honeypot", () => {
  const first = { ...free, secondSale: noSale };
  test.each([
    ["sells for both who bought", [free], undefined, "unknown", false],
    ["sells for nobody", [trapped], given(trapped), "unknown", true],
    ["sells for who has not bought, and makes buyers wait", [trapped], given(free), true, false],
    ["sells for who has not bought, and makes nobody wait", [trapped], given(free), false, "unknown"],
    ["sells for who has not bought, and may make buyers wait", [trapped], given(free), "unknown", "unknown"],
    ["sells for nobody, makes nobody wait, and tokens cannot be given", [trapped], undefined, false, true],
    ["sells for nobody, may make buyers wait, and tokens cannot be given", [trapped], undefined, "unknown", "unknown"],
    ["sells for one buyer, and tokens cannot be given", [first], undefined, false, "unknown"],
    ["makes the second wait, who has just received, too", [trapped], given(first), true, false],
    ["sells for the first alone, however tokens were had", [first], given(first), false, "unknown"],
    ["cannot be bought, but sold", [closed], given(free), true, "unknown"],
    ["cannot be bought nor sold, but passed on", [closed], given(trapped), false, true],
    ["cannot be moved at all", [closed], frozen, false, "unknown"],
    ["has no pool", [], given({ ...free, sale: undefined, secondSale: undefined }), false, "unknown"],
    ["could not be tried", [], undefined, false, "unknown"],
    [
      "sells for who bought, and cannot be passed on",
      [{ ...free, secondSale: undefined }],
      undefined,
      false,
      "unknown",
    ],
    ["sells the least, and no more than that", [free, { ...free, sale: noSale }], undefined, false, "unknown"],
    ["sells the least, and a little more cannot be bought", [free, closed], undefined, false, false],
    ["sells little, and not much", [free, free, { ...free, sale: noSale }], undefined, false, false],
  ] as const)("a token is a honeypot or not: it %s", (_name, purchases, other, waits, honeypot) => {
    expect(judgeTrade(purchases, { stranger: other }, waits).honeypot).toBe(honeypot);
  });
});

describe("a token that only its owner sells", () => {
  const owner = given({ ...free, secondSale: noSale });
  test.each<[string, readonly TrialOutcome[], Unbought, boolean | "unknown"]>([
    ["where neither buyers nor who was given tokens can", [trapped], { stranger: given(trapped), owner }, true],
    ["where buyers cannot, and nobody can be given any", [trapped], { owner }, true],
    ["where nobody can buy, nor sell what the owner gives", [closed], { owner }, true],
    ["not where the owner cannot either", [trapped], { stranger: given(trapped), owner: given(trapped) }, false],
    ["not where a buyer can", [free], {}, false],
    ["not where who was given tokens can", [trapped], { stranger: given(free), owner }, false],
    ["not where who has them from the owner can", [trapped], { stranger: given(trapped), owner: given(free) }, false],
    ["or not, where the owner did not try", [trapped], { stranger: given(trapped) }, "unknown"],
    ["or not, where no stranger got so far", [closed], { owner: { ...owner, secondSale: undefined } }, "unknown"],
  ])("the owner alone sells or not: %s", (_name, purchases, others, only) => {
    expect(judgeTrade(purchases, others, false).onlyOwnerSells).toBe(only);
  });

  test("the owner's transfer gives the transfer tax where no stranger could transfer", () => {
    const taxed = given({ ...free, transfer: sent(930_000n) });

    expect(judgeTrade([closed], { owner: taxed }, false).transferTax).toBe(7);
  });
});

test("a size limit is a small trade that succeeds and a larger one that fails", () => {
  const limited = (...later: readonly TrialOutcome[]) => judgeTrade([free, ...later], {}, false).sizeLimited;

  expect(limited(free)).toBe(false);
  expect(limited(free, closed)).toBe(true);
  expect(limited({ ...free, sale: noSale })).toBe(true);
  expect(limited({ ...closed, funded: false, bought: undefined })).toBe(false);
  expect(judgeTrade([trapped, closed], {}, false).sizeLimited).toBe(false);
});

test("the taxes are the highest of any purchase, or those of a holder that was given tokens", () => {
  const taxed: TrialOutcome = { ...free, bought: sent(950_000n), transfer: sent(980_000n), sale: sale(900_000n) };

  expect(judgeTrade([taxed, free], {}, false)).toMatchObject({ buyTax: 5, transferTax: 2, sellTax: 10 });
  expect(judgeTrade([free, taxed], {}, false)).toMatchObject({ buyTax: 5, transferTax: 2, sellTax: 10 });
  expect(judgeTrade([{ ...free, secondSale: sale(200_000n) }], {}, false).sellTax).toBe(80);
  expect(judgeTrade([{ ...free, transfer: { ...sent(0n), ok: true } }], {}, false).transferTax).toBe(100);
  expect(judgeTrade([], { stranger: given(taxed) }, false)).toMatchObject({
    buyTax: undefined,
    transferTax: 2,
    sellTax: 10,
  });
});

describe("several pools", () => {
  const trade = (...purchases: readonly TrialOutcome[]): PoolTrade => ({
    ...judgeTrade(purchases, {}, false),
    wasBought: purchases[0]?.bought?.ok === true,
  });
  const trapInOther = trade(trapped);
  test.each<[string, readonly PoolTrade[], boolean | "unknown"]>([
    ["are free where each is", [trade(free), trade(free)], false],
    ["are a trap where one is", [trade(free), trapInOther], true],
    ["are a trap where the fullest is", [trapInOther, trade(free)], true],
    [
      "are not known where somebody bought and may be stuck",
      [trade(free), trade({ ...free, secondSale: noSale })],
      "unknown",
    ],
    ["are free where nobody can buy in a lesser one", [trade(free), trade(closed)], false],
    ["are free where nobody can buy in the fullest", [trade(closed), trade(free)], false],
    ["are not known where nobody can buy in any", [trade(closed), trade(closed)], "unknown"],
    ["are not known where there are none", [], "unknown"],
  ])("several pools together %s", (_name, trades, honeypot) => {
    expect(judgeTrials(trades).honeypot).toBe(honeypot);
  });

  test("several pools together give the highest taxes, and the size limit of any pool", () => {
    const taxed = trade({ ...free, bought: sent(950_000n), sale: sale(900_000n) }, closed);

    expect(judgeTrials([trade(free), taxed])).toMatchObject({
      buyTax: 5,
      transferTax: 0,
      sellTax: 10,
      sizeLimited: true,
    });
  });
});

test.each([
  [false, "sells", false, false],
  [false, "sells", true, false],
  [false, "stuck", false, "unknown"],
  [false, "not_asked", false, false],
  [false, "not_asked", true, "unknown"],
  [true, "stuck", false, true],
] as const)("trap finding %s, later sale %s, waiting period %s: result %s", (honeypot, later, waited, expected) => {
  const trade = { ...judgeTrade([free], {}, false), honeypot };

  expect(judgeLater(trade, later, waited)).toEqual({ ...trade, honeypot: expected });
});

test("a trial without a purchase is needed unless both holders sold the smallest purchase", () => {
  expect([free, trapped, closed, { ...free, secondSale: noSale }].map((one) => needsFallback([one, free]))).toEqual([
    false,
    true,
    true,
    true,
  ]);
  expect(needsFallback([])).toBe(true);
});
