import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { EventDeduplication } from "../../../../../src/adapters/files/event-ids/event-deduplication.ts";
import { seededRandom } from "../../../../../src/kernel/retry.ts";
import { verdictId } from "../../../../../src/messages/identity.ts";

type Named = readonly [tenant: string, name: string, content: string];

/** The slow specification: all ids forever, and the last events by name. */
class SlowlySeen {
  readonly #capacity: number;
  readonly #ids = new Set<string>();
  #old: { readonly name: string; readonly id: string }[] = [];
  #young: { readonly name: string; readonly id: string }[] = [];

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  add([tenant, name, content]: Named) {
    const [whose, called, what] = [tenant, name, content].map((text) => text.toWellFormed());
    const event = { name: JSON.stringify([whose, called]), id: JSON.stringify([whose, called, what]) };
    const remembered = [...this.#old, ...this.#young];
    if (remembered.some(({ id }) => id === event.id)) return "repeated";
    this.#young.push(event);
    if (this.#young.length === this.#capacity) [this.#old, this.#young] = [this.#young, []];
    if (this.#ids.has(event.id)) return "repeated";
    this.#ids.add(event.id);
    return remembered.some(({ name }) => name === event.name) ? "conflicting" : "new";
  }
}

/** Unpaired surrogates are included, which are equal in a verdict id. */
const words = ["", "\ud800", "\udfff"];
const word = (most: number) => fc.nat({ max: most }).map((i) => words[i] ?? `x${i}`);
const events = (names: number, contents: number) =>
  fc.array(fc.tuple(word(1), word(names), word(contents)), { maxLength: 400 });

test.each([
  ["many names", events(60, 1)],
  ["few names of much content", events(1, 80)],
  ["some of both", events(8, 12)],
])("for %s, an event has the same result as in a model that remembers all", async (_what, some) => {
  const folder = await mkdtemp(path.join(tmpdir(), "weir-test-"));
  let runs = 0;
  try {
    fc.assert(
      fc.property(some, fc.constantFrom(3, 6, 12, 24), fc.nat(), (all, capacity, seed) => {
        const seen = new EventDeduplication(path.join(folder, `${runs++}.tmp`), seededRandom(seed), capacity);
        const model = new SlowlySeen(capacity);
        try {
          const sights = all.map(([tenant, name, content]) => seen.add(tenant, name, verdictId(tenant, name, content)));
          expect(sights).toEqual(all.map((event) => model.add(event)));
        } finally {
          seen.close();
        }
      }),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
});
