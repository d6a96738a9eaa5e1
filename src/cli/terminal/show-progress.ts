import { fitted } from "./fitted-line.ts";

const TERMINAL_INTERVAL_MS = 100;
const PLAIN_INTERVAL_MS = 5_000;
/** A plain line comes later by this share of the time so far. Chosen: a run of a day writes some 200 lines. */
const LATER = 20;
const DEFAULT_COLUMNS = 80;
const CLEAR = "\r\u001b[K";

/**
 * Shows a run's line on `stream`. On a terminal the line is rewritten and cut to the width. Elsewhere a plain line comes
 * every few seconds, and more seldom in a long run.
 *
 * @param isQuiet shows nothing.
 */
export function showProgress(stream: NodeJS.WriteStream, line: () => string, isQuiet = false): () => void {
  if (isQuiet) return () => undefined;
  return stream.isTTY === true ? onTerminal(stream, line) : inPlainLines(stream, line);
}

/** Text above the progress line of a terminal, which the next look writes again. */
export function clearProgress(stream: Pick<NodeJS.WriteStream, "isTTY" | "write">): void {
  if (stream.isTTY === true) stream.write(CLEAR);
}

function onTerminal(stream: NodeJS.WriteStream, line: () => string): () => void {
  const show = () => stream.write(`${CLEAR}${fitted(line(), (stream.columns ?? DEFAULT_COLUMNS) - 1)}`);
  const timer = setInterval(show, TERMINAL_INTERVAL_MS);
  return () => {
    clearInterval(timer);
    stream.write(CLEAR);
  };
}

function inPlainLines(stream: NodeJS.WriteStream, line: () => string): () => void {
  let looks = 0;
  let next = 1;
  const timer = setInterval(() => {
    if (++looks < next) return;
    next = looks + Math.max(1, Math.floor(looks / LATER));
    stream.write(`${line()}\n`);
  }, PLAIN_INTERVAL_MS);
  return () => clearInterval(timer);
}
