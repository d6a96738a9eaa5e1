import { expect, test } from "vitest";
import { ArchiveMetrics, setArchiveLocation } from "../../../../src/adapters/prometheus/archive-metrics.ts";
import { MetricSet } from "../../../../src/adapters/prometheus/metric-set.ts";
import { objectOf } from "../../../support/object-of.ts";
import { seriesOf } from "../../../support/series.ts";

const position = { topic: "verdicts", partition: 0, next: 0, previousSha256: "" };
const object = objectOf(
  [0, 1].map((offset) => ({ offset, line: Buffer.from("{}"), writtenAt: 0 })),
  position,
);

test("objects, their verdicts and bytes, and failures by step", async () => {
  const set = new MetricSet();
  const metrics = new ArchiveMetrics(set);
  expect(await seriesOf(set, "weir_archive_objects_total")).toEqual({ "": 0 });
  metrics.stored(object, 6);
  metrics.stored(object, 7);
  metrics.failed("store");
  metrics.failed("store");
  metrics.failed("commit");
  expect(await seriesOf(set, "weir_archive_lost_records_total")).toEqual({ "": 0 });
  metrics.lost(97);

  expect(await seriesOf(set, "weir_archive_objects_total")).toEqual({ "": 2 });
  expect(await seriesOf(set, "weir_archive_verdicts_total")).toEqual({ "": 4 });
  expect(await seriesOf(set, "weir_archive_bytes_total")).toEqual({ "": 13 });
  expect(await seriesOf(set, "weir_archive_lost_records_total")).toEqual({ "": 97 });
  expect(await seriesOf(set, "weir_archive_failures_total")).toEqual({
    '{step="offsets"}': 0,
    '{step="objects"}': 0,
    '{step="store"}': 2,
    '{step="commit"}': 1,
  });
});

test("gauges are read when metrics are scraped", async () => {
  const set = new MetricSet();
  const gauges = {
    oldestSeconds: () => 61.5,
    lag: () => 7,
    waitingBytes: () => 1_024,
    halted: () => 2,
    isDown: () => true,
  };
  new ArchiveMetrics(set).collect(gauges);

  expect(await seriesOf(set, "weir_archive_oldest_seconds")).toEqual({ "": 61.5 });
  expect(await seriesOf(set, "weir_archive_lag_records")).toEqual({ "": 7 });
  expect(await seriesOf(set, "weir_archive_waiting_bytes")).toEqual({ "": 1_024 });
  expect(await seriesOf(set, "weir_archive_halted_partitions")).toEqual({ "": 2 });
  expect(await seriesOf(set, "weir_archive_down")).toEqual({ "": 1 });
});

test("the archive location is 1 for one place, and 0 for the others", async () => {
  const set = new MetricSet();
  setArchiveLocation(set, "unset");

  expect(await seriesOf(set, "weir_archive_place")).toEqual({
    '{place="here"}': 0,
    '{place="elsewhere"}': 0,
    '{place="off"}': 0,
    '{place="unset"}': 1,
  });
});
