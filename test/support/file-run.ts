import { appendFile, readFile } from "node:fs/promises";
import path from "node:path";
import { EventDeduplication } from "../../src/adapters/files/event-ids/event-deduplication.ts";
import { type RecordsOptions, recordChunks, sourceName } from "../../src/adapters/files/input/records.ts";
import { VerdictFile } from "../../src/adapters/files/output/verdict-file.ts";
import { resumableRecords } from "../../src/cli/screen/resume.ts";
import { Tally } from "../../src/cli/screen/tally.ts";
import { seededRandom } from "../../src/kernel/retry.ts";
import type { Verdict } from "../../src/messages/verdict.ts";
import { TicketBook } from "../../src/worker/checks/ticket-book.ts";
import { FakeClock } from "../fakes/fake-clock.ts";
import { FakeService } from "../fakes/fake-service.ts";
import { forgetfulLog, workerFor } from "../fakes/worker.ts";
import { screenRecord } from "./screen-record.ts";

export interface FileRun {
  readonly input: RecordsOptions;
  readonly out: string;
  /** The run is killed after this number of verdicts, while it writes the next one. */
  readonly killedAfter?: number;
}

/** A run of `weir screen` over events that need no answer of a service. @returns its tally. */
export async function fileRun({ input, out, killedAfter = Number.POSITIVE_INFINITY }: FileRun): Promise<Tally> {
  const clock = new FakeClock();
  const tally = new Tally(clock, undefined);
  const file = path.join(out, "verdicts.ndjson");
  const verdicts = await VerdictFile.open(file, sourceName(input.path), (verdict) => tally.countEarlier(verdict));
  const worker = workerFor(new FakeService(), { sink: verdicts, onVerdict: (verdict) => tally.countVerdict(verdict) });
  const seen = new EventDeduplication(path.join(out, "ids.tmp"), seededRandom(1), 64);
  const book = new TicketBook(forgetfulLog, clock);
  const chunks = recordChunks({ ...input, onUnfinished: tally.wait.bind(tally) });
  let written = 0;
  try {
    for await (const records of resumableRecords(chunks, { verdicts, tickets: new Map(), book, tally, seen })) {
      for (const record of records) {
        if (written++ >= killedAfter) {
          await appendFile(file, '{"schema":"weir.verdict/1","verdict_id":"a');
          return tally;
        }
        await screenRecord(record, worker);
      }
    }
  } finally {
    await verdicts.close();
    seen.close();
  }
  return tally;
}

/** The content of verdicts about their events, by line. */
export async function saidIn(out: string) {
  const text = await readFile(path.join(out, "verdicts.ndjson"), "utf8");
  const verdicts = text.split("\n").slice(0, -1);
  return verdicts
    .map((line) => JSON.parse(line) as Verdict)
    .map(({ verdict_id, revision, event_id, subject, ref, source, decision }) => {
      return { line: "line" in source ? source.line : 0, verdict_id, revision, event_id, subject, ref, decision };
    })
    .toSorted((a, b) => a.line - b.line);
}
