import { afterEach, expect, test, vi } from "vitest";
import { endedWith } from "../../../../src/cli/wiring/exit-status.ts";
import { ConsumerDeadError, GroupBusyError, WorkerStuckError } from "../../../../src/worker/consumer/errors.ts";

const running = new AbortController().signal;
const rejecting = (thrown: unknown) => () => Promise.reject(thrown);

afterEach(() => vi.restoreAllMocks());

/** The text on stderr, which must not mix with the output of the test. */
function told(): readonly unknown[] {
  const lines: unknown[] = [];
  vi.spyOn(process.stderr, "write").mockImplementation((text) => lines.push(text) > 0);
  return lines;
}

test("a run that ends has status 0, and prints nothing", async () => {
  const lines = told();

  expect(await endedWith(() => Promise.resolve(), running)).toBe(0);
  expect(lines).toEqual([]);
});

test("a stop before the start gives status 0, too", async () => {
  const lines = told();
  const stopping = new AbortController();
  stopping.abort(new Error("SIGTERM"));

  expect(await endedWith(rejecting(stopping.signal.reason), stopping.signal)).toBe(0);
  expect(lines).toEqual([]);
});

test.each([
  [3, new ConsumerDeadError("the consumer has ended: not authorized")],
  [4, new WorkerStuckError("none of 2 events in work was settled for 180 s")],
])("a supervisor gets status %i, and an operator the reason", async (status, error) => {
  const lines = told();

  expect(await endedWith(rejecting(error), running)).toBe(status);
  expect(lines).toEqual([`weir: ${error.message}\n`]);
});

test("an end with its own status is reported even after a stop", async () => {
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
])("%s has no status of its own, and is thrown unchanged", async (_what, thrown) => {
  const lines = told();

  await expect(endedWith(rejecting(thrown), running)).rejects.toBe(thrown);
  expect(lines).toEqual([]);
});
