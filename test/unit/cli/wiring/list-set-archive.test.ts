import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { listSetArchive } from "../../../../src/cli/wiring/list-set-archive.ts";
import { emptyBook } from "../../../../src/labels/address-book.ts";
import { FakeLog } from "../../../fakes/fake-log.ts";
import { FakeObjectStore } from "../../../fakes/fake-object-store.ts";
import { VirtualClock } from "../../../fakes/virtual-clock.ts";
import { listedBook } from "../../../support/address-book.ts";
import { objectOf } from "../../../support/object-of.ts";

/** An archive of sets with its first `failures` puts failing, and an object that waits for it. */
function world(failures: number) {
  const clock = new VirtualClock();
  const log = new FakeLog();
  const ending = new AbortController();
  onTestFinished(() => ending.abort(new Error("over")));
  const sets: string[] = [];
  let tries = 0;
  const store = {
    async putJson(key: string) {
      if (++tries <= failures) throw new Error("503");
      sets.push(key);
    },
  };
  const objects = new FakeObjectStore();
  const archive = listSetArchive(store, { clock, random: () => 0.5, log, signal: ending.signal });
  const object = objectOf([{ offset: 0, line, writtenAt: 0 }], {
    topic: "t",
    partition: 0,
    next: 0,
    previousSha256: "",
  });
  const put = () => archive.behindSets(objects).putNew(object, ending.signal);
  return { clock, log, sets, objects, archive, put };
}
const line = Buffer.from('{"decided_at":"2026-01-01T00:00:00.000Z"}\n');
const book = listedBook();
const key = `lists/${book.id}.json`;

test("a verdict object waits until the set of lists is written", async () => {
  const { clock, log, sets, objects, archive, put } = world(3);

  await archive.onBook(book);
  const putting = put();
  await setImmediate();
  expect([sets, objects.puts]).toEqual([[], 0]);
  await clock.runUntil(putting);

  expect([sets, objects.puts]).toEqual([[key], 1]);
  expect(log.messages("warn")).toHaveLength(3);
  expect(clock.sleeping).toBe(0);
});

test("an object waits for at most a minute, and the next one does not wait again", async () => {
  const { clock, sets, objects, archive, put } = world(Number.POSITIVE_INFINITY);
  const began = clock.now();

  await archive.onBook(book);
  await clock.runUntil(put());
  await put();

  expect([sets, objects.puts, clock.now() - began]).toEqual([[], 2, 60_000]);
});

test("without lists no set is written, and no object waits", async () => {
  const { sets, objects, archive, put } = world(0);

  await archive.onBook(emptyBook);
  await put();

  expect([sets, objects.puts]).toEqual([[], 1]);
});
