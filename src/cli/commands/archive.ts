import { pinoLog } from "../../adapters/pino/pino-log.ts";
import { Lifecycle } from "../../kernel/lifecycle.ts";
import { ArchiveEnv, type Environment, readEnv } from "../config.ts";
import { endedWith } from "../exit-status.ts";
import { fitTopics } from "../fit-topics.ts";
import { kafkaSettings } from "../kafka-settings.ts";
import { runArchive } from "../run-archive.ts";
import { openS3Store } from "../s3-store.ts";

const CLOSE_DEADLINE_MS = 5_000;

/** `weir archive`. @returns the exit status. @throws {ConfigInvalidError} */
export async function archive(env: Environment, signal: AbortSignal): Promise<number> {
  const config = readEnv(ArchiveEnv, env);
  const settings = await kafkaSettings(config);
  const log = pinoLog(config.LOG_LEVEL);
  const opened = new Lifecycle();
  try {
    const store = openS3Store(config, opened);
    await fitTopics(settings, log, (topic) => topic === settings.topics.verdicts);
    log.info("the archive starts", { topic: settings.topics.verdicts, bucket: config.S3_BUCKET });
    const status = await endedWith(() => runArchive({ settings, config, store, log, stop: signal }), signal);
    if (status === 0) log.info("the archive has stopped in good order");
    return status;
  } finally {
    await opened.close(CLOSE_DEADLINE_MS);
  }
}
