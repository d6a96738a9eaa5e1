import { NO_EVENTS } from "../screen/summary.ts";
import { duration } from "../terminal/progress.ts";
import { unfinishedText } from "../terminal/unfinished-text.ts";
import { unreadLines } from "../terminal/unread-lines.ts";
import type { EnqueueResult } from "./enqueue-run.ts";

/** The results of a `weir enqueue` run, and the addresses that its workers will not see. */
export function enqueueSummary(result: EnqueueResult): readonly string[] {
  const { waiting, unread } = result;
  const waits = waiting === undefined ? [] : [`waiting: ${unfinishedText(waiting, "sent")} (exit status 2)`];
  return [...sentLines(result), ...waits, ...unreadLines(unread)];
}

function sentLines({ topic, sent, bad, before, lines, elapsedMs, waiting }: EnqueueResult): readonly string[] {
  if (sent === 0 && before > 0) return [`Nothing to send: all lines up to ${lines} are in ${topic} already.`];
  if (sent === 0) return [waiting === undefined ? NO_EVENTS : "Nothing was sent."];
  const took = `${duration(elapsedMs / 1_000)}, ${Math.round((sent * 1_000) / Math.max(1, elapsedMs))}/s`;
  const done = [`Sent to ${topic}: ${sent} (${took})`];
  if (before > 0) done.push(`The lines up to ${before} were there before this run.`);
  if (bad > 0)
    done.push(`No events: ${bad}; they were sent as they are, to be UNKNOWN and dead letters (exit status 2)`);
  return done;
}
