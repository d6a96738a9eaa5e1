import { expect, test } from "vitest";
import { MalformedLog } from "../../../../../src/worker/consumer/records/malformed-log.ts";
import { FakeLog } from "../../../../fakes/fake-log.ts";
import { settled, VirtualClock } from "../../../../fakes/virtual-clock.ts";

const at = (offset: number) => ({ topic: "events", partition: 3, offset });

test("the first record of each kind is logged with its position, and later ones are not", () => {
  const log = new FakeLog();
  const malformed = new MalformedLog(log);
  malformed.add("not valid JSON", at(7));
  malformed.add("not valid JSON", at(8));
  malformed.add("user_addresses[3]: must be a string", at(9));
  malformed.add("user_addresses[41]: must be a string", at(10));

  const message = "a record is no event: the first with this fault";
  expect(log.lines).toEqual([
    { level: "warn", message, fields: { detail: "not valid JSON", ...at(7) } },
    { level: "warn", message, fields: { detail: "user_addresses[N]: must be a string", ...at(9) } },
  ]);
});

test("one line per minute has the count of each kind, and there is no line without records", async () => {
  const log = new FakeLog();
  const clock = new VirtualClock(0);
  const malformed = new MalformedLog(log);
  const stopping = new AbortController();
  const running = malformed.run(clock, stopping.signal);
  const told = () =>
    log.lines.filter(({ message }) => message === "further records were no events").map(({ fields }) => fields);
  const minute = async () => {
    await clock.advance(60_000);
    await settled();
  };

  await minute();
  expect(told()).toEqual([]);
  for (const offset of [7, 8, 9]) malformed.add("type: field required", at(offset));
  malformed.add("not valid JSON", at(10));
  expect(told()).toEqual([]);
  await minute();
  await minute();
  expect(told()).toEqual([{ count: 4, what: "3 type: field required; 1 not valid JSON" }]);

  malformed.add("not valid JSON", at(11));
  stopping.abort();
  await running;
  expect(told().slice(1)).toEqual([{ count: 1, what: "1 not valid JSON" }]);
});

test("from the 33rd kind on all kinds count as one, so that invented kinds fill neither log nor memory", () => {
  const log = new FakeLog();
  const malformed = new MalformedLog(log);
  const kind = (i: number) => `${String.fromCharCode(97 + (i % 26)).repeat(1 + Math.floor(i / 26))}: unknown field`;
  for (let i = 0; i < 60; i++) malformed.add(kind(i), at(i));
  malformed.add(kind(3), at(61));

  expect(log.lines).toHaveLength(33);
  expect(log.lines.at(-1)?.fields).toEqual({ detail: "other kinds", ...at(32) });
  malformed.tell();
  expect(log.lines.at(-1)?.fields).toEqual({
    count: 61,
    what: expect.stringMatching(/^28 other kinds; 2 d: unknown field; 1 /),
  });
});
