/** The Solana part of docs/quality.md: the worker's decisions on the checked-in cases, under the default policy. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import type { Decision } from "../../../../src/messages/decision.ts";
import { attackVerdicts } from "../../../fixtures/solana/attack-verdicts.ts";
import { attacks, ordinary } from "../../../fixtures/solana/cases.ts";
import { verdictOnCase } from "../../../support/solana-case.ts";

test.each(ordinary)("ordinary: $name", async (each) => {
  expect(await verdictOnCase(each)).toMatchObject({ decision: "ALLOW", fired: [] });
});

test.each(attacks)("attack: $name", async (each) => {
  const { decision, fired } = await verdictOnCase(each);

  expect([decision, ...fired]).toEqual(attackVerdicts[each.name]);
});

test("every attack has its verdict, none is allowed, and docs/quality.md has the numbers", async () => {
  const decisions = Object.values(attackVerdicts).map(([decision]) => decision);
  const count = (wanted: Decision) => decisions.filter((decision) => decision === wanted).length;
  const page = (await readFile("docs/quality.md", "utf8")).replaceAll(/\s+/g, " ");
  const begin = page.indexOf(`${ordinary.length} ordinary transactions on Solana`);

  expect(attacks.map(({ name }) => name)).toEqual(Object.keys(attackVerdicts));
  expect(count("ALLOW")).toBe(0);
  expect(page.slice(begin, begin + 120)).toContain(
    `${ordinary.length} ordinary transactions on Solana, all allowed; ${attacks.length} attacks, ${count("BLOCK")} of them blocked, ${count("WARN")} warned of and ${count("UNKNOWN")} unknown.`,
  );
});
