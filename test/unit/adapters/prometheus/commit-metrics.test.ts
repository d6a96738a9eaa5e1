import { expect, test } from "vitest";
import { CommitMetrics } from "../../../../src/adapters/prometheus/commit-metrics.ts";
import { MetricSet } from "../../../../src/adapters/prometheus/metric-set.ts";
import { seriesOf } from "../../../support/series.ts";

test("commits are counted by group and outcome, and only successful ones are timed", async () => {
  const set = new MetricSet();
  const metrics = new CommitMetrics(set, ["events", "archive"]);
  metrics.commit("events", "taken", 250);
  metrics.commit("events", "taken", 500);
  metrics.commit("events", "refused", 30_000);
  metrics.commit("archive", "lost", 1);

  const commits = await seriesOf(set, "weir_commits_total");
  expect(commits).toEqual({
    '{group="events",outcome="taken"}': 2,
    '{group="events",outcome="refused"}': 1,
    '{group="events",outcome="lost"}': 0,
    '{group="archive",outcome="taken"}': 0,
    '{group="archive",outcome="refused"}': 0,
    '{group="archive",outcome="lost"}': 1,
  });
  expect(await seriesOf(set, "weir_commit_seconds_sum")).toEqual({ '{group="events"}': 0.75 });
});
