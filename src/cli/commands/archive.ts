import { pinoLog } from "../../adapters/pino/pino-log.ts";
import { CommitMetrics } from "../../adapters/prometheus/commit-metrics.ts";
import { MetricSet } from "../../adapters/prometheus/metric-set.ts";
import { Lifecycle } from "../../kernel/lifecycle.ts";
import { openAdmin } from "../admin.ts";
import { ArchiveEnv, type Environment, readEnv } from "../config.ts";
import { endedWith } from "../exit-status.ts";
import { fitTopics } from "../fit-topics.ts";
import { kafkaSettings } from "../kafka-settings.ts";
import { openArchive } from "../open-archive.ts";

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
    await fitTopics(settings, log, (topic) => topic === settings.topics.verdicts);
    await openAdmin(config, health, metrics, log, opened);
    log.info("the archive starts", { topic: settings.topics.verdicts, bucket: config.S3_BUCKET });
    const status = await endedWith(() => run(signal), signal);
    if (status === 0) log.info("the archive has stopped in good order");
    return status;
  } finally {
    await opened.close(CLOSE_DEADLINE_MS);
  }
}
