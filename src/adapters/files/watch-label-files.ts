import type { Clock } from "../../kernel/clock.ts";
import type { ReadList } from "../../labels/label-list.ts";
import type { ListFiles } from "./list-files.ts";

/** Polled, since file notifications do not cross every mount a container has. A change must rest as long. Milliseconds. */
const POLL_MS = 2_000;

/**
 * Calls `onChange` whenever a file differs from what was last loaded and two looks in a row found it the same, until
 * `signal` aborts; then resolves.
 * One call at a time: the next look is taken after the last call ended. `onChange` is expected to load the files.
 */
export async function watchLabelFiles(
  files: Pick<ListFiles<ReadList>, "changedAndSettled">,
  onChange: () => Promise<unknown>,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(POLL_MS, signal).catch(ignoreAbort(signal));
    if (!signal.aborted && (await files.changedAndSettled())) await onChange();
  }
}

function ignoreAbort(signal: AbortSignal) {
  return (thrown: unknown) => {
    if (!signal.aborted) throw thrown;
  };
}
