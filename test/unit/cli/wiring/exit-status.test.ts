import { afterEach, expect, test, vi } from "vitest";
import { endedWith } from "../../../../src/cli/wiring/exit-status.ts";
import { ConsumerDeadError, GroupBusyError, WorkerStuckError } from "../../../../src/worker/consumer/errors.ts";

const running = new AbortController().signal;
const rejecting = (thrown: unknown) => () => Promise.reject(thrown);

afterEach(() => vi.restoreAllMocks());

/** What is told on stderr, which a test's own output must not mix with. */
function told(): readonly unknown[] {
  const lines: unknown[] = [];
  vi.spyOn(process.stderr, "write").mockImplementation((text) => lines.push(text) > 0);
  return lines;
}

test("a run that ends is 0, and tells nothing", async () => {
  const lines = told();

  expect(await endedWith(() => Promise.resolve(), running)).toBe(0);
  expect(lines).toEqual([]);
});

test("told to stop before it has begun is 0, too", async () => {
  const lines = told();
  const stopping = new AbortController();
  stopping.abort(new Error("SIGTERM"));

  expect(await endedWith(rejecting(stopping.signal.reason), stopping.signal)).toBe(0);
  expect(lines).toEqual([]);
});

test.each([
  [3, new ConsumerDeadError("the consumer has ended: not authorized")],
  [4, new WorkerStuckError("none of 2 events in work was settled for 180 s")],
])("a supervisor reads status %i, and a person the reason", async (status, error) => {
  const lines = told();

  expect(await endedWith(rejecting(error), running)).toBe(status);
  expect(lines).toEqual([`weir: ${error.message}\n`]);
});

test("an end of its own is told though somebody has said stop meanwhile", async () => {
  const lines = told();
  const stopping = new AbortController();
  stopping.abort(new Error("SIGTERM"));

  expect(await endedWith(rejecting(new WorkerStuckError("nothing moved")), stopping.signal)).toBe(4);
  expect(lines).toEqual(["weir: nothing moved\n"]);
});

test.each([
  ["an error with another code", new GroupBusyError("somebody else reads in the group")],
  ["a bug", new TypeError("x is not a function")],
  ["an error that only has such a code", Object.assign(new Error("made up"), { code: "WORKER_STUCK" })],
  ["what is no error", "WORKER_STUCK"],
])("%s has no status of its own: it is thrown as it is", async (_what, thrown) => {
  const lines = told();

  await expect(endedWith(rejecting(thrown), running)).rejects.toBe(thrown);
  expect(lines).toEqual([]);
});
