import { after, type CutLimits, type LoggedVerdict, objectOf } from "./object.ts";
import type { ArchiveStore } from "./ports.ts";

/**
 * Archives what a log holds beyond the archive's end, object by object, each durable before the next is begun.
 * Holds at most one object's lines in memory.
 *
 * @returns how many objects and verdicts were added.
 */
export async function archiveLog(
  log: { readonly topic: string; readonly partition: number; readonly verdicts: AsyncIterable<LoggedVerdict> },
  store: ArchiveStore,
  limits: CutLimits,
): Promise<{ readonly objects: number; readonly verdicts: number }> {
  let position = await store.position(log.topic, log.partition);
  const added = { objects: 0, verdicts: 0 };
  let pending: LoggedVerdict[] = [];
  let bytes = 0;
  const cut = async () => {
    const object = objectOf(pending, position);
    await store.put(object);
    position = after(object);
    added.objects++;
    added.verdicts += pending.length;
    pending = [];
    bytes = 0;
  };
  for await (const verdict of log.verdicts) {
    if (verdict.offset < position.next) continue;
    pending.push(verdict);
    bytes += verdict.line.byteLength + 1;
    if (pending.length >= limits.verdicts || bytes >= limits.bytes) await cut();
  }
  if (pending.length > 0) await cut();
  return added;
}
