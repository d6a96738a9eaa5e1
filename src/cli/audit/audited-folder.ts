import { stat } from "node:fs/promises";
import path from "node:path";
import { countLines } from "../../adapters/files/input/lines.ts";
import { ArchivedObjects } from "../../adapters/files/output/archived-objects.ts";
import { readVerdictLog, VERDICT_LOG } from "../../adapters/files/output/verdict-log.ts";
import type { AuditedTopic } from "../../archive/audit/audit-finding.ts";
import type { LoggedVerdict } from "../../archive/object.ts";
import type { ReadableStore } from "../../archive/object-store.ts";
import { unixMs } from "../../kernel/clock.ts";
import { ConfigInvalidError } from "../../kernel/errors.ts";
import type { Lifecycle } from "../../kernel/lifecycle.ts";
import type { StreamRecord, TopicPartition } from "../../kernel/stream.ts";

const LOG_FILE = "verdicts.ndjson";

/** The output of `weir screen` in a folder: its archive, and the archived log; undefined when the log is gone. */
export interface AuditedFolder {
  readonly store: ReadableStore;
  readonly log: AuditedTopic | undefined;
}

/** @throws {ConfigInvalidError} when the folder does not exist. */
export async function auditedFolder(dir: string, opened: Lifecycle): Promise<AuditedFolder> {
  if (!(await isKind(dir, "isDirectory"))) throw new ConfigInvalidError(`--dir ${dir}: there is no such folder`);
  const file = path.join(dir, LOG_FILE);
  const log = (await isKind(file, "isFile")) ? await auditedLog(file, opened) : undefined;
  return { store: new ArchivedObjects(path.join(dir, "archive")), log };
}

/** The present content of a log. It is read once from start to end when objects are queried in their order. */
async function auditedLog(file: string, opened: Lifecycle): Promise<AuditedTopic> {
  const end = (await countLines(file)) ?? 0;
  const { partition } = VERDICT_LOG;
  const reading: { lines?: AsyncGenerator<LoggedVerdict>; next: number } = { next: 0 };
  const close = async () => {
    await reading.lines?.return(undefined);
  };
  opened.onClose("verdict log", close);
  async function* records(at: TopicPartition, from: number, until: number): AsyncGenerator<StreamRecord> {
    if (reading.lines === undefined || from < reading.next) {
      await close();
      reading.lines = readVerdictLog(file);
      reading.next = 0;
    }
    while (reading.next <= until) {
      const { done, value } = await reading.lines.next();
      if (done === true) return;
      reading.next = value.offset + 1;
      if (value.offset >= from) yield recordOf(at, value);
    }
  }
  return {
    wholeLog: LOG_FILE,
    positions: new Map([[partition, { committed: undefined, metadata: "", earliest: 0, end }]]),
    records,
    earliest: async () => 0,
  };
}

/** The records of a topic have timestamps. Here the verdict's own time stands for the timestamp. */
function recordOf(at: TopicPartition, { offset, line }: LoggedVerdict): StreamRecord {
  return {
    ...at,
    offset,
    value: line,
    headers: {},
    get timestamp() {
      return decidedAt(line);
    },
  };
}

function decidedAt(line: Uint8Array): number {
  try {
    return unixMs(String(Object(JSON.parse(Buffer.from(line).toString("utf8"))).decided_at));
  } catch {
    // A line that is no verdict is reported separately.
    return Number.NaN;
  }
}

async function isKind(file: string, kind: "isDirectory" | "isFile"): Promise<boolean> {
  return stat(file).then(
    (found) => found[kind](),
    () => false,
  );
}
