import { expect, test } from "vitest";
import { EpochsRead, type RecordRead } from "../../../../../src/adapters/kafka/offsets/epochs-read.ts";

const at = { topic: "events", partition: 3 };
const records = (leaderEpoch: number, ...offsets: readonly number[]): readonly RecordRead[] =>
  offsets.map((offset) => ({ offset: String(offset), batchContext: { leaderEpoch } }));

/** Read from 10 on, after records of epoch 4. */
function reading() {
  const epochs = new EpochsRead();
  epochs.located(at, 10, [
    { epoch: 4, from: 2 },
    { epoch: 6, from: 10 },
  ]);
  return epochs;
}

test("an epoch begins at the latest behind the previously read record", () => {
  const epochs = reading();
  // The records in between are gone, or are transaction markers of any epoch.
  epochs.read(at, [...records(4, 10, 12), ...records(7, 15, 16), ...records(7, 19)]);
  epochs.read(at, records(9, 25));
  expect(epochs.of(at)).toEqual([
    { epoch: 4, from: 2 },
    { epoch: 7, from: 13 },
    { epoch: 9, from: 20 },
  ]);
});

test("only the latest sixteen epochs are kept", () => {
  const epochs = reading();
  for (let epoch = 5; epoch < 100; epoch++) epochs.read(at, records(epoch, 10 + epoch));
  expect(epochs.of(at).map(({ epoch }) => epoch)).toEqual(Array.from({ length: 16 }, (_, i) => 84 + i));
});

test("a fetch that begins with another epoch is held back until the log is compared", () => {
  const epochs = reading();
  expect(epochs.newEpoch(at, records(4, 10))).toBeUndefined();
  expect(epochs.newEpoch(at, [...records(4, 10), ...records(5, 11)])).toBeUndefined();
  // A leader that was down may hold more of an earlier epoch.
  for (const epoch of [3, 5]) expect(epochs.newEpoch(at, records(epoch, 10))).toBe(epoch);
  epochs.compared(at, 5);
  expect(epochs.newEpoch(at, records(5, 10))).toBeUndefined();
  expect(epochs.newEpoch(at, records(6, 10))).toBe(6);
});

test("no fetch is held back where the epoch of the partition or of the record is unknown", () => {
  const epochs = new EpochsRead();
  expect(epochs.newEpoch(at, records(5, 0))).toBeUndefined();
  epochs.read(at, records(5, 0));
  expect(epochs.of(at)).toEqual([]);
  epochs.located(at, 0, []);
  expect(epochs.newEpoch(at, records(5, 0))).toBeUndefined();
  expect(reading().newEpoch(at, [])).toBeUndefined();
  expect(reading().newEpoch(at, [{ offset: "10" }])).toBeUndefined();
  expect(reading().newEpoch(at, records(-1, 10))).toBeUndefined();
});

test("known epochs are kept only where the handler reads on behind them", () => {
  const epochs = reading();
  epochs.read(at, records(4, 10, 11));
  epochs.sought({ ...at, offset: 12 });
  expect(epochs.of(at)).toEqual([{ epoch: 4, from: 2 }]);
  epochs.sought({ ...at, offset: 11 });
  expect(epochs.of(at)).toEqual([]);
});
