import { expect, test } from "vitest";
import type { EnqueueResult } from "../../../../src/cli/enqueue/enqueue-run.ts";
import { enqueueSummary } from "../../../../src/cli/enqueue/enqueue-summary.ts";
import { UnreadAddresses } from "../../../../src/messages/unread/unread-addresses.ts";

const sent: EnqueueResult = {
  topic: "bulk",
  sent: 10,
  bad: 0,
  before: 0,
  lines: 10,
  elapsedMs: 2_000,
  unread: new UnreadAddresses(),
};

test.each<[string, Partial<EnqueueResult>, readonly string[]]>([
  ["a whole file", {}, ["Sent to bulk: 10 (2 s, 5/s)"]],
  ["a file of nothing", { sent: 0 }, ["The input holds no events."]],
  [
    "a file that is done",
    { sent: 0, before: 9, lines: 9 },
    ["Nothing to send: all lines up to 9 are in bulk already."],
  ],
  [
    "the rest of a file with bad lines",
    { before: 4, bad: 3 },
    [
      "Sent to bulk: 10 (2 s, 5/s)",
      "The lines up to 4 were there before this run.",
      "No events: 3; they were sent as they are, to be UNKNOWN and dead letters (exit status 2)",
    ],
  ],
  [
    "a file whose end may still grow",
    { waiting: { from: 11, to: 11, isQuoted: false } },
    [
      "Sent to bulk: 10 (2 s, 5/s)",
      "waiting: line 11 has no line end and may still grow; it was not sent. Run again when the file has grown, or with --finished when nothing more comes (exit status 2)",
    ],
  ],
  [
    "a file of which nothing is whole",
    { sent: 0, waiting: { from: 1, to: 4, isQuoted: true } },
    [
      "Nothing was sent.",
      "waiting: lines 1 to 4 are a row that is not complete (a quote in it opens a cell over several lines); they were not sent. Run again when the file has grown, or with --finished when nothing more comes (exit status 2)",
    ],
  ],
])("%s", (_what, own, lines) => {
  expect(enqueueSummary({ ...sent, ...own })).toEqual(lines);
});

test("unread addresses are reported last, also by a run that sends nothing", () => {
  const unread = new UnreadAddresses();
  unread.add([{ path: "memo", isTelling: false, mayBeHash: false, meant: "users" }], "column", "line 2");

  for (const own of [{}, { sent: 0, before: 9, lines: 9 }]) {
    expect(enqueueSummary({ ...sent, ...own, unread }).slice(1)).toEqual([
      expect.stringMatching(/^column memo is not read and holds addresses in 1 event, first in line 2: /),
    ]);
  }
});
