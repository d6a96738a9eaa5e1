import { expect, test } from "vitest";
import { tronIntegrityRule } from "../../../../../src/worker/decide/findings/tron-integrity.ts";
import { defaultPolicy } from "../../../../fakes/events.ts";

const { table } = defaultPolicy;
const subject = { type: "transaction", chain_id: "tron", transaction_sha256: "00" } as const;
const findings = (data: unknown) => tronIntegrityRule(data, { subject, table });

test.each([
  ["equal", []],
  ["not_claimed", [["not_claimed", "INFO"]]],
  ["not_compared", [["not_compared", "UNKNOWN"]]],
  ["body_differs", [["body_differs", "BLOCK"]]],
  ["id_differs", [["id_differs", "BLOCK"]]],
])("%s", (integrity, expected) => {
  expect(findings({ integrity })?.map(({ finding, severity }) => [finding, severity])).toEqual(expected);
});

test.each([undefined, null, {}, { integrity: "fine" }, { integrity: "equal", txid: 5 }])(
  "%j is no evidence",
  (data) => {
    expect(findings(data)).toBeUndefined();
  },
);

test("the policy sets the severity of each result", () => {
  const milder = {
    ...table,
    findings: {
      ...table.findings,
      "tron-integrity": { id_differs: "WARN", body_differs: "INFO", not_compared: "WARN" },
    },
  } as const;

  for (const [integrity, severity] of Object.entries(milder.findings["tron-integrity"])) {
    expect(tronIntegrityRule({ integrity }, { subject, table: milder })).toMatchObject([
      { finding: integrity, severity },
    ]);
  }
});
