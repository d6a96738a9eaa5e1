import { readFile } from "node:fs/promises";
import path from "node:path";
import { ArchiveDirectory } from "../adapters/files/archive-directory.ts";
import { countLines } from "../adapters/files/lines.ts";
import { makeDirectory } from "../adapters/files/make-directory.ts";
import { type RecordsOptions, readRecords, sourceName } from "../adapters/files/records.ts";
import { lockDirectory } from "../adapters/files/run-lock.ts";
import { VerdictFile } from "../adapters/files/verdict-file.ts";
import { readVerdictLog } from "../adapters/files/verdict-log.ts";
import { ServiceClient } from "../adapters/http/service-client.ts";
import { archiveLog } from "../archive/archive-log.ts";
import { DEFAULT_CUT } from "../archive/object.ts";
import { type PolicyChoice, readPolicy } from "../events/policy.ts";
import type { Verdict } from "../events/verdict.ts";
import { ConfigInvalidError, OutputUnwritableError, toError } from "../kernel/errors.ts";
import { Lifecycle } from "../kernel/lifecycle.ts";
import type { Secret } from "../kernel/secret.ts";
import { systemClock } from "../kernel/system-clock.ts";
import { runLoop } from "../worker/loop.ts";
import type { InputRecord } from "../worker/ports.ts";
import { verdictIdOf } from "../worker/screen-record.ts";
import { type Environment, readEnv, ScreenEnv } from "./config.ts";
import { startEmbeddedService } from "./embedded-service.ts";
import { readKeys } from "./keys.ts";
import { bundled, software } from "./package-root.ts";
import type { Progress } from "./progress.ts";
import { Tally } from "./tally.ts";

export interface ScreenRunOptions {
  readonly input: RecordsOptions;
  readonly out: string;
  readonly env: Environment;
  readonly signal: AbortSignal;
  /** Shows the run while it goes; returns what ends the show. */
  readonly watch: (progress: () => Progress) => () => void;
  readonly onVerdict?: (verdict: Verdict) => void;
}

export interface ScreenRunResult {
  readonly tally: Tally;
  readonly verdictsFile: string;
  readonly archived: { readonly objects: number; readonly verdicts: number };
}

/** Every run asks the same question at most this often, with full-jitter waits between. */
const RETRY = { attempts: 5, baseMs: 250, maxMs: 30_000 } as const;
/** Events read and not yet written; a few for each request that may be on the wire. */
const IN_FLIGHT_PER_REQUEST = 4;
const CLOSE_DEADLINE_MS = 5_000;

/** Local mode: a file of events -> DIR/verdicts.ndjson and DIR/archive, through the same code as the worker. */
export async function screenRun(options: ScreenRunOptions): Promise<ScreenRunResult> {
  const { input, out, env, signal } = options;
  const config = readEnv(ScreenEnv, env);
  const policyFor = await policyFrom(config.POLICY_FILE ?? bundled.policy);
  const total = await countLines(input.path);
  const opened = new Lifecycle();
  try {
    await makeOut(out);
    opened.onClose("lock", await lockDirectory(out, process.pid));
    const verdictsFile = path.join(out, "verdicts.ndjson");
    const tally = new Tally(systemClock, total);
    const verdicts = await VerdictFile.open(verdictsFile, sourceName(input.path), (verdict) =>
      tally.countEarlier(verdict),
    );
    const service = await serviceFor(env, opened);
    const client = new ServiceClient({
      ...service,
      concurrency: config.SERVICE_CONCURRENCY,
      timeoutMs: config.SERVICE_TIMEOUT_MS,
      onAnswer: (status) => tally.countRequest(status),
    });
    opened.onClose("service client", () => client.close());
    const unwatch = options.watch(() => tally.progress());
    try {
      await runLoop(
        unsettled(readRecords(input), verdicts, tally),
        {
          service: client,
          clock: systemClock,
          random: Math.random,
          retry: RETRY,
          policyFor,
          software,
          sink: verdicts,
          maxInFlight: config.SERVICE_CONCURRENCY * IN_FLIGHT_PER_REQUEST,
          onSettled: (verdict) => {
            tally.countVerdict(verdict);
            options.onVerdict?.(verdict);
          },
        },
        signal,
      );
    } finally {
      unwatch();
      await verdicts.close();
    }
    const log = { topic: "verdicts", partition: 0, verdicts: readVerdictLog(verdictsFile) };
    const archived = await archiveLog(log, new ArchiveDirectory(path.join(out, "archive")), DEFAULT_CUT);
    return { tally, verdictsFile, archived };
  } finally {
    await opened.close(CLOSE_DEADLINE_MS);
  }
}

async function makeOut(out: string): Promise<void> {
  try {
    await makeDirectory(path.resolve(out));
  } catch (thrown) {
    throw new OutputUnwritableError(
      `cannot make the directory ${out}: ${toError(thrown).message}: choose another --out`,
    );
  }
}

/** Records without a verdict yet; the others are counted and passed over. */
async function* unsettled(
  records: AsyncIterable<InputRecord>,
  verdicts: VerdictFile,
  tally: Tally,
): AsyncGenerator<InputRecord> {
  for await (const record of records) {
    tally.countRecord();
    if ("line" in record.source && verdicts.settled.has(record.source.line))
      expectSame(record, verdicts, record.source);
    else yield record;
  }
}

/** A file that has changed under its name must not pass for screened. @throws {OutputUnwritableError} */
function expectSame(
  record: InputRecord,
  { settledIds }: VerdictFile,
  { file, line }: { file: string; line: number },
): void {
  const settled = settledIds.get(line);
  if (settled === undefined || settled === verdictIdOf(record)) return;
  throw new OutputUnwritableError(
    `${file} line ${line} is not what was screened here before (another file, or other flags): choose another --out`,
  );
}

async function serviceFor(env: Environment, opened: Lifecycle): Promise<{ baseUrl: string; apiKey: Secret }> {
  const { SERVICE_URL, SERVICE_API_KEY, SERVICE_API_KEY_FILE } = readEnv(ScreenEnv, env);
  if (SERVICE_URL === undefined) {
    const embedded = await startEmbeddedService(env);
    opened.onClose("embedded service", () => embedded.stop());
    return { baseUrl: embedded.url, apiKey: embedded.apiKey };
  }
  const [apiKey] = await readKeys({
    file: SERVICE_API_KEY_FILE,
    values: SERVICE_API_KEY === undefined ? undefined : [SERVICE_API_KEY],
    names: { file: "SERVICE_API_KEY_FILE", values: "SERVICE_API_KEY" },
  });
  if (apiKey === undefined) throw new ConfigInvalidError("no API key for SERVICE_URL");
  return { baseUrl: SERVICE_URL.replace(/\/+$/, ""), apiKey };
}

async function policyFrom(file: string): Promise<PolicyChoice> {
  try {
    return readPolicy(JSON.parse(await readFile(file, "utf8")));
  } catch (thrown) {
    if (thrown instanceof ConfigInvalidError) throw new ConfigInvalidError(`${file}: ${thrown.message}`);
    throw new ConfigInvalidError(`cannot read the policy file ${file}: ${toError(thrown).message}`);
  }
}
