import type { Workbook } from "../../adapters/xlsx/workbook.ts";
import { bySeverity } from "./severity-order.ts";
import type { CountRow } from "./totals/count-table.ts";
import type { Totals } from "./totals/totals.ts";

/** Adds the totals and the failures to a workbook. */
export async function addTotalSheets(workbook: Workbook, totals: Totals): Promise<void> {
  await workbook.begin("Totals", ["what", "name", "events", ...bySeverity]);
  const { byDecision, events } = totals;
  const all: CountRow = { name: "all events", events, byDecision };
  await addRows(workbook, "decision", [all]);
  await addRows(workbook, "finding", totals.findings.rows());
  await addRows(workbook, "chain", totals.chains.rows());
  await addRows(workbook, "tenant", totals.tenants.rows());
  await addRows(workbook, "list", totals.lists.rows());
  await addRows(workbook, "policy", totals.policies.rows());
  await addRows(workbook, "set of lists", totals.listSets.rows());
  await addRows(workbook, "software", totals.softwares.rows());
  await workbook.begin("Not screened", ["failure", "events", "first event", "what it said"]);
  for (const { code, events: count, position, detail } of totals.failures())
    await workbook.add([code, count, position, detail]);
}

async function addRows(workbook: Workbook, what: string, rows: readonly CountRow[]): Promise<void> {
  for (const { name, events, byDecision } of rows)
    await workbook.add([what, name, events, ...bySeverity.map((decision) => byDecision[decision])]);
}
