import type { Clock } from "../../../kernel/clock.ts";
import type { ReadList } from "../../../labels/label-list.ts";
import type { ListFiles } from "./list-files.ts";

/**
 * Milliseconds between two looks. Files are polled, since file notifications do not cross every mount a container has.
 * A changed file must stay the same for this long.
 */
const POLL_MS = 2_000;
/** Looks between a refusal and the next try: 10 s, doubled after each further refusal, up to 10 minutes. Chosen. */
const FIRST_RETRY = 5;
const LAST_RETRY = 300;

/**
 * Calls `onChange` when a file differs from its last loaded state and two looks in a row saw the same file. Resolves
 * when `signal` aborts. Calls do not overlap: the next look follows the end of the last call. `onChange` loads the
 * files and returns whether they are in use now. After a false, it is called again later, since a disk may fail for a
 * moment.
 */
export async function watchLabelFiles(
  files: Pick<ListFiles<ReadList>, "changedAndSettled" | "forgetLoaded">,
  onChange: () => Promise<boolean>,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  let wait = FIRST_RETRY;
  let looksLeft = Number.POSITIVE_INFINITY;
  while (!signal.aborted) {
    await clock.sleep(POLL_MS, signal).catch(ignoreAbort(signal));
    if (signal.aborted) return;
    looksLeft--;
    if (looksLeft <= 0) files.forgetLoaded();
    if (!(await files.changedAndSettled())) continue;
    // A changed file resets the wait, since this is no retry of the refused file.
    if (looksLeft > 0) wait = FIRST_RETRY;
    const isInUse = await onChange();
    looksLeft = isInUse ? Number.POSITIVE_INFINITY : wait;
    wait = isInUse ? FIRST_RETRY : Math.min(LAST_RETRY, 2 * wait);
  }
}

function ignoreAbort(signal: AbortSignal) {
  return (thrown: unknown) => {
    if (!signal.aborted) throw thrown;
  };
}
