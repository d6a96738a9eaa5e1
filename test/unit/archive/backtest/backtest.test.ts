import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type BacktestDeps,
  type DecisionChange,
  backtest as decideBlocks,
  noteVerdicts,
} from "../../../../src/archive/backtest/backtest.ts";
import { CountedVerdicts } from "../../../../src/archive/reading/counted-verdicts.ts";
import type { VerdictBlock } from "../../../../src/archive/reading/newest-first.ts";
import { sha256 } from "../../../../src/kernel/hash.ts";
import { decisions } from "../../../../src/messages/decision.ts";
import type { Verdict } from "../../../../src/messages/verdict.ts";
import { decideUnder } from "../../../../src/worker/decide/decide-under.ts";
import { anyChecks, anyTable, defaultTable, subjectOfChecks, verdictOn } from "../../../support/archived-verdicts.ts";
import { propertyRuns } from "../../../support/property-runs.ts";

/** Both readings of the same blocks. */
async function backtest(blocks: () => AsyncIterable<VerdictBlock>, deps: BacktestDeps) {
  const counted = new CountedVerdicts(7);
  await noteVerdicts(blocks(), counted, () => undefined);
  return decideBlocks(blocks(), counted, deps);
}

async function* inBlocks(verdicts: readonly Verdict[], size: number): AsyncGenerator<VerdictBlock> {
  const lines = verdicts.map((verdict) => `${JSON.stringify(verdict)}\n`);
  for (let end = lines.length; end > 0; end -= size)
    yield { name: "", lines: Buffer.from(lines.slice(Math.max(0, end - size), end).join("")) };
}

const written = fc
  .array(fc.record({ checks: anyChecks, tenant: fc.constantFrom("", "desk"), day: fc.integer({ min: 1, max: 3 }) }), {
    maxLength: 25,
  })
  .map((rows) =>
    rows.map(({ checks, tenant, day }, n) =>
      verdictOn(checks, {
        verdict_id: sha256(`${n}`),
        event_id: `event-${n}`,
        tenant,
        subject: subjectOfChecks(checks),
        decided_at: `2026-11-0${day}T00:00:00.000Z`,
      }),
    ),
  );

test("a backtest counts what deciding each verdict again gives", async () => {
  await fc.assert(
    fc.asyncProperty(written, anyTable, fc.integer({ min: 1, max: 7 }), async (verdicts, table, size) => {
      const changes: DecisionChange[] = [];
      const counts = await backtest(() => inBlocks(verdicts, size), {
        compare: (verdict) => {
          const after = decideUnder(verdict, table, defaultTable);
          return after === undefined ? undefined : { before: verdict, after, lacks: after.lacks };
        },
        isWanted: ({ decided_at }) => decided_at >= "2026-11-02",
        onChange: (change) => {
          changes.push(change);
        },
        onBlock: () => undefined,
      });

      const wanted = verdicts.filter(({ decided_at }) => decided_at >= "2026-11-02");
      const pairs = wanted.map((verdict) => {
        const after = decideUnder(verdict, table, defaultTable)?.decision ?? "UNKNOWN";
        return { verdict, after, step: decisions.indexOf(after) - decisions.indexOf(verdict.decision) };
      });
      expect(counts.compared).toBe(wanted.length);
      expect([counts.loosened, counts.tightened]).toEqual([
        pairs.filter(({ step }) => step < 0).length,
        pairs.filter(({ step }) => step > 0).length,
      ]);
      for (const before of decisions)
        for (const after of decisions)
          expect(counts.matrix[before][after]).toBe(
            pairs.filter((each) => each.verdict.decision === before && each.after === after).length,
          );
      expect(changes.map(({ verdict }) => verdict.event_id).sort()).toEqual(
        pairs
          .filter(({ step }) => step !== 0)
          .map(({ verdict }) => verdict.event_id)
          .sort(),
      );
      const desk = pairs.filter(({ verdict }) => verdict.tenant === "desk");
      const group = counts.groups.tenant.get("desk") ?? { equal: 0, loosened: 0, tightened: 0 };
      expect(group).toEqual({
        equal: desk.filter(({ step }) => step === 0).length,
        loosened: desk.filter(({ step }) => step < 0).length,
        tightened: desk.filter(({ step }) => step > 0).length,
      });
    }),
    propertyRuns(300),
  );
});

test("a change names the findings that the milder policy no longer counts", async () => {
  const flagged = { target: { is_poisoning: "1", mimics_user: "1", mimics_exchange: "0" } };
  const verdict = verdictOn([{ check: "poisoning", outcome: "ok", cached: false, attempts: 1, data: flagged }]);
  const { poisoning } = defaultTable.findings;
  const milder = {
    ...defaultTable,
    findings: { ...defaultTable.findings, poisoning: { ...poisoning, is_poisoning: "WARN", mimics_user: "WARN" } },
  } as const;
  const changes: DecisionChange[] = [];
  const counts = await backtest(() => inBlocks([verdict], 1), {
    compare: (each) => {
      const after = decideUnder(each, milder, defaultTable);
      return after === undefined ? undefined : { before: each, after, lacks: after.lacks };
    },
    isWanted: () => true,
    onChange: (change) => {
      changes.push(change);
    },
    onBlock: () => undefined,
  });
  expect(changes.map(({ isLoosened, because }) => [isLoosened, because])).toEqual([
    [
      true,
      verdict.reasons.filter(({ severity }) => severity === "BLOCK").map(({ check, finding }) => `${check} ${finding}`),
    ],
  ]);
  expect([...counts.groups.finding.keys()]).toContain("poisoning mimics_user");
});

test("lines without a verdict, and verdicts without evidence, are counted and not compared", async () => {
  const without = verdictOn([
    { check: "poisoning", outcome: "ok", cached: false, attempts: 1, reduced: { bytes: 9, sha256: "0".repeat(64) } },
  ]);
  async function* blocks() {
    yield { name: "", lines: Buffer.from(`no verdict\n${JSON.stringify(without)}\n`) };
  }
  const counts = await backtest(blocks, {
    compare: (verdict) => {
      const after = decideUnder(verdict, defaultTable, undefined);
      return after === undefined ? undefined : { before: verdict, after, lacks: after.lacks };
    },
    isWanted: () => true,
    onChange: () => undefined,
    onBlock: () => undefined,
  });
  expect([counts.compared, counts.unreadable, counts.evidenceLeftOut]).toEqual([0, 1, 1]);
});
