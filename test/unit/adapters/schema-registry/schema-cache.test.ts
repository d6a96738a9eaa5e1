import { describe, expect, test } from "vitest";
import type { RegisteredSchema } from "../../../../src/adapters/schema-registry/compiled-schema.ts";
import { UndecodableError } from "../../../../src/adapters/schema-registry/json-text.ts";
import { SchemaCache } from "../../../../src/adapters/schema-registry/schema-cache.ts";
import type { SchemaRef } from "../../../../src/adapters/schema-registry/wire-format.ts";
import { UnauthorizedError, UnavailableError } from "../../../../src/worker/answers/service-errors.ts";
import { FakeLog } from "../../../fakes/fake-log.ts";
import { settled, VirtualClock } from "../../../fakes/virtual-clock.ts";

const ref = (id: number): SchemaRef => ({ by: "ids", id: String(id) });
const schema: RegisteredSchema = { type: "AVRO", text: '"string"', references: [] };
const lacking = new UndecodableError("is not in the registry");

function caching(fetch: (id: string, nth: number) => RegisteredSchema | Promise<RegisteredSchema>, maxSchemas = 10) {
  const clock = new VirtualClock();
  const log = new FakeLog();
  const ending = new AbortController();
  const asked: string[] = [];
  const outcomes: string[] = [];
  const cache = new SchemaCache({
    fetch: async ({ id }) => {
      asked.push(id);
      return fetch(id, asked.filter((each) => each === id).length);
    },
    clock,
    random: () => 1,
    log,
    onRequest: (outcome) => outcomes.push(outcome),
    signal: ending.signal,
    maxSchemas,
  });
  const isLoaded = async (id: number, ms = 0) => {
    let done = false;
    void cache.load(ref(id)).then(() => {
      done = true;
    });
    await clock.advance(ms);
    await settled();
    return done;
  };
  return { cache, clock, log, ending, asked, outcomes, isLoaded };
}

/** Compiling a schema loads its format, which takes some turns of the event loop. */
async function loaded(cache: SchemaCache, id: number): Promise<void> {
  await cache.load(ref(id));
}

test("a schema is requested once, for many records at once and later", async () => {
  const { cache, asked, outcomes } = caching(() => schema);
  expect(cache.get(ref(1))).toBe(undefined);
  expect(cache.touch(ref(1))).toBe(false);
  await Promise.all([loaded(cache, 1), loaded(cache, 1), loaded(cache, 1)]);

  expect(asked).toEqual(["1"]);
  expect(outcomes).toEqual(["ok"]);
  expect(cache.touch(ref(1))).toBe(true);
  expect(cache.get(ref(1))).toMatchObject({ ok: true, value: { type: "AVRO" } });
  expect(cache.waiting).toBe(0);
});

describe("a registry that is down or refuses the login", () => {
  test.each([
    ["failing", "failed", new UnavailableError("no answer: connect ECONNREFUSED"), /gives no schema/],
    ["unauthorized", "unauthorized", new UnauthorizedError("answered 401"), /refuses the login/],
  ] as const)("%s: is asked until it answers, and makes no schema unusable", async (state, outcome, error, line) => {
    let isDown = true;
    const { cache, clock, log, asked, outcomes, isLoaded } = caching(() => {
      if (isDown) throw error;
      return schema;
    });
    expect(await isLoaded(1, 3_600_000)).toBe(false);
    expect(cache.get(ref(1))).toBe(undefined);
    expect([cache.failure, cache.waiting]).toEqual([state, 1]);
    // Waits grow to 15 s, and the log has a line a minute.
    expect(asked.length).toBeGreaterThan(200);
    expect(asked.length).toBeLessThan(300);
    expect(new Set(outcomes)).toEqual(new Set([outcome]));
    const warnings = log.messages("warn");
    expect(warnings.length).toBeGreaterThan(40);
    expect(warnings.length).toBeLessThanOrEqual(61);
    expect(warnings[0]).toMatch(line);

    isDown = false;
    const done = cache.load(ref(1));
    await clock.advance(15_000);
    await done;
    expect(cache.get(ref(1))?.ok).toBe(true);
    expect([cache.failure, cache.waiting]).toEqual([undefined, 0]);
    expect(log.messages("info")).toEqual(["the schema registry answers again: reading goes on"]);
  });

  test("does not keep schemas that are at hand from use", async () => {
    const { cache, isLoaded } = caching((id) => {
      if (id === "2") throw new UnavailableError("502");
      return schema;
    });
    await loaded(cache, 1);
    expect(await isLoaded(2, 60_000)).toBe(false);

    expect(cache.touch(ref(1))).toBe(true);
    expect(cache.get(ref(1))?.ok).toBe(true);
  });

  test("is waited for no longer once the process ends", async () => {
    const { cache, ending, isLoaded } = caching(() => new Promise(() => undefined));
    expect(await isLoaded(1)).toBe(false);
    const done = cache.load(ref(1));
    ending.abort(new Error("the worker has ended"));
    await done;

    expect(cache.get(ref(1))).toBe(undefined);
  });
});

describe("a schema that the registry lacks", () => {
  test("is asked for again after a second, since another node may have it", async () => {
    const { cache, clock } = caching((_, nth) => {
      if (nth === 1) throw lacking;
      return schema;
    });
    const done = cache.load(ref(1));
    await clock.advance(1_000);
    await done;

    expect(cache.get(ref(1))?.ok).toBe(true);
  });

  test("is unusable then, and is asked for again after a minute", async () => {
    let isThere = false;
    const { cache, clock, asked, outcomes } = caching(() => {
      if (!isThere) throw lacking;
      return schema;
    });
    const done = cache.load(ref(1));
    await clock.advance(1_000);
    await done;
    expect(cache.get(ref(1))).toEqual({ ok: false, detail: "is not in the registry" });
    expect(asked).toHaveLength(2);
    expect(outcomes).toEqual(["unusable", "unusable"]);
    expect(cache.failure).toBe(undefined);
    await clock.advance(59_999);
    expect(cache.touch(ref(1))).toBe(true);
    await clock.advance(1);
    expect(cache.touch(ref(1))).toBe(false);
    // Records that are being read need an answer all the same.
    expect(cache.get(ref(1))?.ok).toBe(false);

    isThere = true;
    await loaded(cache, 1);
    expect(cache.get(ref(1))?.ok).toBe(true);
  });

  test("is not waited for where twenty are lacking already: a producer invents ids", async () => {
    const { cache, clock, asked } = caching(() => {
      throw lacking;
    }, 100);
    const loads = Promise.all(Array.from({ length: 20 }, (_, i) => cache.load(ref(i))));
    await clock.advance(1_000);
    await loads;
    const before = asked.length;
    await loaded(cache, 99);

    expect(asked.length - before).toBe(1);
    expect(cache.get(ref(99))?.ok).toBe(false);
  });
});

test("a schema that does not compile is unusable, with the reason", async () => {
  const { cache, clock } = caching(() => ({ ...schema, text: '{"type":"nothing"}' }));
  const done = cache.load(ref(1));
  await settled();
  await clock.advance(1_000);
  for (let i = 0; i < 20; i++) {
    await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(1_000);
  }
  await done;

  expect(cache.get(ref(1))).toEqual({ ok: false, detail: expect.stringContaining("is no Avro schema") });
});

test("the least recently used schema makes room", async () => {
  const { cache, asked } = caching(() => schema, 2);
  await loaded(cache, 1);
  await loaded(cache, 2);
  cache.touch(ref(1));
  await loaded(cache, 3);

  expect([1, 2, 3].map((id) => cache.get(ref(id)) !== undefined)).toEqual([true, false, true]);
  expect(asked).toEqual(["1", "2", "3"]);
});
