import { routes } from "../../api/routes.ts";
import { archiveSteps } from "../../archive/writer/archive-observer.ts";
import { checks } from "../../messages/checks.ts";
import { decisions } from "../../messages/decision.ts";
import { lanes } from "../../messages/lane.ts";
import { refusalCauses } from "../../worker/rate-limit/gate/refusals/refusal-cause.ts";

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
  events: { type: "counter", name: "weir_events_total", help: "Events that were taken in", labels: lane },
  verdicts: {
    type: "counter",
    name: "weir_verdicts_total",
    help: "Verdicts that were written",
    labels: { ...lane, decision: decisions },
  },
  reasons: {
    type: "counter",
    name: "weir_reasons_total",
    help: "Reasons in verdicts, but for notes, by the names that the policy has and those of failures",
    // The names of findings in the policy: a closed set that only the process knows.
    labels: { finding: [] },
  },
  settle: {
    type: "histogram",
    name: "weir_settle_seconds",
    help: "From a record's time to its verdict",
    labels: lane,
    buckets: SETTLE_SECONDS,
  },
  tickets: { type: "counter", name: "weir_tickets_total", help: "Events that were put off", labels: lane },
  ticketsWaiting: {
    type: "gauge",
    name: "weir_tickets_waiting",
    help: "Events that wait for their ticket's time",
    labels: {},
  },
  listEntries: {
    type: "gauge",
    name: "weir_list_entries",
    help: "Entries of each list that events are held against.",
    // The names of the operator's files.
    labels: { list: [] },
  },
  listDate: {
    type: "gauge",
    name: "weir_list_date_seconds",
    help: "Date of each list, Unix time.",
    labels: { list: [] },
  },
  listAge: {
    type: "gauge",
    name: "weir_list_age_seconds",
    help: "Age of each list by its date.",
    labels: { list: [] },
  },
  listMaxAge: {
    type: "gauge",
    name: "weir_list_max_age_seconds",
    help: "Age from which on a list is too old, as LISTS_MAX_AGE says.",
    labels: {},
  },
  listNotReloaded: {
    type: "gauge",
    name: "weir_list_not_reloaded",
    help: "1 while a newer version of a list or label file was refused, and the one before stays in use.",
    labels: {},
  },
  inWork: { type: "gauge", name: "weir_events_in_flight", help: "Events that have no verdict yet", labels: lane },
  oldest: {
    type: "gauge",
    name: "weir_oldest_unscreened_seconds",
    help: "Age of the oldest event in work",
    labels: lane,
  },
  stalledPartition: {
    type: "gauge",
    name: "weir_stalled_partition_seconds",
    help: "For how long a partition has had work and its first unsettled event stayed the same, the longest of them",
    labels: lane,
  },
  lag: { type: "gauge", name: "weir_lag_records", help: "Records that are written and not read yet", labels: lane },
  fetchesWithoutProgress: {
    type: "gauge",
    name: "weir_fetches_without_progress",
    help: "Fetches in a row that brought bytes of a partition and did not get beyond them, the most of any partition.",
    labels: lane,
  },
  missingTopics: {
    type: "gauge",
    name: "weir_missing_topics",
    help: "Topics of events that do not exist. Each is left out until it does.",
    labels: lane,
  },
  recreated: {
    type: "counter",
    name: "weir_recreated_partitions_total",
    help: "Partitions that are read again from their first record, because their topic was made anew or their log was cut.",
    labels: { group: ["events", "retries"] },
  },
  truncated: {
    type: "counter",
    name: "weir_truncated_partitions_total",
    help: "Partitions whose new leader lacks records that were read. They are read on from the first offset that may differ.",
    labels: { group: ["events", "retries"] },
  },
  commits: {
    type: "counter",
    name: "weir_commits_total",
    help: "Commits of consumer groups by what became of them",
    labels: { group: groups, outcome: ["taken", "refused", "lost"] },
  },
  commitSeconds: {
    type: "histogram",
    name: "weir_commit_seconds",
    help: "How long the brokers took to take a commit",
    labels: { group: groups },
    buckets: COMMIT_SECONDS,
  },
  requests: {
    type: "counter",
    name: "weir_service_requests_total",
    help: "Requests to the service by HTTP status; 503 counts under 5xx",
    labels: { ...operation, status: statuses },
  },
  refusals: {
    type: "counter",
    name: "weir_service_refusals_total",
    help: "Requests that the service refused for load, by what said so; each slows down what is sent",
    labels: { cause: refusalCauses },
  },
  answers: {
    type: "histogram",
    name: "weir_service_seconds",
    help: "How long the service took",
    labels: operation,
    buckets: ANSWER_SECONDS,
  },
  closed: {
    type: "gauge",
    name: "weir_service_closed",
    help: "1 while nothing is sent to the service, by cause",
    labels: { cause: closures },
  },
  pace: {
    type: "gauge",
    name: "weir_pace_requests_per_second",
    help: "Requests a second that the quota allows, given or learned; 0: no pace",
    labels: {},
  },
  quotaShare: {
    type: "gauge",
    name: "weir_quota_share",
    help: "Requests a second of them that are this process's own at the moment",
    labels: {},
  },
  quotaMembers: {
    type: "gauge",
    name: "weir_quota_members",
    help: "Processes that share the quota, this one included; 0: it is not shared, or nobody was heard yet",
    labels: {},
  },
  polls: {
    type: "gauge",
    name: "weir_polls_waiting",
    help: "Analyses that are not finished and are asked for again by this process",
    labels: {},
  },
  items: {
    type: "histogram",
    name: "weir_batch_items",
    help: "Items of a request about poisoning",
    labels: kind,
    buckets: BATCH_ITEMS,
  },
  linger: {
    type: "histogram",
    name: "weir_batch_wait_seconds",
    help: "How long its first question waited",
    labels: kind,
    buckets: WAIT_SECONDS,
  },
  canaries: {
    type: "counter",
    name: "weir_canaries_total",
    help: "Pooled requests by what their canaries did",
    labels: { outcome: ["sang", "silent", "lost", "refused"] },
  },
  poolingOff: {
    type: "gauge",
    name: "weir_pooling_off",
    help: "1 while nothing is pooled, since canaries were not flagged, or not answered",
    labels: {},
  },
  confirmations: {
    type: "counter",
    name: "weir_confirmations_total",
    help: "Questions asked again since they were flagged in company",
    labels: {},
  },
  believed: {
    type: "counter",
    name: "weir_believed_flags_total",
    help: "Questions that were flagged in company and not asked again",
    labels: { by: ["own-user", "learned"] },
  },
  reused: {
    type: "counter",
    name: "weir_reused_answers_total",
    help: "Questions answered by what is remembered",
    labels: { check: checks },
  },
  served: {
    type: "counter",
    name: "weir_served_requests_total",
    help: "Requests that the service answered, by what was asked",
    labels: { ...operation, status: statuses },
  },
  servedSeconds: {
    type: "histogram",
    name: "weir_served_seconds",
    help: "From a request's headers to the end of its answer",
    labels: operation,
    buckets: ANSWER_SECONDS,
  },
  archivePlace: {
    type: "gauge",
    name: "weir_archive_place",
    help: "1 for where this process's verdicts are archived: here, elsewhere, off (nowhere, on purpose), unset (nowhere)",
    labels: { place: archiveLocations },
  },
  archivedObjects: {
    type: "counter",
    name: "weir_archive_objects_total",
    help: "Objects of the archive that are durable",
    labels: {},
  },
  archivedVerdicts: {
    type: "counter",
    name: "weir_archive_verdicts_total",
    help: "Verdicts in them",
    labels: {},
  },
  archivedBytes: {
    type: "counter",
    name: "weir_archive_bytes_total",
    help: "Bytes of their lines before they are packed",
    labels: {},
  },
  archiveLost: {
    type: "counter",
    name: "weir_archive_lost_records_total",
    help: "Offsets that the verdict topic deleted before they were archived",
    labels: {},
  },
  archiveFailures: {
    type: "counter",
    name: "weir_archive_failures_total",
    help: "Tries that failed, by what was tried",
    labels: { step: archiveSteps },
  },
  archiveOldest: {
    type: "gauge",
    name: "weir_archive_oldest_seconds",
    help: "Age of the oldest verdict that the group of the archive has not committed, whoever reads it; or for how long the brokers have not told",
    labels: {},
  },
  archiveLag: {
    type: "gauge",
    name: "weir_archive_lag_records",
    help: "Verdicts that the archive has not read yet",
    labels: {},
  },
  archiveWaiting: {
    type: "gauge",
    name: "weir_archive_waiting_bytes",
    help: "Bytes of verdicts that wait in memory for their object",
    labels: {},
  },
  archiveHalted: {
    type: "gauge",
    name: "weir_archive_halted_partitions",
    help: "Partitions that are archived no further until somebody has looked",
    labels: {},
  },
  archiveDown: {
    type: "gauge",
    name: "weir_archive_down",
    help: "1 since the archive in this process has ended, until it is in its group again",
    labels: {},
  },
} as const satisfies Readonly<Record<string, MetricDefinition>>;
