import type { Log } from "../../../kernel/log.ts";
import { areOther } from "../offsets/commit-metadata.ts";
import type { Recreated } from "../offsets/starting-points.ts";
import type { Appearances } from "./topics-read.ts";

/** Logs which topics came and went. */
export function tellAppearances({ gone, back }: Appearances, log: Log): void {
  for (const topic of gone) log.warn("the topic is not there: it is left out until it is", { topic });
  for (const topic of back) log.warn("the topic is there again: it is read", { topic });
}

export interface TellDeps {
  readonly log: Log;
  readonly onRecreated?: (at: Recreated) => void;
}

/** Logs a partition that is read again from its first record on, and why. */
export function tellRecreated(recreated: Recreated, { log, onRecreated }: TellDeps): void {
  const { topic, partition, oldId, newId, readTo, from } = recreated;
  const what = areOther(oldId, newId)
    ? "the topic was made anew under its name: it is read from its first record on"
    : "the log ends before what was read: it is read again from its first record on";
  log.warn(what, {
    topic,
    partition,
    ...(oldId === undefined ? {} : { oldId }),
    ...(newId === undefined ? {} : { newId }),
    ...(readTo === undefined ? {} : { offset: readTo }),
    from,
  });
  onRecreated?.(recreated);
}
