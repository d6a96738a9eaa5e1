import { serviceUrl } from "../../adapters/http/service/service-url.ts";
import { kafkaClient } from "../../adapters/kafka/client/kafka-client.ts";
import { fetchedPartitions } from "../../adapters/kafka/consumer/fetched-partitions.ts";
import { KafkaGroupConsumer } from "../../adapters/kafka/consumer/group-consumer.ts";
import type { HeaderChoice } from "../../adapters/kafka/consumer/passed-headers.ts";
import { untilReached } from "../../adapters/kafka/consumer/until-reached.ts";
import { logEnds } from "../../adapters/kafka/offsets/log-ends.ts";
import { watchUnfetchedEnds } from "../../adapters/kafka/offsets/unfetched-ends.ts";
import { BATCH_OVERHEAD_BYTES } from "../../adapters/kafka/topics/topic-checks.ts";
import { pinoLog } from "../../adapters/logging/pino-log.ts";
import { setArchiveLocation } from "../../adapters/prometheus/archive-metrics.ts";
import { CommitMetrics } from "../../adapters/prometheus/commit-metrics.ts";
import { showLists } from "../../adapters/prometheus/list-metrics.ts";
import { groups } from "../../adapters/prometheus/metric-definitions.ts";
import { MetricSet } from "../../adapters/prometheus/metric-set.ts";
import { RegistryMetrics } from "../../adapters/prometheus/registry-metrics.ts";
import { TimedConsumer } from "../../adapters/prometheus/timed-consumer.ts";
import { WorkerMetrics } from "../../adapters/prometheus/worker-metrics.ts";
import { FORMAT_HEADERS } from "../../adapters/schema-registry/wire-format.ts";
import { runAll } from "../../kernel/async.ts";
import { systemClock } from "../../kernel/clock.ts";
import { ConfigInvalidError } from "../../kernel/errors.ts";
import { Lifecycle } from "../../kernel/lifecycle.ts";
import { quietLog } from "../../kernel/log.ts";
import { INPUT_KEY_HEADER, RECORD_HEADERS } from "../../messages/record-key.ts";
import { TicketPublisher } from "../../worker/consumer/output/publish-tickets.ts";
import { VerdictPublisher } from "../../worker/consumer/output/publish-verdicts.ts";
import { REPLY_TOPIC_HEADER, ReplyTopics } from "../../worker/consumer/output/reply-topics.ts";
import { runGroups } from "../../worker/consumer/run-groups.ts";
import { failuresLaterMs, type Tier } from "../../worker/consumer/tiers.ts";
import { Headroom } from "../../worker/rate-limit/sharing/headroom.ts";
import { keyMark } from "../../worker/rate-limit/sharing/key-mark.ts";
import { keyMinTimeMs } from "../../worker/rate-limit/sharing/quota.ts";
import { workerOf } from "../../worker/worker.ts";
import { openArchive } from "../archive/open-archive.ts";
import { archiveLocation, logArchiveLocation } from "../config/archive-location.ts";
import { type Environment, readEnv, WorkerEnv } from "../config/config.ts";
import { cacheAges } from "../config/env/cache-env.ts";
import { kafkaSettings } from "../config/kafka-settings.ts";
import { registrySettings } from "../config/registry-settings.ts";
import { software } from "../program/package-root.ts";
import { reachNamedService } from "../service-connection/service-connection.ts";
import { openAdmin } from "../wiring/admin.ts";
import { fitTopics, partitionsOf } from "../wiring/fit-topics.ts";
import { workerBounds } from "../wiring/lane-settings.ts";
import { listSetArchive } from "../wiring/list-set-archive.ts";
import { openLists } from "../wiring/open-lists.ts";
import { openMapping } from "../wiring/open-mapping.ts";
import { openPolicy } from "../wiring/open-policy.ts";
import { openPublisher } from "../wiring/open-publisher.ts";
import { openRegistry } from "../wiring/open-registry.ts";
import { openService } from "../wiring/open-service.ts";
import { formattedVerdicts, openVerdictFormat } from "../wiring/open-verdict-format.ts";
import { sayGivenPace } from "../wiring/quota/given-pace.ts";
import { ceilingOf, givenRate } from "../wiring/quota/given-rate.ts";
import { openLearner } from "../wiring/quota/learned-quota.ts";
import { openSharedQuota } from "../wiring/quota/open-shared-quota.ts";
import { openS3Store } from "../wiring/s3-store.ts";
import { StartingHealth } from "../wiring/starting-health.ts";
import { policyFindings } from "./policy-findings.ts";
import { WorkerWatch } from "./worker-watch.ts";

/**
 * Longest wait for work in flight after the stop. With the last commits and the consumers, 3 s each at most, and all
 * other closing, the stop takes 24 s.
 */
const DRAIN_MS = 15_000;
const CLOSE_DEADLINE_MS = 3_000;
/** Work without progress for this long will not go on by itself. Chosen: twice the longest wait of a client. */
const STUCK_MS = 180_000;
/**
 * A single stalled partition beside others that move gets more time. An event may need tens of requests in turn, each
 * of which may time out, and a ticket waits for 10 minutes. A false end here would repeat again and again.
 */
const HEAD_STUCK_MS = 3_600_000;
/** Sequential requests of one event, with all retries. Chosen: more than twice the worst case. */
const HEAD_REQUESTS = 100;
const REBALANCE_MS = 60_000;

/**
 * Screens the records of the event topics, until `signal`. Every topic is checked first, and none is created.
 *
 * @throws {ConfigInvalidError | KafkaUnreachableError | ConsumerDeadError | WorkerStuckError}; `signal.reason` when it
 * aborts before the start.
 */
export async function workerRun(env: Environment, signal: AbortSignal): Promise<void> {
  const config = readEnv(WorkerEnv, env);
  const { SERVICE_URL: url } = config;
  if (url === undefined) {
    throw new ConfigInvalidError("bad settings: SERVICE_URL: must name the service; `weir serve` runs one");
  }
  const baseUrl = serviceUrl(url, { allowHttp: config.SERVICE_ALLOW_HTTP });
  const bounds = workerBounds(config);
  const place = archiveLocation(config);
  const settings = await kafkaSettings(config);
  const registry = await registrySettings(config);
  const formats = await formattedVerdicts(config.VERDICT_FORMAT, settings, registry);
  const policy = await openPolicy(config.POLICY_FILE);
  const mapping = await openMapping(config.EVENT_MAP);
  const reached = await reachNamedService(baseUrl, config, env);
  const { key } = reached;
  const log = pinoLog(config.LOG_LEVEL);
  const opened = new Lifecycle();
  const ending = new AbortController();
  try {
    const { connection, topics, groupId, recordMaxBytes: maxRecordBytes } = settings;
    const clock = systemClock;
    const reaching = { clock, random: Math.random, log, signal };
    const set = new MetricSet();
    set.collectProcess();
    // The health opens before any connection: a process that waits for the brokers is alive, and reports its wait.
    const starting = new StartingHealth(connection.brokers);
    await openAdmin(config, starting, set, log, opened);
    const { S3_BUCKET } = config;
    const metrics = new WorkerMetrics(set, policyFindings(policy.choice));
    const schemas = new RegistryMetrics(set);
    const onRequest = schemas.request.bind(schemas);
    const reading = openRegistry(registry, { log, opened, onRequest, signal: ending.signal });
    schemas.collect(reading?.cache);
    starting.waitsFor("the lists are not loaded yet");
    const sets =
      S3_BUCKET === undefined || place !== "here"
        ? undefined
        : listSetArchive(openS3Store({ ...config, S3_BUCKET }, opened), {
            clock,
            random: Math.random,
            log,
            signal: ending.signal,
          });
    const lists = await openLists(config, { clock, log, ...(sets === undefined ? {} : { onBook: sets.onBook }) });
    showLists(set, {
      lists: () => lists.book.lists,
      now: () => clock.now(),
      maxAgeMs: config.LISTS_MAX_AGE,
      isBehind: () => lists.isBehind,
    });
    starting.waitsFor("the schema registry has no id for the schema of verdicts yet");
    const formatted =
      formats === undefined
        ? undefined
        : await openVerdictFormat(formats, config.SCHEMA_REGISTRY_AUTO_REGISTER, reaching);
    starting.waitsFor(undefined);
    // A backfill topic is deleted when it is done. The other topics go on while its name is still in the settings.
    const isBackfill = (topic: string) => topics.backfill.includes(topic);
    const reach = () => starting.whileReaching(() => fitTopics(settings, log, undefined, isBackfill));
    const partitions = partitionsOf(await untilReached(reach, reaching));
    const sends = {
      maxBytes: maxRecordBytes,
      maxRecordBytes: maxRecordBytes + BATCH_OVERHEAD_BYTES,
      signal: ending.signal,
    };
    const publisher = await openPublisher({ settings, partitions, log, opened, stop: signal, ...sends });
    const commits = new CommitMetrics(set, place === "here" ? groups : ["events", "retries"]);
    const { service: security, slots } = openService(
      { ...reached, minTimeMs: 0 },
      config,
      opened,
      (status, operation, ms) => metrics.request(operation, status, ms),
      log,
    );
    const { SERVICE_QUOTA: quota, SERVICE_QUOTA_FILE: file } = config;
    const mark = () => keyMark(baseUrl, key.current().reveal());
    const learner = quota === undefined ? await openLearner({ file, mark, opened, log }) : undefined;
    // The share of the quota is read several times a second.
    const headroom = quota === undefined ? undefined : new Headroom(() => undefined);
    const given = quota === undefined ? undefined : givenRate(quota, log);
    if (quota !== undefined) sayGivenPace(quota, log);
    const part = () => given?.part ?? 1;
    const shared =
      quota === undefined || headroom === undefined || given === undefined
        ? undefined
        : openSharedQuota({
            settings,
            quota,
            config,
            service: reached,
            headroom,
            ceiling: ceilingOf(given, slots),
            slots,
            log,
            opened,
          });
    const slotMs = () => {
      if (quota === undefined || headroom === undefined) return learner?.minTimeMs ?? 0;
      return keyMinTimeMs(quota, shared?.member.members ?? 1, headroom) / part();
    };
    const worker = workerOf({
      service: security,
      slots: shared?.slots ?? slots,
      concurrency: config.SERVICE_CONCURRENCY,
      pacer: learner ?? given,
      headroom,
      weightOf: (tenant) => config.TENANT_WEIGHTS.get(tenant) ?? 1,
      key,
      keyIsFixed: false,
      clock,
      random: Math.random,
      log,
      policyFor: policy.choice,
      lists,
      software,
      sink: new VerdictPublisher({
        publisher,
        clock,
        verdicts: topics.verdicts,
        deadLetters: topics.deadLetters,
        maxRecordBytes,
        isKeyedByInput: settings.inputKey === "key",
        ...(formatted === undefined ? {} : { formatted }),
        replies: new ReplyTopics(topics.replies ?? [], log),
      }),
      tickets: new TicketPublisher({ publisher, clock, topics: topics.retries, maxRecordBytes }),
      bounds,
      // The worker waits for the service without a limit, while Kafka keeps the incoming records.
      patienceMs: Number.POSITIVE_INFINITY,
      maxWaitMs: config.SERVICE_MAX_WAIT,
      deadlineMs: config.DECISION_DEADLINE,
      overdueGraceMs: config.OVERDUE_GRACE,
      failuresLaterMs,
      maxVerdictBytes: maxRecordBytes,
      cacheBytes: config.ANSWER_CACHE_BYTES,
      cacheAges: cacheAges(config),
      confirmShare: config.SERVICE_QUOTA_CONFIRM,
      groupMax: config.SOLANA_GROUP_MAX,
      reach: reached.dialect.reach,
      observer: metrics,
      onLoadRefused: (status) => metrics.loadRefused(status),
      onVerdict: () => undefined,
      signal: ending.signal,
      abort: (reason) => ending.abort(reason),
    });
    const member = (group: "events" | "retries", id: string, names: readonly string[], headers: HeaderChoice) =>
      new KafkaGroupConsumer({
        kafka: kafkaClient(connection, log),
        groupId: id,
        topics: names,
        headers,
        sessionTimeoutMs: settings.sessionTimeoutMs,
        rebalanceTimeoutMs: Math.max(REBALANCE_MS, settings.sessionTimeoutMs),
        clock,
        random: Math.random,
        log,
        onRecreated: () => metrics.recreated(group),
        onTruncated: () => metrics.truncated(group),
      });
    const realtime = new Set(topics.realtime);
    const tiers = new Map(Object.entries(topics.retries).map(([tier, topic]) => [topic, tier as Tier]));
    const laneOf = (topic: string) => (realtime.has(topic) ? "realtime" : "backfill");
    const names = [...settings.passedHeaders, ...(topics.replies === undefined ? [] : [REPLY_TOPIC_HEADER])];
    const inputs = [...topics.realtime, ...topics.backfill];
    const format = reading === undefined ? [] : FORMAT_HEADERS;
    const events = member("events", groupId, inputs, { names, format, addsKey: settings.inputKey !== "none" });
    const own = [...RECORD_HEADERS, INPUT_KEY_HEADER];
    const retries = member("retries", `${groupId}-retry`, Object.values(topics.retries), { names, own });
    const archive =
      S3_BUCKET === undefined || sets === undefined
        ? undefined
        : openArchive({
            settings,
            config: { ...config, S3_BUCKET },
            metrics: set,
            commits,
            log,
            opened,
            behind: sets.behindSets,
          });
    if (archive === undefined) setArchiveLocation(set, place);
    const watched = new WorkerWatch({
      ...worker,
      clock,
      laneOf,
      events,
      retries,
      minTimeMs: slotMs,
      shared: shared?.member,
      part,
      registry: reading?.cache,
    });
    metrics.collect(watched.gauges);
    starting.begun(watched.health);
    log.info("the worker starts", { group: groupId, software });
    logArchiveLocation(place, log);
    const timed = (consumer: KafkaGroupConsumer, group: "events" | "retries") =>
      new TimedConsumer(consumer, clock, (outcome, ms) => commits.commit(group, outcome, ms));
    const run = (stop: AbortSignal) =>
      runGroups({
        ...worker,
        mapping,
        laneOf,
        log,
        events: timed(events, "events"),
        onBegun: watched.begun,
        retries: timed(retries, "retries"),
        publisher,
        ...(reading === undefined ? {} : { decoder: reading.decoder }),
        deadLetters: topics.deadLetters,
        tierOf: (topic) => tiers.get(topic) ?? "10m",
        stop,
        drainMs: DRAIN_MS,
        // The next permit may be far away, and further once the learned quota shrinks, or many processes share it.
        stuckMs: () => Math.max(STUCK_MS, 10 * slotMs() * Math.max(1, shared?.member.members ?? 1)),
        headStuckMs: () => Math.max(HEAD_STUCK_MS, HEAD_REQUESTS * config.SERVICE_TIMEOUT_MS),
      });
    await runAll(signal, (stop) => [
      run(stop),
      lists.watch(stop),
      watchUnfetchedEnds(
        {
          assigned: () => events.assigned,
          seen: fetchedPartitions,
          ends: (names) => logEnds(kafkaClient(connection, quietLog), names, { clock, signal: stop }),
          clock,
        },
        stop,
      ),
      ...(archive === undefined ? [] : [archive.keepRunning(stop)]),
    ]);
    log.info("the worker has stopped in good order");
  } finally {
    ending.abort(new Error("the worker has ended"));
    await opened.close(CLOSE_DEADLINE_MS);
  }
}
