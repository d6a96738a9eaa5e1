import { readFile, rename, writeFile } from "node:fs/promises";
import { z } from "zod";
import { OutputUnwritableError, toError } from "../../kernel/errors.ts";
import { type Enqueued, NOTHING } from "./enqueue-window.ts";

/** The destination of a file: lines that were sent elsewhere are not done. */
export interface EnqueueTarget {
  /** The name of the file, from which the ids of its events are made. */
  readonly input: string;
  readonly topic: string;
  /** The cluster's id from the brokers. */
  readonly cluster: string;
  /** The topic's id from the brokers; undefined where they give none. */
  readonly topicId: string | undefined;
}

/** The state of an earlier run. */
export interface Kept {
  readonly enqueued: Enqueued;
  /** The id of the earlier topic, where another topic has its name now. No line is enqueued there yet. */
  readonly goneId?: string;
}

const SCHEMA = "weir.enqueued/1";
const StateFile = z.strictObject({
  schema: z.literal(SCHEMA),
  input: z.string(),
  topic: z.string(),
  cluster: z.string(),
  /** Earlier versions wrote no topic id. */
  topic_id: z.string().optional(),
  lines: z.number().int().min(0),
  sha256: z.string(),
});

/** The default path of an input's state. */
export function stateFileOf(inputPath: string): string {
  return `${inputPath}.enqueued.json`;
}

/** The progress of an earlier run. @throws {OutputUnwritableError} when it had another file or destination. */
export async function readState(file: string, { input, topic, cluster, topicId }: EnqueueTarget): Promise<Kept> {
  const found = await read(file);
  if (found === undefined) return { enqueued: NOTHING };
  const { lines, sha256 } = found;
  const refused = (how: string) =>
    new OutputUnwritableError(`${lines} lines were enqueued ${how} (${file}): put that back, or name another --state`);
  if (found.input !== input) throw refused(`of ${found.input}, not ${input}`);
  if (found.topic !== topic) throw refused(`to ${found.topic}, not ${topic}`);
  if (found.cluster !== cluster) throw refused("to another Kafka cluster");
  const { topic_id: keptId } = found;
  if (keptId !== undefined && topicId !== undefined && keptId !== topicId) return { enqueued: NOTHING, goneId: keptId };
  return { enqueued: { lines, sha256 } };
}

/**
 * A partial state would send every line again, so the file gets its name when it is complete. @throws
 * {OutputUnwritableError}
 */
export async function writeState(file: string, destination: EnqueueTarget, { lines, sha256 }: Enqueued): Promise<void> {
  try {
    const unfinished = `${file}.${process.pid}.tmp`;
    const { topicId, ...named } = destination;
    const id = topicId === undefined ? {} : { topic_id: topicId };
    const state: z.infer<typeof StateFile> = { schema: SCHEMA, ...named, ...id, lines, sha256 };
    await writeFile(unfinished, `${JSON.stringify(state, undefined, 2)}\n`, { flush: true });
    await rename(unfinished, file);
  } catch (thrown) {
    throw new OutputUnwritableError(`cannot write ${file}: ${toError(thrown).message}: name another --state`);
  }
}

async function read(file: string): Promise<z.infer<typeof StateFile> | undefined> {
  try {
    return StateFile.parse(JSON.parse(await readFile(file, "utf8")));
  } catch (thrown) {
    const { code } = toError(thrown) as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    const why = code === undefined ? "is not what an earlier run left" : `cannot be read: ${code}`;
    throw new OutputUnwritableError(`${file} ${why}: name another --state, or remove it to send every line again`);
  }
}
