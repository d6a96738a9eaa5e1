import { expect, test } from "vitest";
import { MetricSet } from "../../../../src/adapters/prometheus/metric-set.ts";
import { ServiceMetrics } from "../../../../src/adapters/prometheus/service-metrics.ts";
import { API_KEY_HEADER } from "../../../../src/api/routes.ts";
import { seriesOf } from "../../../support/series.ts";
import { evm, KEY, service } from "../../../support/service.ts";

test("every answer of an operation is counted by its status and timed, and other paths are not", async () => {
  const set = new MetricSet();
  const app = service({ observer: new ServiceMetrics(set) });
  const url = `/v2/svc/address-poisoning?chain_id=1&address=${evm.stranger}`;
  const ask = async (path: string, key: string) =>
    (await app.inject({ url: path, headers: { [API_KEY_HEADER]: key } })).statusCode;
  const asked = [await ask(url, KEY), await ask(url, KEY), await ask(url, "wrong"), await ask("/v2/svc/none", KEY)];
  await app.close();

  expect(asked).toEqual([200, 200, 401, 404]);
  const requests = Object.entries(await seriesOf(set, "weir_served_requests_total")).filter(([, count]) => count > 0);
  expect(requests).toEqual([
    ['{operation="poisoningQuery",status="200"}', 2],
    ['{operation="poisoningQuery",status="401"}', 1],
  ]);
  expect(await seriesOf(set, "weir_served_seconds_count")).toEqual({ '{operation="poisoningQuery"}': 3 });
});
