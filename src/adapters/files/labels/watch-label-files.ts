import type { Clock } from "../../../kernel/clock.ts";
import type { ReadList } from "../../../labels/label-list.ts";
import type { ListFiles } from "./list-files.ts";

/** Polled, since file notifications do not cross every mount a container has. A change must rest as long. Milliseconds. */
const POLL_MS = 2_000;
/** Looks between a refusal and the next try: 10 s, and twice as many after each further one, up to 10 minutes. Chosen. */
const FIRST_RETRY = 5;
const LAST_RETRY = 300;

/**
 * Calls `onChange` whenever a file differs from what was last loaded and two looks in a row found it the same, until
 * `signal` aborts; then resolves.
 * One call at a time: the next look is taken after the last call ended. `onChange` is expected to load the files, and says
 * whether they are in use now. If not, it is called again after a while: a disk may fail for a moment.
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
    // A change is no try of what was refused before.
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
