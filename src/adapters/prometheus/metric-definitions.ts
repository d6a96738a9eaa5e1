import { routes } from "../../api/routes.ts";
import { archiveSteps } from "../../archive/writer/archive-observer.ts";
import { checks } from "../../messages/checks.ts";
import { decisions } from "../../messages/decision.ts";
import { lanes } from "../../messages/lane.ts";
import { refusalCauses } from "../../worker/rate-limit/gate/refusals/refusal-cause.ts";
import { registryOutcomes } from "../schema-registry/registry-outcome.ts";

/**
 * Names of labels, each with all its values. A series lives as long as the process, so no other code may create one.
 */
type Labels = Readonly<Record<string, readonly string[]>>;

export interface MetricDefinition {
  readonly type: "counter" | "gauge" | "histogram";
  readonly name: string;
  readonly help: string;
  readonly labels: Labels;
  /** Upper bounds of a histogram's buckets. */
  readonly buckets?: readonly number[];
}

/** The reasons why no request is sent to the service. */
export const closures = ["unauthorized", "failing", "rate limited"] as const;
/** Statuses with a separate meaning for an operator; "none": no answer. */
export const statuses = ["200", "400", "401", "403", "413", "422", "429", "5xx", "other", "none"] as const;
export const groups = ["events", "retries", "archive"] as const;
/** Locations of the archive: this process, another process, switched off, or not configured. */
export const archiveLocations = ["here", "elsewhere", "off", "unset"] as const;
export type ArchiveLocation = (typeof archiveLocations)[number];

const lane = { lane: lanes };
const kind = { kind: ["pooled", "alone"] };
const operation = { operation: Object.keys(routes) };
const ANSWER_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const SETTLE_SECONDS = [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3_600];
const BATCH_ITEMS = [1, 2, 10, 50, 100, 250, 500, 750, 1_000];
const WAIT_SECONDS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 5, 30];
const COMMIT_SECONDS = [0.005, 0.02, 0.1, 0.5, 1, 5, 30];

/**
 * Every metric of Weir. Alerts, dashboard and documentation may use these metrics and Node's process metrics alone: a
 * test compares them.
 */
export const metricDefinitions = {
  events: {
    type: "counter",
    name: "weir_events_total",
    help: "Events that Weir read from topics or a file.",
    labels: lane,
  },
  verdicts: {
    type: "counter",
    name: "weir_verdicts_total",
    help: "Verdicts that Weir wrote.",
    labels: { ...lane, decision: decisions },
  },
  reasons: {
    type: "counter",
    name: "weir_reasons_total",
    help: "Reasons in verdicts without notes, by the name of the finding or the failure.",
    // The names of findings in the policy: a closed set that only the process knows.
    labels: { finding: [] },
  },
  settle: {
    type: "histogram",
    name: "weir_settle_seconds",
    help: "Time from the timestamp of a record to its verdict, in seconds.",
    labels: lane,
    buckets: SETTLE_SECONDS,
  },
  tickets: {
    type: "counter",
    name: "weir_tickets_total",
    help: "Retry tickets that Weir wrote for events without an answer.",
    labels: lane,
  },
  ticketsWaiting: {
    type: "gauge",
    name: "weir_tickets_waiting",
    help: "Retry tickets that wait in this process for their due time.",
    labels: {},
  },
  listEntries: {
    type: "gauge",
    name: "weir_list_entries",
    help: "Entries of each list that Weir compares events with.",
    // The names of the operator's files.
    labels: { list: [] },
  },
  listDate: {
    type: "gauge",
    name: "weir_list_date_seconds",
    help: "Date of each list, as Unix time in seconds.",
    labels: { list: [] },
  },
  listAge: {
    type: "gauge",
    name: "weir_list_age_seconds",
    help: "Age of each list by its date, in seconds.",
    labels: { list: [] },
  },
  listMaxAge: {
    type: "gauge",
    name: "weir_list_max_age_seconds",
    help: "Age from which a list is too old (LISTS_MAX_AGE), in seconds.",
    labels: {},
  },
  listNotReloaded: {
    type: "gauge",
    name: "weir_list_not_reloaded",
    help: "1 while Weir refuses a changed list or label file and uses its previous version.",
    labels: {},
  },
  schemaRequests: {
    type: "counter",
    name: "weir_schema_requests_total",
    help: "Requests for a schema of the schema registry.",
    labels: { outcome: registryOutcomes },
  },
  schemaRegistryDown: {
    type: "gauge",
    name: "weir_schema_registry_down",
    help: "1 while the schema registry gives no answer or refuses the login.",
    labels: {},
  },
  schemasWaiting: {
    type: "gauge",
    name: "weir_schemas_waiting",
    help: "Schemas that partitions wait for.",
    labels: {},
  },
  inWork: {
    type: "gauge",
    name: "weir_events_in_flight",
    help: "Events in flight: read and not yet completed.",
    labels: lane,
  },
  oldest: {
    type: "gauge",
    name: "weir_oldest_unscreened_seconds",
    help: "Age of the oldest event in flight, in seconds.",
    labels: lane,
  },
  stalledPartition: {
    type: "gauge",
    name: "weir_stalled_partition_seconds",
    help: "Longest time for which the first uncompleted event of any partition has stayed the same, in seconds.",
    labels: lane,
  },
  lag: {
    type: "gauge",
    name: "weir_lag_records",
    help: "Records in the event topics that this process has not read yet.",
    labels: lane,
  },
  fetchesWithoutProgress: {
    type: "gauge",
    name: "weir_fetches_without_progress",
    help: "Most consecutive fetches of any partition that returned bytes but did not advance the offset.",
    labels: lane,
  },
  missingTopics: {
    type: "gauge",
    name: "weir_missing_topics",
    help: "Event topics that do not exist. Weir skips such a topic until the topic exists.",
    labels: lane,
  },
  recreated: {
    type: "counter",
    name: "weir_recreated_partitions_total",
    help: "Partitions that Weir read again from their first record after a topic was recreated or a log was cut.",
    labels: { group: ["events", "retries"] },
  },
  truncated: {
    type: "counter",
    name: "weir_truncated_partitions_total",
    help: "Partitions with a new leader that lacks records that Weir had read. Weir reads again from the first offset that may differ.",
    labels: { group: ["events", "retries"] },
  },
  commits: {
    type: "counter",
    name: "weir_commits_total",
    help: "Offset commits of consumer groups, by outcome.",
    labels: { group: groups, outcome: ["taken", "refused", "lost"] },
  },
  commitSeconds: {
    type: "histogram",
    name: "weir_commit_seconds",
    help: "Time that the brokers took to accept an offset commit, in seconds.",
    labels: { group: groups },
    buckets: COMMIT_SECONDS,
  },
  requests: {
    type: "counter",
    name: "weir_service_requests_total",
    help: "Requests to the service, by operation and HTTP status. 503 counts as 5xx.",
    labels: { ...operation, status: statuses },
  },
  refusals: {
    type: "counter",
    name: "weir_service_refusals_total",
    help: "Requests that the service refused because of load, by the sign of overload. Weir sends more slowly after each.",
    labels: { cause: refusalCauses },
  },
  answers: {
    type: "histogram",
    name: "weir_service_seconds",
    help: "Time that the service took to answer a request, in seconds.",
    labels: operation,
    buckets: ANSWER_SECONDS,
  },
  closed: {
    type: "gauge",
    name: "weir_service_closed",
    help: "1 while the circuit breaker stops requests to the service, by cause.",
    labels: { cause: closures },
  },
  pace: {
    type: "gauge",
    name: "weir_pace_requests_per_second",
    help: "Requests per second that the given or learned quota allows. 0 means that no rate is set.",
    labels: {},
  },
  quotaShare: {
    type: "gauge",
    name: "weir_quota_share",
    help: "Requests per second of the quota that this process may send now.",
    labels: {},
  },
  quotaMembers: {
    type: "gauge",
    name: "weir_quota_members",
    help: "Processes that share the quota, with this process. 0 means that the quota is not shared or that no process has reported yet.",
    labels: {},
  },
  polls: {
    type: "gauge",
    name: "weir_polls_waiting",
    help: "Unfinished analyses that this process requests again until the service has finished.",
    labels: {},
  },
  items: {
    type: "histogram",
    name: "weir_batch_items",
    help: "Addresses and tokens in one poisoning request.",
    labels: kind,
    buckets: BATCH_ITEMS,
  },
  linger: {
    type: "histogram",
    name: "weir_batch_wait_seconds",
    help: "Time that the first question of a poisoning request waited for the batch to be sent, in seconds.",
    labels: kind,
    buckets: WAIT_SECONDS,
  },
  canaries: {
    type: "counter",
    name: "weir_canaries_total",
    help: "Batches by the result of their canaries: sang (flagged), silent (not flagged), lost (without an answer) or refused (chain not supported).",
    labels: { outcome: ["sang", "silent", "lost", "refused"] },
  },
  poolingOff: {
    type: "gauge",
    name: "weir_pooling_off",
    help: "1 while Weir sends no batches because canaries were not flagged or not answered.",
    labels: {},
  },
  confirmations: {
    type: "counter",
    name: "weir_confirmations_total",
    help: "Confirmations: flagged batch entries that Weir asked about again.",
    labels: {},
  },
  believed: {
    type: "counter",
    name: "weir_believed_flags_total",
    help: "Flagged batch entries that Weir believed without a confirmation.",
    labels: { by: ["own-user", "learned"] },
  },
  reused: {
    type: "counter",
    name: "weir_reused_answers_total",
    help: "Questions that the answer caches answered.",
    labels: { check: checks },
  },
  served: {
    type: "counter",
    name: "weir_served_requests_total",
    help: "Requests that this Weir service answered, by operation and status.",
    labels: { ...operation, status: statuses },
  },
  servedSeconds: {
    type: "histogram",
    name: "weir_served_seconds",
    help: "Time from the headers of a request to the end of the answer of this Weir service, in seconds.",
    labels: operation,
    buckets: ANSWER_SECONDS,
  },
  archivePlace: {
    type: "gauge",
    name: "weir_archive_place",
    help: "1 for the process that archives verdicts: here, elsewhere, off (none, by setting), unset (none, no setting).",
    labels: { place: archiveLocations },
  },
  archivedObjects: {
    type: "counter",
    name: "weir_archive_objects_total",
    help: "Archive objects that are stored durably.",
    labels: {},
  },
  archivedVerdicts: {
    type: "counter",
    name: "weir_archive_verdicts_total",
    help: "Verdicts written to archive objects.",
    labels: {},
  },
  archivedBytes: {
    type: "counter",
    name: "weir_archive_bytes_total",
    help: "Bytes of verdicts written to archive objects, before compression.",
    labels: {},
  },
  archiveLost: {
    type: "counter",
    name: "weir_archive_lost_records_total",
    help: "Offsets that the verdict topic deleted before the archive had read them.",
    labels: {},
  },
  archiveFailures: {
    type: "counter",
    name: "weir_archive_failures_total",
    help: "Failed attempts of the archive, by step.",
    labels: { step: archiveSteps },
  },
  archiveOldest: {
    type: "gauge",
    name: "weir_archive_oldest_seconds",
    help: "Age of the oldest verdict that the archive's consumer group has not committed, in seconds. While the brokers do not answer: time since their last answer.",
    labels: {},
  },
  archiveLag: {
    type: "gauge",
    name: "weir_archive_lag_records",
    help: "Verdicts in the verdict topic that the archive has not read yet.",
    labels: {},
  },
  archiveWaiting: {
    type: "gauge",
    name: "weir_archive_waiting_bytes",
    help: "Bytes of verdicts that wait in memory to be written to an archive object.",
    labels: {},
  },
  archiveHalted: {
    type: "gauge",
    name: "weir_archive_halted_partitions",
    help: "Partitions that the archive stopped at until an operator resolves the cause.",
    labels: {},
  },
  archiveDown: {
    type: "gauge",
    name: "weir_archive_down",
    help: "1 from a stop of the archive in this process until the archive has joined its consumer group again.",
    labels: {},
  },
} as const satisfies Readonly<Record<string, MetricDefinition>>;
