import { timestamp } from "../../../kernel/clock.ts";
import { bySeverity } from "../severity-order.ts";
import type { CountRow, DecisionCounts } from "../totals/count-table.ts";
import { sumOf } from "../totals/count-table.ts";
import type { TimeSpan } from "../totals/time-series.ts";
import { countHtml, escaped } from "./html.ts";

const WIDTH = 560;
const BAR = 18;
const ROW = 26;
const NAME = 210;
const COUNT = 70;

/** One bar: its name, its length, and the class of its colour. */
export interface Bar {
  readonly name: string;
  readonly count: number;
  readonly color: string;
}

/** Horizontal bars with their counts. The tables below the pictures hold the same figures. */
export function barChart(title: string, bars: readonly Bar[]): string {
  const most = Math.max(1, ...bars.map(({ count }) => count));
  const room = WIDTH - NAME - COUNT;
  const rows = bars.map(({ name, count, color }, i) => {
    const y = i * ROW;
    const length = Math.max(count > 0 ? 1 : 0, (room * count) / most);
    return `<text x="0" y="${y + 14}">${escaped(shortened(name))}</text><rect class="f-${color}" x="${NAME}" y="${y}" width="${length.toFixed(1)}" height="${BAR}"><title>${escaped(name)}: ${count}</title></rect><text x="${(NAME + length + 6).toFixed(1)}" y="${y + 14}">${countHtml(count)}</text>`;
  });
  return figure(
    title,
    Math.max(1, bars.length) * ROW,
    rows.join(""),
    bars.map(({ name, count }) => `${name} ${count}`),
  );
}

export function decisionChart(counts: DecisionCounts): string {
  return barChart(
    "Decisions",
    bySeverity.map((decision) => ({ name: decision, count: counts[decision], color: decision })),
  );
}

/** Most bars of a picture of findings. */
const MOST_BARS = 12;

export function findingChart(rows: readonly CountRow[]): string {
  const bars = rows
    .slice(0, MOST_BARS)
    .map(({ name, events, byDecision }) => ({ name, count: events, color: commonest(byDecision) }));
  return barChart(`Findings (the ${MOST_BARS} most frequent, coloured by their most frequent decision)`, bars);
}

const HEIGHT = 160;

/** Decisions by time as stacked columns. */
export function timeChart(spans: readonly TimeSpan[], widthMs: number): string {
  const most = Math.max(1, ...spans.map(({ byDecision }) => sumOf(byDecision)));
  const step = WIDTH / Math.max(1, spans.length);
  const columns = spans.map(({ byDecision, fromMs }, i) => column(byDecision, most, i * step, step, fromMs));
  const [first] = spans;
  const last = spans.at(-1);
  const axis =
    first === undefined || last === undefined
      ? ""
      : `<text x="0" y="${HEIGHT + 16}">${clockText(first.fromMs)}</text><text x="${WIDTH}" y="${HEIGHT + 16}" text-anchor="end">${clockText(last.fromMs + widthMs)}</text>`;
  const words = spans.map(({ fromMs, byDecision }) => `${clockText(fromMs)} ${sumOf(byDecision)}`);
  const title = `Decisions over time (a column is ${spanText(widthMs)}, the highest ${most} events)`;
  return figure(title, HEIGHT + 20, columns.join("") + axis, words.slice(0, MOST_BARS));
}

function column(counts: DecisionCounts, most: number, x: number, step: number, fromMs: number): string {
  let y = HEIGHT;
  const parts = bySeverity.toReversed().map((decision) => {
    const height = (HEIGHT * counts[decision]) / most;
    y -= height;
    if (height === 0) return "";
    return `<rect class="f-${decision}" x="${x.toFixed(2)}" y="${y.toFixed(2)}" width="${Math.max(1, step - 1).toFixed(2)}" height="${height.toFixed(2)}"><title>${clockText(fromMs)}: ${counts[decision]} ${decision}</title></rect>`;
  });
  return parts.join("");
}

/** @param words the content of the picture for readers that do not see it. */
function figure(title: string, height: number, content: string, words: readonly string[]): string {
  return `<figure><figcaption>${escaped(title)}</figcaption><svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escaped(`${title}: ${words.join(", ")}`)}">${content}</svg></figure>`;
}

function commonest(counts: DecisionCounts): string {
  return bySeverity.reduce((most, decision) => (counts[decision] > counts[most] ? decision : most));
}

/** Longest name beside a bar, characters. */
const NAME_LENGTH = 32;

function shortened(name: string): string {
  return name.length <= NAME_LENGTH ? name : `${name.slice(0, NAME_LENGTH - 1)}…`;
}

function clockText(ms: number): string {
  return `${timestamp(ms).slice(0, 19).replace("T", " ")} UTC`;
}

function spanText(ms: number): string {
  const units = [
    [86_400_000, "d"],
    [3_600_000, "h"],
    [60_000, "min"],
  ] as const;
  const unit = units.find(([length]) => ms >= length && ms % length === 0);
  return unit === undefined ? `${ms / 1000} s` : `${ms / unit[0]} ${unit[1]}`;
}
