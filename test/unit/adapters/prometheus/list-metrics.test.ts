import { expect, test } from "vitest";
import { showLists } from "../../../../src/adapters/prometheus/list-metrics.ts";
import { MetricSet } from "../../../../src/adapters/prometheus/metric-set.ts";

const day = 86_400;
const dated = Date.UTC(2026, 0, 20) / 1_000;
const list = {
  name: "ofac.csv",
  sha256: "0".repeat(64),
  date: "2026-01-20",
  loadedAt: "2026-01-21T08:00:00Z",
  entries: 812,
  refused: [],
  unread: [],
};

async function shown(isBehind: boolean, lists = [list]): Promise<readonly string[]> {
  const set = new MetricSet();
  showLists(set, {
    lists: () => lists,
    now: () => (dated + 3 * day) * 1_000,
    maxAgeMs: 14 * day * 1_000,
    isBehind: () => isBehind,
  });
  return (await set.registry.metrics()).split("\n").filter((line) => line.startsWith("weir_list"));
}

test("a list shows its entries, its date and its age in seconds", async () => {
  expect(await shown(false)).toEqual([
    'weir_list_entries{list="ofac.csv"} 812',
    `weir_list_date_seconds{list="ofac.csv"} ${dated}`,
    `weir_list_age_seconds{list="ofac.csv"} ${3 * day}`,
    `weir_list_max_age_seconds ${14 * day}`,
    "weir_list_not_reloaded 0",
  ]);
});

test("a refused version of a file is shown, and without a list there is no line of a list", async () => {
  expect(await shown(true, [])).toEqual([`weir_list_max_age_seconds ${14 * day}`, "weir_list_not_reloaded 1"]);
});
