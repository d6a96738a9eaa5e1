import type { MetricSet } from "../../src/adapters/prometheus/metric-set.ts";

/** The values of a metric's series by their labels, in the order of the metrics text. */
export async function seriesOf({ registry }: MetricSet, name: string): Promise<Record<string, number>> {
  const lines = (await registry.metrics())
    .split("\n")
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  return Object.fromEntries(
    lines.map((line) => [line.slice(name.length, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ")))]),
  );
}
