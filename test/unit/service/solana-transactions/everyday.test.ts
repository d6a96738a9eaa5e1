/** Everyday transactions on Solana under the default policy, with the labels that ship. docs/quality.md has the counts. */
import { describe, expect, test } from "vitest";
import type { Decision } from "../../../../src/messages/decision.ts";
import { ordinaryBefore, swappedWarnings } from "../../../fixtures/solana/everyday/before.ts";
import { everyday, swapped } from "../../../fixtures/solana/everyday.ts";
import { exactService } from "../../../support/exact-service.ts";
import { isNotMilder } from "../../../support/not-milder.ts";
import { bundledBook } from "../../../support/solana-bundled.ts";
import { verdictOnCase } from "../../../support/solana-case.ts";

const book = await bundledBook();
const inOrder: readonly Decision[] = ["ALLOW", "WARN", "BLOCK"];

test.each(everyday)("ordinary: $name", async (each) => {
  const { decision, fired } = await verdictOnCase(each, undefined, book);

  expect([decision, ...new Set(fired)]).toEqual(ordinaryBefore[each.name] ?? ["ALLOW"]);
});

test.each(swapped)("swapped: $name", async (each) => {
  const { decision } = await verdictOnCase(each, undefined, book);
  const before = swappedWarnings.has(each.name) ? "WARN" : "BLOCK";

  expect(inOrder.indexOf(decision), `${decision} after ${before}`).toBeGreaterThanOrEqual(inOrder.indexOf(before));
});

describe("a service that has only the interface", () => {
  test.each([...everyday, ...swapped])("no milder: $name", async (each) => {
    const own = await verdictOnCase(each, undefined, book);
    const exact = await verdictOnCase(each, exactService, book);

    expect(isNotMilder(own.decision, exact.decision), `${own.decision}, and ${exact.decision}`).toBe(true);
  });
});

test("the counts: 50 ordinary kinds, 29 of them allowed, and 131 with a wrong party", () => {
  const stopped = Object.values(ordinaryBefore).map(([decision]) => decision);
  const count = (wanted: Decision) => stopped.filter((decision) => decision === wanted).length;

  expect([everyday.length, everyday.length - stopped.length, count("WARN"), count("BLOCK")]).toEqual([50, 29, 12, 9]);
  expect([swapped.length, swappedWarnings.size]).toEqual([131, 28]);
  expect(new Set([...everyday, ...swapped].map(({ name }) => name)).size).toBe(181);
});
