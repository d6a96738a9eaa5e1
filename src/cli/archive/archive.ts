import { untilReached } from "../../adapters/kafka/consumer/until-reached.ts";
import { pinoLog } from "../../adapters/logging/pino-log.ts";
import { CommitMetrics } from "../../adapters/prometheus/commit-metrics.ts";
import { MetricSet } from "../../adapters/prometheus/metric-set.ts";
import { systemClock } from "../../kernel/clock.ts";
import { Lifecycle } from "../../kernel/lifecycle.ts";
import { type Environment, readEnv } from "../config/config.ts";
import { ArchiveEnv } from "../config/env/archive-env.ts";
import { kafkaSettings } from "../config/kafka-settings.ts";
import { openAdmin } from "../wiring/admin.ts";
import { endedWith } from "../wiring/exit-status.ts";
import { fitTopics } from "../wiring/fit-topics.ts";
import { StartingHealth } from "../wiring/starting-health.ts";
import { openArchive } from "./open-archive.ts";

const CLOSE_DEADLINE_MS = 5_000;

/** `weir archive`. @returns the exit status. @throws {ConfigInvalidError} */
export async function archive(env: Environment, signal: AbortSignal): Promise<number> {
  const config = readEnv(ArchiveEnv, env);
  const settings = await kafkaSettings(config);
  const log = pinoLog(config.LOG_LEVEL);
  const opened = new Lifecycle();
  try {
    const metrics = new MetricSet();
    metrics.collectProcess();
    const commits = new CommitMetrics(metrics, ["archive"]);
    const { health, run } = openArchive({ settings, config, metrics, commits, log, opened });
    const starting = new StartingHealth(settings.connection.brokers);
    await openAdmin(config, starting, metrics, log, opened);
    const fit = () => fitTopics(settings, log, (topic) => topic === settings.topics.verdicts);
    const started = async () => {
      const reaching = { clock: systemClock, random: Math.random, log, signal };
      await untilReached(() => starting.whileReaching(fit), reaching);
      starting.begun(health);
      log.info("the archive starts", { topic: settings.topics.verdicts, bucket: config.S3_BUCKET });
      await run(signal);
    };
    const status = await endedWith(started, signal);
    if (status === 0) log.info("the archive has stopped in good order");
    return status;
  } finally {
    await opened.close(CLOSE_DEADLINE_MS);
  }
}
