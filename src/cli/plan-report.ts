import { type AskedCheck, askedChecks, type CheckForecast } from "../worker/forecast/asked.ts";
import type { ForecastResult } from "../worker/forecast/forecast.ts";
import type { PlannedMemory } from "./planned-bounds.ts";
import { duration } from "./progress.ts";

/** How fast requests may leave, a second, and how that is known. */
export interface Pace {
  readonly perSecond: number;
  readonly from: string;
}

export interface PlanReport {
  readonly forecast: ForecastResult;
  readonly pace: Pace | undefined;
  /** Of one request, in whatever currency. */
  readonly price: number | undefined;
  readonly memory: PlannedMemory;
}

export function requestsIn({ required }: ForecastResult): number {
  return askedChecks.reduce((sum, check) => sum + required[check].requests, 0);
}

function mebibytesOf({ base, answers, events }: PlannedMemory): number {
  return base + answers + events;
}

/** One object of JSON for programs. */
export function planLine({ forecast, pace, price, memory }: PlanReport): string {
  const shown = (checks: ForecastResult["required"]) =>
    Object.fromEntries(
      askedChecks.map((check) => {
        const { questions, distinct, isExact, requests } = checks[check];
        return [check, { questions, distinct, distinct_is_exact: isExact, requests }];
      }),
    );
  const requests = requestsIn(forecast);
  const worst = requests + forecast.confirmations;
  return JSON.stringify({
    events: forecast.events,
    unreadable: forecast.unreadable,
    asking: forecast.asking,
    requests,
    checks: shown(forecast.required),
    optional: shown(forecast.optional),
    possible_receivers: forecast.receivers,
    requests_per_second: pace?.perSecond ?? null,
    seconds: pace === undefined ? null : requests / pace.perSecond,
    cost: price === undefined ? null : requests * price,
    if_all_is_flagged: {
      requests: worst,
      confirmations: forecast.confirmations,
      seconds: pace === undefined ? null : worst / pace.perSecond,
      cost: price === undefined ? null : worst * price,
    },
    memory_mib: mebibytesOf(memory),
  });
}

/** The same for people, line by line. */
export function planLines({ forecast, pace, price, memory }: PlanReport): readonly string[] {
  const { events, unreadable, asking, required, optional, receivers, confirmations } = forecast;
  const requests = requestsIn(forecast);
  const worst = requests + confirmations;
  const seconds = (count: number) => (pace === undefined ? "" : duration(count / pace.perSecond));
  const cost = (count: number) => (price === undefined ? "" : Number((count * price).toPrecision(6)).toString());
  const row = (check: AskedCheck, { questions, distinct, isExact, requests: own }: CheckForecast) =>
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
  const head = `  ${"".padEnd(18)}${"questions".padStart(12)}${"different".padStart(12)}${"requests".padStart(12)}${pace === undefined ? "" : "time".padStart(16)}${price === undefined ? "" : "cost".padStart(12)}`;
  const asked = askedChecks.filter((check) => required[check].questions > 0);
  const more = askedChecks.filter((check) => optional[check].questions > 0);
  return [
    `${events} records: ${unreadable} are no events, ${asking} need the service`,
    "",
    ...(asked.length > 0 ? [head, ...asked.map((check) => row(check, required[check]))] : []),
    "",
    `requests  ${requests}, if the service flags nobody, puts nothing off and fails nothing`,
    pace === undefined
      ? "time      unknown: say how fast the key may ask, as --quota 50/1s"
      : `time      ${seconds(requests)} at ${Number(pace.perSecond.toPrecision(4))} requests a second (${pace.from})`,
    price === undefined
      ? "cost      unknown: say what a request costs, as --price 0.001"
      : `cost      ${cost(requests)}`,
    ...(confirmations > 0 ? worstLines(worst, confirmations, [seconds(worst), cost(worst)]) : []),
    `memory    about ${mebibytesOf(memory)} MiB at most, however long the input is: ${memory.base} itself, ${memory.answers} of answers, ${memory.events} of events in work`,
    "",
    "Beyond that: some for each form of addresses, to find out which lookalikes the service flags; one for each time",
    "that a token's analysis is not finished; and up to four for what fails.",
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

/** The most that flags can make of it: requests, time and cost. */
function worstLines(worst: number, confirmations: number, figures: readonly string[]): readonly string[] {
  const told = [`${worst} requests`, ...figures.filter((figure) => figure !== "")].join(", ");
  return [
    `at worst  ${told}: ${confirmations} more, if the service flags all that it is asked about in company,`,
    "          since each is asked about again by itself, or with others of the same users",
  ];
}
