import fc from "fast-check";
import { expect, test } from "vitest";
import { keysNewestFirst, linesNewestFirst } from "../../../../src/archive/reading/newest-first.ts";
import { propertyRuns } from "../../../support/property-runs.ts";

const { signal } = new AbortController();

function storeOf(keys: readonly string[]) {
  return {
    async *list(prefix: string) {
      for (const key of [...keys].sort()) if (key.startsWith(prefix)) yield { key };
    },
  };
}

const key = (date: string, partition: number, start: number) =>
  `v1/verdicts/dt=${date}/p=${String(partition).padStart(5, "0")}/${String(start).padStart(20, "0")}.ndjson.gz`;

test("keys come partition by partition, the highest offset first, also where a clock went back", async () => {
  const keys = [key("2026-11-01", 0, 0), key("2026-11-03", 0, 10), key("2026-11-02", 0, 20), key("2026-11-01", 1, 5)];
  expect(await keysNewestFirst(storeOf([...keys, "v1/verdicts/other"]), "verdicts", {}, signal)).toEqual([
    keys[2],
    keys[1],
    keys[0],
    keys[3],
  ]);
});

test("keys of other topics and other days are left out, but for the last object that begins before", async () => {
  const keys = [key("2026-10-31", 0, 0), key("2026-11-01", 0, 5), key("2026-11-02", 0, 10), key("2026-11-03", 0, 20)];
  const other = keys.map((each) => each.replace("v1/verdicts/", "v1/verdicts-2/"));
  const days = { from: "2026-11-02", until: "2026-11-02" };
  expect(await keysNewestFirst(storeOf([...keys, ...other]), "verdicts", days, signal)).toEqual([keys[2], keys[1]]);
});

test("the lines of a block are those of its text, backwards", () => {
  const line = fc.string({ unit: "grapheme" }).map((text) => text.replaceAll("\n", " "));
  fc.assert(
    fc.property(fc.array(line), fc.boolean(), (lines, ends) => {
      const text = lines.join("\n") + (ends ? "\n" : "");
      const read = [...linesNewestFirst({ name: "", lines: Buffer.from(text) })].map(String);
      expect(read).toEqual(
        Buffer.from(text)
          .toString()
          .split("\n")
          .filter((each) => each !== "")
          .toReversed(),
      );
    }),
    propertyRuns(200),
  );
});
