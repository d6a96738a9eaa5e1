import path from "node:path";
import { EventDeduplication } from "../../adapters/files/event-ids/event-deduplication.ts";
import { countLines } from "../../adapters/files/input/lines.ts";
import { followedBytes } from "../../adapters/files/input/log-tail.ts";
import { type RecordsOptions, recordChunks, sourceName } from "../../adapters/files/input/records.ts";
import type { LoadedMapping } from "../../adapters/files/mapping/mapping-file.ts";
import { ArchiveDirectory } from "../../adapters/files/output/archive-directory.ts";
import { writeListSet } from "../../adapters/files/output/list-set-file.ts";
import { TicketFile } from "../../adapters/files/output/ticket-file.ts";
import { VerdictFile } from "../../adapters/files/output/verdict-file.ts";
import { MAX_VERDICT_BYTES, VERDICT_LOG } from "../../adapters/files/output/verdict-log.ts";
import { pinoLog } from "../../adapters/logging/pino-log.ts";
import { DEFAULT_CUT } from "../../archive/object.ts";
import { archiveLog } from "../../archive/writer/archive-log.ts";
import type { Family } from "../../chains/chain.ts";
import { systemClock } from "../../kernel/clock.ts";
import { Lifecycle } from "../../kernel/lifecycle.ts";
import type { AddressBook } from "../../labels/address-book.ts";
import { UnreadAddresses } from "../../messages/unread/unread-addresses.ts";
import type { Verdict } from "../../messages/verdict.ts";
import { TicketBook } from "../../worker/checks/ticket-book.ts";
import { type Observer, unobserved } from "../../worker/observer.ts";
import type { LearnedQuota } from "../../worker/rate-limit/learner/learned-quota.ts";
import { type Closeness, Headroom } from "../../worker/rate-limit/sharing/headroom.ts";
import { keyMark } from "../../worker/rate-limit/sharing/key-mark.ts";
import { aloneMinTimeMs, minTimeMs, type Quota } from "../../worker/rate-limit/sharing/quota.ts";
import { runLoop } from "../../worker/screening/loop.ts";
import { workerOf } from "../../worker/worker.ts";
import { type Environment, readEnv, ScreenEnv } from "../config/config.ts";
import { cacheAges } from "../config/env/cache-env.ts";
import { KafkaEnv } from "../config/env/kafka-env.ts";
import { kafkaSettings } from "../config/kafka-settings.ts";
import { software } from "../program/package-root.ts";
import type { RunProgress } from "../terminal/progress.ts";
import { stderrLog } from "../terminal/stderr-log.ts";
import { runBounds } from "../wiring/lane-settings.ts";
import { openLists, warningsOf } from "../wiring/open-lists.ts";
import { openPolicy } from "../wiring/open-policy.ts";
import { openService } from "../wiring/open-service.ts";
import { sayGivenPace } from "../wiring/quota/given-pace.ts";
import { ceilingOf, givenRate } from "../wiring/quota/given-rate.ts";
import { openLearner } from "../wiring/quota/learned-quota.ts";
import { learnsQuota, linesBeforeRecords, sharesQuota } from "./before-run.ts";
import { lockOutput, makeOutput } from "./output-lock.ts";
import { keepRejects, Rejects } from "./rejects.ts";
import { resumableRecords } from "./resume.ts";
import { keepConditions, mappingConditions } from "./run-conditions.ts";
import { chooseService, reachService } from "./screen-service.ts";
import { Tally } from "./tally.ts";
import { unservedInSample } from "./unserved-sample.ts";

export interface ScreenRunOptions {
  readonly input: RecordsOptions;
  readonly out: string;
  readonly env: Environment;
  readonly signal: AbortSignal;
  /** Whether to say beforehand which checks the run's own service cannot answer. Default: true. */
  readonly tellsUnserved?: boolean;
  /** Shows the progress of the run; returns a function that ends the display. */
  readonly watch: (progress: () => RunProgress) => () => void;
  /** Reports a condition that the operator should know, and that does not stop the run. */
  readonly warn: (message: string) => void;
  readonly onVerdict?: (verdict: Verdict) => void;
  readonly observer?: Observer;
}

export interface ScreenRunResult {
  readonly tally: Tally;
  /** Base URL of the service of the run, or `embedded`. */
  readonly service: string;
  /** POLICY_FILE, or `bundled`; with the hash that DIR/run.json keeps. */
  readonly policy: { readonly file: string; readonly sha256: string };
  /** The lists that the last events were screened with. */
  readonly lists: AddressBook["lists"];
  /**
   * The quota that was learned for the key so far, and the file that keeps it. Undefined: the run did not learn a
   * quota.
   */
  readonly learning: { readonly learned: LearnedQuota | undefined; readonly file: string } | undefined;
  /** The configured quota. */
  readonly quota: Quota | undefined;
  readonly verdictsFile: string;
  readonly archived: { readonly objects: number; readonly verdicts: number };
  /** Unread addresses of the whole input, including the part of earlier runs. */
  readonly unread: UnreadAddresses;
  /** Families for which the service flagged none of the canaries. */
  readonly undetected: readonly Family[];
  /** Columns that the operator leaves out. */
  readonly ignored: readonly string[];
  /** The mapping of the input, with the hash that DIR/run.json keeps. */
  readonly mapping: Pick<LoadedMapping, "name" | "sha256"> | undefined;
  /** The file of the rows without a screening; undefined without such rows. */
  readonly rejectsFile: string | undefined;
}

const CLOSE_DEADLINE_MS = 5_000;

/** Local mode: screens a file of events into DIR/verdicts.ndjson and DIR/archive, with the same code as the worker. */
export async function screenRun(options: ScreenRunOptions): Promise<ScreenRunResult> {
  const { input, out, env, signal } = options;
  const config = readEnv(ScreenEnv, env);
  const bounds = runBounds(config);
  const policy = await openPolicy(config.POLICY_FILE);
  const choice = await chooseService(config);
  const settings = sharesQuota(config) ? await kafkaSettings(readEnv(KafkaEnv, env)) : undefined;
  // Loaded on demand: without brokers, the Kafka client would take a tenth of the memory for nothing.
  if (settings !== undefined) await (await import("./check-control-topic.ts")).checkControlTopic(settings);
  const before = await linesBeforeRecords(input);
  const lines = await countLines(input.path);
  const total = lines === undefined ? undefined : Math.max(0, lines - (before ?? lines));
  const opened = new Lifecycle();
  const stopping = new AbortController();
  // A run that waits for its input would not notice the abort.
  stopping.signal.addEventListener("abort", () => process.stdin.destroy(), { once: true });
  const abort = (reason: unknown) => stopping.abort(reason);
  try {
    await makeOutput(out);
    const lock = await lockOutput(out, { signal, warn: options.warn, onLost: abort });
    opened.onClose("lock", () => lock.release());
    const log = pinoLog(config.LOG_LEVEL);
    const onBook = (book: AddressBook) => writeListSet(path.join(out, "archive"), book);
    // The summary names the lists, so the log of a run has only faults.
    const opening = openLists(config, { clock: systemClock, log: warningsOf(log), onBook });
    // The lists are read while the service starts. The code that waits for the lists reports a failure.
    opening.catch(() => undefined);
    const { sameLabels } = await keepConditions(out, {
      policy: policy.sha256,
      ...choice,
      ...mappingConditions(input.mapping),
    });
    if (!sameLabels)
      options.warn("the label or list files have changed since this run was begun: older verdicts do not know them");
    const verdictsFile = path.join(out, "verdicts.ndjson");
    const tally = new Tally(systemClock, total);
    const unread = new UnreadAddresses();
    const rejects = new Rejects();
    const onSettled = (verdict: Verdict) => {
      tally.countEarlier(verdict);
      rejects.add(verdict);
      options.onVerdict?.(verdict);
    };
    const confirm = () => lock.confirm();
    const onFull = (isFull: boolean) => worker.gate.hold(isFull);
    const verdicts = await VerdictFile.open(verdictsFile, sourceName(input.path), onSettled, confirm, onFull);
    const awaits = verdicts.settled.awaits.bind(verdicts.settled);
    const tickets = await TicketFile.open(path.join(out, "tickets.ndjson"), awaits, confirm);
    opened.onClose("tickets", () => tickets.file.close());
    const seen = new EventDeduplication(path.join(out, "ids.tmp"), Math.random);
    opened.onClose("ids", async () => seen.close());
    const service = await reachService(choice, config, { env, opened, onDown: abort, signal });
    const { SERVICE_QUOTA: quota } = config;
    const lists = await opening;
    const sample = { input, config, policyFor: policy.choice, book: lists.book };
    if (options.tellsUnserved !== false) for (const line of await unservedInSample(sample)) options.warn(line);
    const unwatchLists = new AbortController();
    const watchingLists = lists.watch(AbortSignal.any([unwatchLists.signal, stopping.signal]));
    watchingLists.catch(abort);
    opened.onClose("lists", async () => {
      unwatchLists.abort();
      await watchingLists;
    });
    const isShared = settings !== undefined && quota !== undefined;
    // The members of a shared quota set its pace.
    const paced = { ...service, minTimeMs: quota === undefined || isShared ? 0 : minTimeMs(quota) };
    const { service: security, slots } = openService(
      paced,
      config,
      opened,
      (status) => tally.countRequest(status),
      log,
    );
    const given = quota === undefined ? undefined : givenRate(quota, log);
    if (quota !== undefined) sayGivenPace(quota, log);
    const ceiling = given && ceilingOf(given, slots);
    const pacedAnew = (alone: Closeness) => {
      // The pace of a shared quota is set several times a second.
      if (quota !== undefined && !isShared) ceiling?.pace(aloneMinTimeMs(quota, alone));
    };
    const headroom = quota === undefined ? undefined : new Headroom(pacedAnew);
    if (headroom !== undefined) pacedAnew(headroom.alone);
    const shared =
      isShared && headroom !== undefined && ceiling !== undefined
        ? (await import("../wiring/quota/open-shared-quota.ts")).openSharedQuota({
            settings,
            quota,
            config,
            service,
            headroom,
            ceiling,
            slots,
            log: stderrLog(process.stderr),
            opened,
          })
        : undefined;
    const quotaFile = config.SERVICE_QUOTA_FILE ?? path.join(out, "quota.json");
    const mark = () => keyMark(service.baseUrl, service.key.current().reveal());
    const learner = learnsQuota(config) ? await openLearner({ file: quotaFile, mark, opened, log }) : undefined;
    const book = new TicketBook(tickets.file, systemClock);
    const worker = workerOf({
      service: security,
      slots: shared?.slots ?? slots,
      concurrency: config.SERVICE_CONCURRENCY,
      pacer: learner ?? given,
      headroom,
      weightOf: (tenant) => config.TENANT_WEIGHTS.get(tenant) ?? 1,
      key: service.key,
      keyIsFixed: config.SERVICE_API_KEY_FILE === undefined,
      clock: systemClock,
      random: Math.random,
      log,
      policyFor: policy.choice,
      lists,
      software,
      sink: verdicts,
      tickets: book,
      bounds,
      patienceMs: config.SERVICE_PATIENCE,
      maxWaitMs: config.SERVICE_MAX_WAIT,
      deadlineMs: config.DECISION_DEADLINE,
      overdueGraceMs: config.OVERDUE_GRACE,
      // The next run repeats the checks that failed by the service.
      failuresLaterMs: () => undefined,
      maxVerdictBytes: MAX_VERDICT_BYTES,
      cacheBytes: config.ANSWER_CACHE_BYTES,
      cacheAges: cacheAges(config),
      confirmShare: config.SERVICE_QUOTA_CONFIRM,
      groupMax: config.SOLANA_GROUP_MAX,
      reach: service.dialect.reach,
      observer: options.observer ?? unobserved,
      onLoadRefused: (status) => tally.countLoadRefused(status),
      onVerdict: (verdict) => {
        tally.countVerdict(verdict);
        rejects.add(verdict);
        options.onVerdict?.(verdict);
      },
      signal: AbortSignal.any([signal, stopping.signal]),
      abort,
    });
    const unwatch = options.watch(() => tally.progress());
    const verdictLog = {
      ...VERDICT_LOG,
      chunks: followedBytes(verdictsFile, verdicts.tail),
      keep: () => verdicts.keep(),
    };
    const archiving = archiveLog(verdictLog, new ArchiveDirectory(path.join(out, "archive")), DEFAULT_CUT);
    // Without an abort, reading and writing would go on for hours before the failure is noticed.
    archiving.catch(abort);
    try {
      const chunks = recordChunks({
        ...input,
        onUnread: unread.add.bind(unread),
        onUnfinished: tally.wait.bind(tally),
      });
      await runLoop(resumableRecords(chunks, { verdicts, tickets: tickets.found, book, tally, seen }), worker);
    } catch (thrown) {
      // Full objects are archived. The next run archives the rest of an interrupted run.
      verdicts.tail.fail(thrown);
      await archiving.catch(() => undefined);
      throw thrown;
    } finally {
      unwatch();
      // A timer for a probe without a waiting request would keep the process alive.
      worker.gate.abandon(new Error("the run is over"));
      await slots.close(new Error("the run is over"));
      await verdicts.close();
    }
    const archived = await archiving;
    await lock.confirm();
    const rejectsFile = await keepRejects(out, input, rejects);
    const learning = learner && { learned: learner.learned, file: quotaFile };
    tally.listSet = lists.book.id;
    return {
      tally,
      service: choice.service,
      policy: { file: config.POLICY_FILE ?? "bundled", sha256: policy.sha256 },
      lists: lists.book.lists,
      learning,
      quota,
      verdictsFile,
      archived,
      unread,
      undetected: worker.pool.blindFamilies,
      ignored: input.ignored ?? [],
      mapping: input.mapping,
      rejectsFile,
    };
  } finally {
    await opened.close(CLOSE_DEADLINE_MS);
  }
}
