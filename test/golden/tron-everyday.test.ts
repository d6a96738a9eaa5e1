import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { redecide } from "../../src/cli/audit/redecide.ts";
import type { Decision } from "../../src/messages/decision.ts";
import type { Verdict } from "../../src/messages/verdict.ts";
import { defaultPolicy } from "../fakes/events.ts";
import { everydayKinds, everydayTransaction, ownWallets } from "../fixtures/tron/everyday.ts";
import { everydayAttacks } from "../fixtures/tron/everyday-attacks.ts";
import before from "../fixtures/tron/everyday-before.json" with { type: "json" };
import { exactService } from "../support/exact-service.ts";
import { expectNotMilder } from "../support/not-milder.ts";
import { bundledWorld, type TronEvent, verdictsOn } from "../support/tron-decisions.ts";

/** Whole events under the default policy, with the bundled labels and one accused address, without a node. */
const world = await bundledWorld("test/fixtures/tron/listed.csv");
const ordinary: readonly TronEvent[] = everydayKinds.map((kind) => ({
  transaction: everydayTransaction(kind),
  user_addresses: ownWallets,
}));
const attacks: readonly TronEvent[] = everydayAttacks.map(({ what: _name, ...event }) => event);
const verdicts = await verdictsOn([...ordinary, ...attacks], world);
const names = [...everydayKinds, ...everydayAttacks].map(({ what }) => what);
const decisionOf = new Map(names.map((what, i) => [what, (verdicts[i] as Verdict).decision]));
const earlier = before as Readonly<Record<string, Decision>>;

function counted(decisions: readonly (Decision | undefined)[]): string {
  const count = (decision: Decision) => decisions.filter((each) => each === decision).length;
  return `${count("ALLOW")} ALLOW, ${count("WARN")} WARN, ${count("UNKNOWN")} UNKNOWN, ${count("BLOCK")} BLOCK`;
}

const ofKinds = (decision: (what: string) => Decision | undefined) => everydayKinds.map(({ what }) => decision(what));
const ofAttacks = (decision: (what: string) => Decision | undefined) =>
  everydayAttacks.map(({ what }) => decision(what));

describe("40 everyday kinds of TRON transactions", () => {
  test("each has its own name", () => {
    expect(everydayKinds.length).toBe(40);
    expect(new Set(names).size).toBe(names.length);
  });

  test("at least 35 are ALLOW and none is BLOCK", () => {
    const decisions = ofKinds((what) => decisionOf.get(what));

    expect(decisions.filter((each) => each === "ALLOW").length).toBeGreaterThanOrEqual(35);
    expect(decisions).not.toContain("BLOCK");
  });

  test("the decisions are the checked-in ones", async () => {
    const text = `${JSON.stringify(Object.fromEntries(decisionOf), undefined, 2)}\n`;

    await expect(text).toMatchFileSnapshot("tron-everyday-decisions.json");
  });

  test("an audit comes to the same decisions by the evidence alone", () => {
    expect(verdicts.map((verdict) => redecide(verdict, [() => defaultPolicy]))).toEqual(
      verdicts.map(({ decision }) => ({ decision, missing: [] })),
    );
  });

  test("a service that has only the interface gives no event a milder decision", async () => {
    const exact = await verdictsOn([...ordinary, ...attacks], { ...world, service: exactService(world.service) });

    expectNotMilder(decisionOf, new Map(names.map((what, i) => [what, (exact[i] as Verdict).decision])));
  });

  test("without the user's own addresses no kind gets a milder decision", async () => {
    const alone = await verdictsOn(
      ordinary.map(({ transaction }) => ({ transaction })),
      world,
    );
    const severity = { ALLOW: 0, WARN: 1, UNKNOWN: 2, BLOCK: 3 } as const;

    expect(
      alone.flatMap(({ decision }, i) => {
        const what = names[i] ?? "";
        return severity[decision] < severity[decisionOf.get(what) ?? "ALLOW"] ? [what] : [];
      }),
    ).toEqual([]);
    expect(alone.filter(({ decision }) => decision === "BLOCK").length).toBeGreaterThanOrEqual(2);
  });
});

describe("attacks with the everyday kinds", () => {
  test("there are more than 200, and none is ALLOW", () => {
    expect(everydayAttacks.length).toBeGreaterThan(200);
    expect(everydayAttacks.map(({ what }) => what).filter((what) => decisionOf.get(what) === "ALLOW")).toEqual([]);
  });

  test("an attack that was BLOCK or WARN before stays so, and none is milder", () => {
    const rank = { ALLOW: 0, UNKNOWN: 0, WARN: 1, BLOCK: 2 } as const;
    const milder = everydayAttacks.filter(
      ({ what }) => rank[decisionOf.get(what) ?? "ALLOW"] < rank[earlier[what] ?? "ALLOW"],
    );

    expect(milder.map(({ what }) => what)).toEqual([]);
    expect(everydayAttacks.filter(({ what }) => earlier[what] === undefined)).toEqual([]);
  });
});

test("docs/quality.md gives the numbers before and after", () => {
  const text = readFileSync(new URL("../../docs/quality.md", import.meta.url), "utf8");

  expect(text).toContain(
    [
      `| ${everydayKinds.length} everyday kinds | ${counted(ofKinds((what) => earlier[what]))} | ${counted(ofKinds((what) => decisionOf.get(what)))} |`,
      `| ${everydayAttacks.length} attacks with them | ${counted(ofAttacks((what) => earlier[what]))} | ${counted(ofAttacks((what) => decisionOf.get(what)))} |`,
    ].join("\n"),
  );
});
