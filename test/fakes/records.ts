import { parseEvent } from "../../src/messages/parse-event.ts";
import type { Verdict } from "../../src/messages/verdict.ts";
import type { InputRecord, VerdictSink } from "../../src/worker/ports.ts";

/** The record for line `line` of events.ndjson. */
export function recordOf(content: Readonly<Record<string, unknown>> | string, line = 1): InputRecord {
  const bytes = Buffer.from(typeof content === "string" ? content : JSON.stringify(content));
  return {
    source: { file: "events.ndjson", line },
    defaultId: `events.ndjson/${line}`,
    bytes,
    event: parseEvent(bytes),
    revision: 0,
  };
}

/** A sink that records its verdicts. */
export class FakeSink implements VerdictSink {
  readonly verdicts: Verdict[] = [];

  async write(verdict: Verdict): Promise<void> {
    this.verdicts.push(verdict);
  }
}
