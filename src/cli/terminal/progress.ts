import type { Unfinished } from "../../adapters/files/input/unfinished.ts";
import { countText } from "../../kernel/text.ts";
import { waitingPart } from "./unfinished-text.ts";

/** The progress of a run. */
export interface RunProgress {
  readonly done: number;
  /** Records in the input; undefined when they cannot be counted beforehand. */
  readonly total: number | undefined;
  readonly requests: number;
  /** Requests that the service refused for load. */
  readonly loadRefusals: number;
  /** Requests without an answer that were not refused for load. */
  readonly failed: number;
  /** Since the last decision, or since the start: milliseconds, and refusals for load. */
  readonly undecided: { readonly ms: number; readonly loadRefusals: number };
  readonly elapsedMs: number;
  /** Records that were complete when this run began. */
  readonly resumedAt: number;
  /** Lines at the end of the input that are left out. */
  readonly waiting?: Unfinished | undefined;
}

/** Time with refusals only, after which the line reports it. Chosen: a fixed window of a minute ends before. */
const STALLED_MS = 90_000;
/** Time without a decision after which a remaining time would be a guess. Chosen: longer than a slow answer. */
const WAITING_MS = 10_000;

/**
 * The progress of a run in one line: done and total, rate, requests, refusals for load, and the remaining time or the
 * reason for no progress.
 *
 * @param pace events a second of late, for the remaining time; the average of the run when it is not given.
 */
export function progressLine(progress: RunProgress, pace?: number): string {
  const { done, total, requests, loadRefusals, failed, undecided, elapsedMs, resumedAt, waiting } = progress;
  const perSecond = elapsedMs > 0 ? ((done - resumedAt) * 1000) / elapsedMs : 0;
  const share = total === undefined || total === 0 ? "" : ` (${Math.floor((100 * done) / total)} %)`;
  const parts = [
    `${done}/${total ?? "?"} events${share}`,
    `${perSecond.toFixed(perSecond < 10 ? 1 : 0)}/s`,
    countText(requests, "request"),
    `${loadRefusals} refused for load`,
  ];
  if (failed > 0) parts.push(`${failed} failed`);
  if (waiting !== undefined) parts.push(waitingPart(waiting));
  const recent = pace ?? perSecond;
  if (undecided.ms >= STALLED_MS && undecided.loadRefusals > 0) parts.push(stalledText(undecided));
  else if (undecided.ms >= WAITING_MS && done !== total) parts.push(waitingText(undecided));
  else if (total !== undefined && recent > 0) parts.push(`${duration((total - done) / recent)} left`);
  return parts.join(" · ");
}

/** What the run waits for, in place of a remaining time. */
function waitingText({ ms, loadRefusals }: RunProgress["undecided"]): string {
  const cause = loadRefusals > 0 ? "the quota" : "answers of the service";
  return `waits for ${cause}, ${duration(ms / 1000)} without a decision`;
}

function stalledText({ ms, loadRefusals }: RunProgress["undecided"]): string {
  const since = `no event decided for ${duration(ms / 1000)}, ${countText(loadRefusals, "refusal")} since`;
  return `${since}: the quota is used up, or the service refuses what is left for good; Ctrl-C stops, the same command continues the run`;
}

/** The progress of enqueueing a file. */
export interface EnqueueProgress {
  /** The last line up to which every line is durable. */
  readonly done: number;
  readonly total: number | undefined;
  /** Lines that were complete when this run began. */
  readonly before: number;
  readonly elapsedMs: number;
  /** Lines at the end of the file that are left out. */
  readonly waiting?: Unfinished | undefined;
}

/** The progress of enqueueing in one line: done and total, rate, remaining time. */
export function enqueueLine({ done, total, before, elapsedMs, waiting }: EnqueueProgress): string {
  const perSecond = elapsedMs > 0 ? ((done - before) * 1000) / elapsedMs : 0;
  const share = total === undefined || total === 0 ? "" : ` (${Math.floor((100 * done) / total)} %)`;
  const parts = [`${done}/${total ?? "?"} lines${share}`, `${perSecond.toFixed(perSecond < 10 ? 1 : 0)}/s`];
  if (waiting !== undefined) parts.push(waitingPart(waiting));
  if (total !== undefined && perSecond > 0) parts.push(`${duration((total - done) / perSecond)} left`);
  return parts.join(" · ");
}

/** The progress of an audit. */
export interface AuditProgress {
  /** Objects that were listed, before any object is read. */
  readonly keys: number;
  readonly objects: number;
  readonly verdicts: number;
  readonly findings: number;
  readonly elapsedMs: number;
}

/** The progress of an audit in one line: listed objects, then read objects, findings, remaining time. */
export function auditLine({ keys, objects, verdicts, findings, elapsedMs }: AuditProgress): string {
  if (objects === 0) return `${countText(keys, "object")} listed · ${countText(findings, "finding")}`;
  const share = keys === 0 ? "" : ` (${Math.min(100, Math.floor((100 * objects) / keys))} %)`;
  const leftMs = (elapsedMs * Math.max(0, keys - objects)) / objects;
  const parts = [`${objects}/${keys} objects${share}`, countText(verdicts, "verdict"), countText(findings, "finding")];
  return [...parts, `${duration(leftMs / 1000)} left`].join(" · ");
}

/** The progress of a command that reads an archive. */
export interface BacktestProgress {
  readonly verdicts: number;
  readonly changes: number;
  readonly blocks: number;
  /** Blocks to read; undefined when they cannot be counted beforehand. */
  readonly total: number | undefined;
  readonly elapsedMs: number;
}

/** The progress of a backtest in one line: verdicts, changes, remaining time. */
export function backtestProgressLine({ verdicts, changes, blocks, total, elapsedMs }: BacktestProgress): string {
  const perSecond = elapsedMs > 0 ? Math.round((verdicts * 1000) / elapsedMs) : 0;
  const parts = [countText(verdicts, "verdict"), `${perSecond}/s`, countText(changes, "change")];
  if (total === undefined || blocks === 0) return parts.join(" · ");
  return [...parts, `${duration((elapsedMs * (total - blocks)) / blocks / 1000)} left`].join(" · ");
}

/** The progress of an import. */
export interface ImportProgress {
  readonly bytes: number;
  /** Bytes of the file; undefined when the size is unknown beforehand. */
  readonly size: number | undefined;
  /** Number of the pass over the file, from 1. */
  readonly pass: number;
  readonly rows: number;
  readonly elapsedMs: number;
}

const MIB = 1024 * 1024;

/** The progress of an import in one line: read bytes of the file, rows, time. */
export function importLine({ bytes, size, pass, rows, elapsedMs }: ImportProgress): string {
  const share = size === undefined || size === 0 ? "" : ` (${Math.min(100, Math.floor((100 * bytes) / size))} %)`;
  const parts = [`${Math.floor(bytes / MIB)} MiB read${share}`, countText(rows, "row"), duration(elapsedMs / 1000)];
  return (pass > 1 ? [`pass ${pass}`, ...parts] : parts).join(" · ");
}

/** Hours from which a duration is shown in days. */
const HOURS_OF_DAYS = 48;

/** A duration as text: 45 s, 3 min 20 s, 2 h 5 min, 3 d 4 h. */
export function duration(seconds: number): string {
  const s = Math.max(0, Math.ceil(seconds));
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min ${s % 60} s`;
  const hours = Math.floor(s / 3600);
  if (hours >= HOURS_OF_DAYS) return `${Math.floor(hours / 24)} d ${hours % 24} h`;
  return `${hours} h ${Math.floor((s % 3600) / 60)} min`;
}
