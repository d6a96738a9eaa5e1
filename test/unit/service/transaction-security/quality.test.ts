import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { requestParser } from "../../../../src/contract/request.ts";
import {
  TransactionSecurityRequest,
  TransactionSecurityResponse,
} from "../../../../src/contract/transaction-security.ts";
import { analyseTransaction } from "../../../../src/service/transaction-security/analyse-transaction.ts";
import { rules } from "../../../../src/service/transaction-security/rules/rules.ts";
import { attackCases } from "../../../fixtures/tron/attacks.ts";
import { ordinaryCases } from "../../../fixtures/tron/ordinary.ts";
import { labels } from "../../../fixtures/tron/parts.ts";

const parse = requestParser(TransactionSecurityRequest);
const scoreOf = new Map<string, number>(rules.map(({ name, score }) => [name, score]));

function securityOf({ transaction, dapp_url }: { readonly transaction: unknown; readonly dapp_url?: string }) {
  const request = parse({ tron_transactions: [transaction], ...(dapp_url === undefined ? {} : { dapp_url }) });
  if (!request.ok) throw new Error(request.detail);
  const answered = analyseTransaction(request.value, labels);
  if (!answered.ok) throw new Error(`${answered.failure}: ${answered.detail}`);
  return TransactionSecurityResponse.parse(answered.body).data.security;
}

/** How often each rule fires on some cases. */
function firings(cases: readonly { readonly transaction: unknown; readonly dapp_url?: string }[]) {
  const counts = new Map<string, number>();
  for (const name of cases.flatMap((each) => namesOf(securityOf(each)))) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

const namesOf = (security: ReturnType<typeof securityOf>) => security.risk_details.map(({ name }) => name);

describe("ordinary transactions", () => {
  test("are 200 different ones at least, each said once", () => {
    expect(ordinaryCases.length).toBeGreaterThanOrEqual(200);
    expect(new Set(ordinaryCases.map(({ what }) => what)).size).toBe(ordinaryCases.length);
    expect(
      new Set(ordinaryCases.map(({ transaction, dapp_url }) => JSON.stringify([transaction, dapp_url]))).size,
    ).toBe(ordinaryCases.length);
  });

  test.each(ordinaryCases)("$what: allowed, with nothing above informational", (ordinary) => {
    const security = securityOf(ordinary);

    expect(namesOf(security).filter((name) => (scoreOf.get(name) ?? 9) > 1)).toEqual([]);
    expect(security.recommended_action).toBe("ALLOW");
    expect(security.overall_score).toBe(security.risk_details.length === 0 ? 0 : 1);
  });
});

describe("attacks", () => {
  test("are 60 different ones at least, each said once", () => {
    expect(attackCases.length).toBeGreaterThanOrEqual(60);
    expect(new Set(attackCases.map(({ what }) => what)).size).toBe(attackCases.length);
  });

  test.each(attackCases)("$what: $action", (attack) => {
    const security = securityOf(attack);

    expect(namesOf(security).filter((name) => (scoreOf.get(name) ?? 9) > 1)).toEqual(attack.findings);
    expect(security.recommended_action).toBe(attack.action);
    expect(security.overall_score).toBe(scoreOf.get(attack.findings[0] ?? ""));
  });

  test("between them make every rule fire but three, as ordinary ones do", () => {
    const fired = new Set([...firings(attackCases).keys(), ...firings(ordinaryCases).keys()]);

    expect(rules.map(({ name }) => name).filter((name) => !fired.has(name))).toEqual([
      "transfer_of_nothing",
      "unexpected_fields",
      "expired",
    ]);
  });
});

test("docs/quality.md holds the table of what fires how often", () => {
  const onOrdinary = firings(ordinaryCases);
  const onAttacks = firings(attackCases);
  const actions = ["ALLOW", "ALLOW", "WARN", "WARN", "BLOCK", "BLOCK"];
  const table = rules.map(
    ({ name, score }) =>
      `| \`${name}\` | ${score} ${actions[score]} | ${onOrdinary.get(name) ?? 0} | ${onAttacks.get(name) ?? 0} |`,
  );
  const blocked = attackCases.filter(({ action }) => action === "BLOCK").length;
  const totals = `${ordinaryCases.length} ordinary transactions, all allowed; ${attackCases.length} attacks, ${blocked} of them blocked and ${attackCases.length - blocked} warned of`;
  const text = readFileSync(new URL("../../../../docs/quality.md", import.meta.url), "utf8");

  expect(text).toContain(totals);
  expect(text).toContain(table.join("\n"));
});
