import fc from "fast-check";
import { expect, test } from "vitest";
import { buildFilters, filterKey, filterOf } from "../../../../src/archive/index/build-filters.ts";
import { KeyFilter } from "../../../../src/archive/index/key-filter.ts";
import { keysOf, spellingsOf } from "../../../../src/archive/index/verdict-keys.ts";
import { findInBlock, findVerdicts } from "../../../../src/archive/reading/find-verdicts.ts";
import { sha256 } from "../../../../src/kernel/hash.ts";
import type { Verdict } from "../../../../src/messages/verdict.ts";
import { anyChecks, subjectOfChecks, verdictOn } from "../../../support/archived-verdicts.ts";
import { propertyRuns } from "../../../support/property-runs.ts";

const { signal } = new AbortController();

/** Objects of verdicts in memory, newest first, with a count of the reads. */
function storeOf(objects: readonly (readonly Verdict[])[]) {
  const texts = new Map<string, string>();
  const keys = objects.map((_, i) => `v1/verdicts/dt=2026-11-30/p=00000/${i}.ndjson.gz`);
  const reads: string[] = [];
  return {
    keys,
    texts,
    reads,
    async lines(key: string) {
      reads.push(key);
      const verdicts = objects[keys.indexOf(key)] ?? [];
      return Buffer.from(verdicts.map((verdict) => `${JSON.stringify(verdict)}\n`).join(""));
    },
    async text(key: string) {
      return texts.get(key);
    },
    async putJson(key: string, json: string) {
      texts.set(key, json);
    },
  };
}

const eventIds = ["a", "b", 'quoted "id"', "back\\slash", "ümläut", "0xABC", "two\tparts"];
const address = fc.nat(5).map((n) => `0x${sha256(`${n}`).slice(0, 40)}`);
const verdict = fc
  .record({ checks: anyChecks, n: fc.nat(8), event_id: fc.constantFrom(...eventIds), users: fc.array(address) })
  .map(({ checks, n, event_id, users }) => {
    const subject = { ...subjectOfChecks(checks), user_addresses: users };
    return verdictOn(checks, { verdict_id: sha256(`${n}`), event_id, subject });
  });
const objects = fc.array(fc.array(verdict, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 5 });
const sought = fc.oneof(
  fc.constantFrom(...eventIds),
  address,
  address.map((text) => text.toUpperCase().replace("0X", "0x")),
  fc.nat(8).map((n) => sha256(`${n}`)),
);

test("a search by filters finds what comparing every key finds, in all spellings", async () => {
  await fc.assert(
    fc.asyncProperty(objects, sought, fc.boolean(), async (archive, text, isIndexed) => {
      const store = storeOf(archive);
      if (isIndexed) await buildFilters(store, store.keys, signal, () => undefined);
      const spellings = spellingsOf(text);
      const counts = { read: 0, passedOver: 0 };
      const found: string[] = [];
      for await (const { verdict: each, name, line } of findVerdicts(store, store.keys, spellings, counts, signal)) {
        expect(archive[store.keys.indexOf(name)]?.[(line ?? 0) - 1]).toEqual(each);
        found.push(`${name} ${line}`);
      }
      const expected = archive.flatMap((verdicts, i) =>
        verdicts.flatMap((each, n) =>
          keysOf(each).some((key) => spellings.includes(key)) ? [`${store.keys[i]} ${n + 1}`] : [],
        ),
      );
      expect(found.toSorted()).toEqual(expected.toSorted());
      expect(counts.read + counts.passedOver).toBe(store.keys.length);
    }),
    propertyRuns(300),
  );
});

test("an object without the key is not read once its filter is there", async () => {
  const archive = Array.from({ length: 40 }, (_, i) => [
    verdictOn([], { event_id: `event-${i}`, verdict_id: sha256(`${i}`) }),
  ]);
  const store = storeOf(archive);
  expect(await buildFilters(store, store.keys, signal, () => undefined)).toBe(40);
  expect(await buildFilters(store, store.keys, signal, () => undefined)).toBe(0);
  store.reads.length = 0;
  const counts = { read: 0, passedOver: 0 };
  const found = await Array.fromAsync(findVerdicts(store, store.keys, ["event-7"], counts, signal));
  expect(found.map(({ verdict: { event_id } }) => event_id)).toEqual(["event-7"]);
  // Keys of the sought event aside, a filter errs in one of 400.
  expect(store.reads.length).toBeLessThan(5);
});

test("an object with a damaged filter is read, and gets a new filter", async () => {
  const store = storeOf([[verdictOn([], { event_id: "the event" })]]);
  for (const damaged of ["", "{", "{}", '{"schema":"weir.key-filter/1","keys":1,"bits":""}', "null"]) {
    store.texts.set(filterKey(store.keys[0] ?? ""), damaged);
    const counts = { read: 0, passedOver: 0 };
    expect(await Array.fromAsync(findVerdicts(store, store.keys, ["the event"], counts, signal))).toHaveLength(1);
    expect(await buildFilters(store, store.keys, signal, () => undefined)).toBe(1);
  }
});

test("a filter has every key of its lines, and errs on few others", () => {
  const verdicts = Array.from({ length: 500 }, (_, i) =>
    verdictOn([], { event_id: `e${i}`, verdict_id: sha256(`${i}`) }),
  );
  const lines = Buffer.from(verdicts.map((each) => JSON.stringify(each)).join("\n"));
  const filter = KeyFilter.read(filterOf("", lines).toJson());
  for (const each of verdicts) for (const key of keysOf(each)) expect(filter?.mayHave(key)).toBe(true);
  const wrong = Array.from({ length: 20_000 }, (_, i) => `absent ${i}`).filter((key) => filter?.mayHave(key));
  expect(wrong.length).toBeLessThan(200);
});

test("addresses of lists and of imitated parties are keys", () => {
  const matches = [{ address: "0xlisted", standing: "sanctioned" }];
  const checks = [{ check: "listed" as const, outcome: "ok" as const, cached: false, attempts: 0, data: { matches } }];
  const reasons = [
    { check: "poisoning", finding: "mimics_user", severity: "BLOCK", detail: "", resembles: "0xreal" },
  ] as const;
  const found = verdictOn([], { checks, reasons: [...reasons] });
  const block = { name: "file", lines: Buffer.from(JSON.stringify(found)) };
  for (const key of ["0xlisted", "0xreal"]) expect(findInBlock(block, [key], false)).toHaveLength(1);
  // The text is in the verdict, and is no key of it.
  expect(findInBlock(block, ["sanctioned"], false)).toEqual([]);
});
