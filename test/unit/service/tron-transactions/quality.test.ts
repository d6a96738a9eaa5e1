import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LabelFiles } from "../../../../src/adapters/files/labels/label-files.ts";
import { requestParser } from "../../../../src/api/requests/request.ts";
import {
  TransactionSecurityRequest,
  TransactionSecurityResponse,
} from "../../../../src/api/schemas/transaction-security.ts";
import { bundled } from "../../../../src/cli/program/package-root.ts";
import { LabelBook } from "../../../../src/service/labels/label-book.ts";
import { analyseTransaction } from "../../../../src/service/tron-transactions/analyse-transaction.ts";
import { rules } from "../../../../src/service/tron-transactions/rules/rules.ts";
import type { TronNode } from "../../../../src/service/tron-transactions/tron-node.ts";
import { attackCases } from "../../../fixtures/tron/attacks.ts";
import {
  type ExecutedCase,
  executedAttacks,
  executedOrdinary,
  startWorld,
  type World,
} from "../../../fixtures/tron/executed.ts";
import { ordinaryCases } from "../../../fixtures/tron/ordinary.ts";
import { labels } from "../../../fixtures/tron/parts.ts";
import { nodeOver } from "../../../support/tron-node.ts";

const parse = requestParser(TransactionSecurityRequest);
const scoreOf = new Map<string, number>(rules.map(({ name, score }) => [name, score]));

interface Case {
  readonly transaction: unknown;
  readonly dapp_url?: string;
}

async function securityOf({ transaction, dapp_url }: Case, book = labels, node?: TronNode) {
  const request = parse({ tron_transactions: [transaction], ...(dapp_url === undefined ? {} : { dapp_url }) });
  if (!request.ok) throw new Error(request.detail);
  const answered = await analyseTransaction(request.value, book, node);
  if (!answered.ok) throw new Error(`${answered.failure}: ${answered.detail}`);
  return TransactionSecurityResponse.parse(answered.body).data.security;
}

type Security = Awaited<ReturnType<typeof securityOf>>;
const namesOf = (security: Security) => security.risk_details.map(({ name }) => name);

/** A chain of our own contracts, with our own client of its node. */
let world: World;
let chain: Awaited<ReturnType<typeof nodeOver>>;
beforeAll(async () => {
  world = await startWorld();
  chain = await nodeOver(world.node.listener);
});
afterAll(() => chain.close());
const executed = ({ transaction }: ExecutedCase) =>
  securityOf({ transaction: transaction(world) }, world.labels, chain.node);

/** How often each rule fires on the given cases. */
async function firings(cases: readonly Case[], executedCases: readonly ExecutedCase[]) {
  const securities = [
    ...(await Promise.all(cases.map((each) => securityOf(each)))),
    ...(await Promise.all(executedCases.map(executed))),
  ];
  const counts = new Map<string, number>();
  for (const name of securities.flatMap(namesOf)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return { counts, blocked: securities.filter(({ recommended_action }) => recommended_action === "BLOCK").length };
}

describe("ordinary transactions", () => {
  test("there are at least 200 different ordinary transactions, each with its own description", () => {
    expect(ordinaryCases.length).toBeGreaterThanOrEqual(200);
    expect(new Set(ordinaryCases.map(({ what }) => what)).size).toBe(ordinaryCases.length);
    expect(
      new Set(ordinaryCases.map(({ transaction, dapp_url }) => JSON.stringify([transaction, dapp_url]))).size,
    ).toBe(ordinaryCases.length);
  });

  test.each(ordinaryCases)("$what: allowed, or warned of as the case says", async (ordinary) => {
    const { findings: [worst, ...others] = [] } = ordinary;
    const security = await securityOf(ordinary);
    const least = security.risk_details.length === 0 ? 0 : 1;

    expect(namesOf(security).filter((name) => (scoreOf.get(name) ?? 9) > 1)).toEqual([worst ?? [], others].flat());
    expect(security.recommended_action).toBe(worst === undefined ? "ALLOW" : "WARN");
    expect(security.overall_score).toBe(worst === undefined ? least : scoreOf.get(worst));
  });

  test("the only warning on ordinary transactions is a callee without a label", () => {
    const warned = ordinaryCases.flatMap(({ findings = [] }) => findings);

    expect([new Set(warned), warned.length]).toEqual([new Set(["unknown_callee"]), 15]);
  });
});

describe("transactions that are executed on our own chain", () => {
  test("every executed case has its own description", () => {
    const all = [...executedOrdinary, ...executedAttacks].map(({ what }) => what);
    expect(new Set(all).size).toBe(all.length);
  });

  test.each(executedOrdinary)("$what: allowed, with nothing above informational", async (ordinary) => {
    const security = await executed(ordinary);

    expect(namesOf(security)).toEqual(ordinary.findings);
    expect(security.recommended_action).toBe("ALLOW");
    expect(security).not.toHaveProperty("not_analysed");
  });

  test.each(executedAttacks)("$what: not allowed", async (attack) => {
    const security = await executed(attack);

    expect(namesOf(security)).toEqual(attack.findings);
    expect(security.overall_score).toBe(scoreOf.get(attack.findings[0] ?? ""));
    expect(["WARN", "BLOCK"]).toContain(security.recommended_action);
    expect(security).not.toHaveProperty("not_analysed");
  });
});

test("docs/quality.md gives the number of warnings on ordinary transactions with the bundled labels, whose services no case calls", async () => {
  const shipped = LabelBook.of(await new LabelFiles(bundled.labels, bundled.labels).load());
  const actions = await Promise.all(
    ordinaryCases.map(async (ordinary) => (await securityOf(ordinary, shipped)).recommended_action),
  );
  const count = (action: string) => actions.filter((each) => each === action).length;
  const text = readFileSync(new URL("../../../../docs/quality.md", import.meta.url), "utf8");
  const said = `of the ${ordinaryCases.length} ordinary ones that are not executed ${count("WARN")} are warned of and ${count("BLOCK")} blocked`;

  expect(text.replaceAll("\n", " ")).toContain(said);
});

describe("attacks", () => {
  test("there are at least 60 different attacks, each with its own description", () => {
    expect(attackCases.length).toBeGreaterThanOrEqual(60);
    expect(new Set(attackCases.map(({ what }) => what)).size).toBe(attackCases.length);
  });

  test.each(attackCases)("$what: $action", async (attack) => {
    const security = await securityOf(attack);

    expect(namesOf(security).filter((name) => (scoreOf.get(name) ?? 9) > 1)).toEqual(attack.findings);
    expect(security.recommended_action).toBe(attack.action);
    expect(security.overall_score).toBe(scoreOf.get(attack.findings[0] ?? ""));
  });

  test("attacks and ordinary transactions together make every rule fire except two", async () => {
    const attacks = await firings(attackCases, executedAttacks);
    const ordinary = await firings(ordinaryCases, executedOrdinary);
    const fired = new Set([...attacks.counts.keys(), ...ordinary.counts.keys()]);

    expect(rules.map(({ name }) => name).filter((name) => !fired.has(name))).toEqual(["unexpected_fields", "expired"]);
  });
});

test("docs/tron-transactions.md describes every rule, what it catches and what it misses, with its score and level", () => {
  const levels = ["", "Caution", "Low Risk", "Medium Risk", "High Risk", "Significant Risk"];
  const actions = ["", "ALLOW", "WARN", "WARN", "BLOCK", "BLOCK"];
  const text = readFileSync(new URL("../../../../docs/tron-transactions.md", import.meta.url), "utf8");
  const rows = [...text.matchAll(/^\| `(\w+)` \| (.*) \| (.*) \| ([^|]{3,}) \| ([^|]{3,}) \|$/gm)];

  expect(rows.map(([, name, score, level]) => [name, score, level])).toEqual(
    rules.map(({ name, score }) => [name, `${score} ${actions[score]}`, levels[score]]),
  );
});

test("docs/quality.md holds the table of how often each rule fires", async () => {
  const onOrdinary = await firings(ordinaryCases, executedOrdinary);
  const onAttacks = await firings(attackCases, executedAttacks);
  const actions = ["ALLOW", "ALLOW", "WARN", "WARN", "BLOCK", "BLOCK"];
  const table = rules.map(
    ({ name, score }) =>
      `| \`${name}\` | ${score} ${actions[score]} | ${onOrdinary.counts.get(name) ?? 0} | ${onAttacks.counts.get(name) ?? 0} |`,
  );
  const attacks = attackCases.length + executedAttacks.length;
  const ordinary = ordinaryCases.length + executedOrdinary.length;
  const warned = ordinaryCases.filter(({ findings = [] }) => findings.length > 0).length;
  const totals = `${ordinary} ordinary transactions, ${ordinary - warned} allowed and ${warned} warned of; ${attacks} attacks, ${onAttacks.blocked} of them blocked and ${attacks - onAttacks.blocked} warned of`;
  const text = readFileSync(new URL("../../../../docs/quality.md", import.meta.url), "utf8");

  expect(text).toContain(totals);
  expect(text).toContain(table.join("\n"));
});
