import type { Unfinished } from "../../adapters/files/input/unfinished.ts";
import type { ListInUse } from "../../labels/address-book.ts";
import type { UnreadAddresses } from "../../messages/unread/unread-addresses.ts";
import type { ForecastResult } from "../../worker/estimate/forecast.ts";
import { type CheckForecast, type EstimatedCheck, estimatedChecks } from "../../worker/estimate/request-estimate.ts";
import type { UnservedCheck } from "../../worker/estimate/unserved-checks.ts";
import { NO_EVENTS } from "../screen/summary.ts";
import { listLine } from "../terminal/list-line.ts";
import { duration } from "../terminal/progress.ts";
import { unfinishedText } from "../terminal/unfinished-text.ts";
import { unreadLines } from "../terminal/unread-lines.ts";
import { unservedLines } from "../terminal/unserved-lines.ts";
import type { PlannedMemory } from "./planned-bounds.ts";

/** The rate of requests, per second, and the origin of the rate. */
export interface Pace {
  readonly perSecond: number;
  readonly from: string;
}

/** The request rate is unknown. */
export interface UnknownPace {
  readonly perSecond: undefined;
  /** The reason why a learned quota is not used; undefined: none was learned. */
  readonly why?: string;
}

export interface PlanReport {
  readonly forecast: ForecastResult;
  readonly pace: Pace | UnknownPace;
  /** Price of one request, in any currency. */
  readonly price: number | undefined;
  readonly memory: PlannedMemory;
  /** Addresses of the input that are not read. */
  readonly unread: Pick<UnreadAddresses, "fields" | "beyond">;
  /** Checks that the service of a run cannot answer. Undefined when another service answers. */
  readonly unserved?: readonly UnservedCheck[];
  /** The lists that events would be screened with. */
  readonly lists: readonly ListInUse[];
  /** Records of the topic that lie behind an open transaction. They are not planned. 0 for a file. */
  readonly behindTransactions: number;
  /** Lines at the end of the file that may still grow. They are not planned. */
  readonly waiting?: Unfinished | undefined;
}

const NO_LISTS = "list      none: LISTS_FILES and LABELS_FILES name no file";

export function requestsIn({ required }: ForecastResult): number {
  return estimatedChecks.reduce((sum, check) => sum + required[check].requests, 0);
}

/** Requests in total without batches. */
function unpooledIn(forecast: ForecastResult): number {
  return requestsIn(forecast) - forecast.required.poisoning.requests + forecast.unpooled;
}

function mebibytesOf({ base, answers, events }: PlannedMemory): number {
  return base + answers + events;
}

/** The plan as one JSON object, for programs. */
export function planLine({
  forecast,
  pace,
  price,
  memory,
  unread,
  unserved = [],
  lists,
  behindTransactions,
  waiting,
}: PlanReport): string {
  const shown = (checks: ForecastResult["required"]) =>
    Object.fromEntries(
      estimatedChecks.map((check) => {
        const { questions, distinct, isExact, requests } = checks[check];
        return [check, { questions, distinct, distinct_is_exact: isExact, requests }];
      }),
    );
  const requests = requestsIn(forecast);
  const figures = (count: number) => ({
    requests: count,
    seconds: pace.perSecond === undefined ? null : count / pace.perSecond,
    cost: price === undefined ? null : count * price,
  });
  return JSON.stringify({
    events: forecast.events,
    behind_open_transactions: behindTransactions,
    waiting_lines: waiting === undefined ? null : { from: waiting.from, to: waiting.to },
    unreadable: forecast.unreadable,
    first_unreadable: forecast.firstUnreadable ?? null,
    unread_addresses: unread.fields.map(({ name, kind, events, first, isTelling, mayBeHash }) => ({
      [kind]: name,
      events,
      first,
      refused: isTelling,
      may_be_hashes: mayBeHash,
    })),
    unread_addresses_elsewhere: unread.beyond,
    asking: forecast.asking,
    settled_without_asking: forecast.settled,
    settled_as: Object.fromEntries(forecast.failures),
    missing_operations: Object.fromEntries(forecast.lacking),
    unanswered: unserved.map(({ check, chain, events }) => ({ check, chain_id: chain.id, events })),
    requests,
    checks: shown(forecast.required),
    optional: shown(forecast.optional),
    possible_receivers: forecast.receivers,
    requests_per_second: pace.perSecond ?? null,
    pace_from: pace.perSecond === undefined ? null : pace.from,
    pace_unknown: pace.perSecond === undefined ? (pace.why ?? "nothing was given or learned") : null,
    seconds: pace.perSecond === undefined ? null : requests / pace.perSecond,
    cost: price === undefined ? null : requests * price,
    if_all_is_flagged: {
      ...figures(requests + forecast.confirmations),
      confirmations: forecast.confirmations,
    },
    if_nothing_is_pooled: figures(unpooledIn(forecast)),
    memory_mib: mebibytesOf(memory),
    lists: lists.map(({ name, sha256, date, entries, refused, unread }) => ({
      name,
      sha256,
      date,
      entries,
      refused: refused.length,
      columns_not_read: unread,
    })),
  });
}

/** The plan as lines of text. */
export function planLines(report: PlanReport): readonly string[] {
  const { forecast, pace, price, memory, unread, unserved = [], lists } = report;
  const { events, unreadable, firstUnreadable, asking, required, optional, receivers, confirmations } = forecast;
  if (events === 0) return [...(report.waiting === undefined ? [NO_EVENTS] : []), ...leftOutLines(report)];
  const requests = requestsIn(forecast);
  const unpooled = unpooledIn(forecast);
  const seconds = (count: number) => (pace.perSecond === undefined ? "" : duration(count / pace.perSecond));
  const cost = (count: number) => (price === undefined ? "" : Number((count * price).toPrecision(6)).toString());
  const figures = (count: number) =>
    [`${count} requests`, seconds(count), cost(count)].filter((figure) => figure !== "").join(", ");
  const row = (check: EstimatedCheck, { questions, distinct, isExact, requests: own }: CheckForecast) =>
    [
      `  ${check.padEnd(18)}`,
      String(questions).padStart(12),
      `${isExact ? "" : "~"}${distinct}`.padStart(12),
      String(own).padStart(12),
      seconds(own).padStart(16),
      cost(own).padStart(12),
    ]
      .join("")
      .trimEnd();
  const head = `  ${"".padEnd(18)}${"questions".padStart(12)}${"different".padStart(12)}${"requests".padStart(12)}${pace.perSecond === undefined ? "" : "time".padStart(16)}${price === undefined ? "" : "cost".padStart(12)}`;
  const asked = estimatedChecks.filter((check) => required[check].questions > 0);
  const more = estimatedChecks.filter((check) => optional[check].questions > 0);
  return [
    `${events} records: ${unreadable} are no events, ${settledText(forecast)}, ${asking} need the service`,
    ...(firstUnreadable === undefined ? [] : [`the first that is no event: ${firstUnreadable}`]),
    ...missingLines(forecast),
    ...unservedLines(unserved).map((line) => `missing   ${line}`),
    ...leftOutLines(report),
    ...unreadLines(unread),
    "",
    ...(asked.length > 0 ? [head, ...asked.map((check) => row(check, required[check]))] : []),
    "",
    `requests  ${requests}, if the service flags none of them, delays nothing and fails nothing`,
    pace.perSecond === undefined
      ? `time      unknown: say how fast the key may ask, as --quota 50/1s${pace.why === undefined ? "" : ` (${pace.why})`}`
      : `time      ${seconds(requests)} at ${Number(pace.perSecond.toPrecision(4))} requests a second (${pace.from})`,
    price === undefined
      ? "cost      unknown: say what a request costs, as --price 0.001"
      : `cost      ${cost(requests)}`,
    ...(confirmations > 0 ? flaggedLines(figures(requests + confirmations), confirmations) : []),
    ...(unpooled > requests ? unpooledLines(figures(unpooled)) : []),
    `memory    about ${mebibytesOf(memory)} MiB at most, however long the input is: ${memory.base} itself, ${memory.answers} of answers, ${memory.events} of events in work`,
    ...(lists.length === 0 ? [NO_LISTS] : lists.map(listLine)),
    "",
    "To find out which lookalikes the service flags is counted. Beyond that: one for each time that a token's analysis",
    "is not finished; and up to four for what fails.",
    ...(receivers > 0
      ? [
          `Whoever receives by a simulated transaction is asked about, too: of ${receivers} accounts as many as do, and whom`,
          "the service flags among them once more.",
        ]
      : []),
    ...(more.length > 0
      ? ["", "not asked by the policy; each would add:", head, ...more.map((check) => row(check, optional[check]))]
      : []),
  ];
}

/** Lines about records that cannot be read yet, so that the plan is not taken for a plan of the whole input. */
function leftOutLines({ behindTransactions: count, waiting }: PlanReport): readonly string[] {
  const records = count === 1 ? "1 record lies" : `${count} records lie`;
  const behind = `behind    ${records} behind an open transaction and cannot be read before it ends: not planned`;
  return [
    ...(count === 0 ? [] : [behind]),
    ...(waiting === undefined ? [] : [`waiting   ${unfinishedText(waiting, "planned")}`]),
  ];
}

/** The events that need no request, and the reasons that make them UNKNOWN. */
function settledText({ settled, failures }: ForecastResult): string {
  const reasons = [...failures].map(([code, count]) => `${count} ${code}`).join(", ");
  return `${settled} are settled without asking${reasons === "" ? "" : ` (${reasons})`}`;
}

/** Operations that the service lacks, and the number of events that need each. */
function missingLines({ lacking }: ForecastResult): readonly string[] {
  return [...lacking].map(
    ([operation, count]) =>
      `missing   ${operation}: ${events(count)} this operation, which SERVICE_DIALECT or SERVICE_ADAPTER leaves out: UNKNOWN, or stricter`,
  );
}

function events(count: number): string {
  return count === 1 ? "1 event needs" : `${count} events need`;
}

/** The largest plan when the service flags addresses. */
function flaggedLines(figures: string, confirmations: number): readonly string[] {
  return [
    `if it flags all: ${figures}; ${confirmations} more, since each that it is asked about in company`,
    "          is asked about again by itself, or with others of the same users",
  ];
}

/** The plan for a service that fails the calibration of batches. */
function unpooledLines(figures: string): readonly string[] {
  return [
    `if it cannot be pooled: ${figures}, since the service flags no lookalike that is made to try it,`,
    "          or whatever it is asked about: each address is asked about by itself",
  ];
}
