import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { readEnv, ScreenEnv } from "../../../../src/cli/config/config.ts";
import { noDialect } from "../../../../src/cli/service-connection/open-dialect.ts";
import { openService } from "../../../../src/cli/wiring/open-service.ts";
import { Lifecycle } from "../../../../src/kernel/lifecycle.ts";
import { quietLog } from "../../../../src/kernel/log.ts";
import { Secret } from "../../../../src/kernel/secret.ts";

const GAP_MS = 200;

test("half a gap is caught up under a configured quota, also when the members that share it set the pace later", async () => {
  const config = readEnv(ScreenEnv, { SERVICE_QUOTA: "5/1s" });
  const key = { current: () => new Secret("k"), reload: async () => false };
  const opened = new Lifecycle();
  const { slots } = openService(
    { baseUrl: "http://127.0.0.1:9", key, connection: {}, dialect: noDialect, translation: undefined, minTimeMs: 0 },
    config,
    opened,
    () => {},
    quietLog,
  );
  onTestFinished(() => slots.close(new Error("the test has ended")));
  onTestFinished(() => void opened.close(1_000));
  slots.pace(GAP_MS);
  const began: number[] = [];
  const running = Promise.all([1, 2, 3].map(() => slots.run(async () => began.push(performance.now()))));
  while (began.length === 0) await delay(1);
  // By then the limiter has granted the other two permits.
  await delay(GAP_MS / 4);

  const until = (began[0] ?? 0) + 1.9 * GAP_MS;
  while (performance.now() < until);
  await running;

  // The second job was late by nearly a gap. The third gets back at most half of it.
  const [, second = 0, third = 0] = began;
  expect(third - second).toBeGreaterThanOrEqual(GAP_MS / 2 - 2);
});
