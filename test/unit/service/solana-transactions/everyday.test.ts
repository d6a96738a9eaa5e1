/** Everyday transactions on Solana under the default policy, with the labels that ship. docs/quality.md has the counts. */
import { describe, expect, test } from "vitest";
import type { Decision } from "../../../../src/messages/decision.ts";
import { everydayAttacks } from "../../../fixtures/solana/everyday/attacks.ts";
import { ordinaryBefore, swappedWarnings } from "../../../fixtures/solana/everyday/before.ts";
import { ordinaryNow } from "../../../fixtures/solana/everyday/now.ts";
import { everyday, swapped } from "../../../fixtures/solana/everyday.ts";
import { exactService } from "../../../support/exact-service.ts";
import { isNotMilder } from "../../../support/not-milder.ts";
import { bundledBook } from "../../../support/solana-bundled.ts";
import { verdictOnCase } from "../../../support/solana-case.ts";

const book = await bundledBook();
const inOrder: readonly Decision[] = ["ALLOW", "WARN", "BLOCK"];

test.each(everyday)("ordinary: $name", async (each) => {
  const { decision, fired } = await verdictOnCase(each, undefined, book);

  expect([decision, ...new Set(fired)]).toEqual(ordinaryNow[each.name] ?? ["ALLOW"]);
});

test.each(swapped)("swapped: $name", async (each) => {
  const { decision } = await verdictOnCase(each, undefined, book);
  const before = swappedWarnings.has(each.name) ? "WARN" : "BLOCK";

  expect(inOrder.indexOf(decision), `${decision} after ${before}`).toBeGreaterThanOrEqual(inOrder.indexOf(before));
});

test.each(everydayAttacks)("attack: $name", async ({ expected, ...each }) => {
  const { decision, fired } = await verdictOnCase(each, undefined, book);

  expect([decision, ...new Set(fired)]).toEqual(expected);
});

describe("a service that has only the interface", () => {
  test.each([...everyday, ...swapped, ...everydayAttacks])("no milder: $name", async (each) => {
    const own = await verdictOnCase(each, undefined, book);
    const exact = await verdictOnCase(each, exactService, book);

    expect(isNotMilder(own.decision, exact.decision), `${own.decision}, and ${exact.decision}`).toBe(true);
  });
});

const counted = (stopped: typeof ordinaryNow) => {
  const decisions = Object.values(stopped).map(([decision]) => decision);
  const count = (wanted: Decision) => decisions.filter((decision) => decision === wanted).length;
  return { ALLOW: everyday.length - decisions.length, WARN: count("WARN"), BLOCK: count("BLOCK") };
};

test("the counts of 50 ordinary kinds, before and now, and of 131 with a wrong party", () => {
  const names = new Set(everyday.map(({ name }) => name));

  expect(names.size).toBe(50);
  expect(Object.keys({ ...ordinaryBefore, ...ordinaryNow }).filter((name) => !names.has(name))).toEqual([]);
  expect(counted(ordinaryBefore)).toEqual({ ALLOW: 29, WARN: 12, BLOCK: 9 });
  expect(counted(ordinaryNow)).toEqual({ ALLOW: 47, WARN: 3, BLOCK: 0 });
  expect([new Set(swapped.map(({ name }) => name)).size, swappedWarnings.size]).toEqual([131, 28]);
});
