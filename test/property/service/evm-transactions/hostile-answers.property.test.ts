import fc from "fast-check";
import { expect, test } from "vitest";
import { eventTopics, grantsIn, movesIn } from "../../../../src/service/evm-transactions/event-logs.ts";
import { readObservation } from "../../../../src/service/evm-transactions/observer.ts";
import { reasonOf } from "../../../../src/service/evm-transactions/reason.ts";

const hex = (maxLength: number) => fc.uint8Array({ maxLength }).map((bytes) => Buffer.from(bytes).toString("hex"));
const word = fc.oneof(
  hex(20).map((digits) => digits.slice(0, 40).padStart(64, "0")),
  fc.nat(200).map((number) => number.toString(16).padStart(64, "0")),
  fc.constant("f".repeat(64)),
);
const log = fc.record({
  contract: hex(20).map((digits) => `0x${digits.padStart(40, "0")}`),
  topics: fc
    .tuple(fc.oneof(fc.constantFrom(...Object.values(eventTopics)), word), fc.array(word, { maxLength: 3 }))
    .map(([first, others]) => [first, ...others]),
  data: fc.oneof(
    fc.array(word, { maxLength: 12 }).map((words) => words.join("")),
    hex(100),
  ),
});

test("any event log is read or skipped", () => {
  fc.assert(
    fc.property(fc.array(log, { maxLength: 5 }), (logs) => {
      for (const { from, to, amount } of movesIn(logs)) {
        expect([from, to].join()).toMatch(/^0x[0-9a-f]{40},0x[0-9a-f]{40}$/);
        expect(amount).toBeGreaterThanOrEqual(0n);
      }
      for (const { giver, spender } of grantsIn(logs))
        expect([giver, spender].join()).toMatch(/^0x[0-9a-f]{40},0x[0-9a-f]{40}$/);
    }),
  );
});

test("any return data of a node is an observation with the requested number of reads, or none", () => {
  const answers = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.array(word, { maxLength: 20 }).map((words) => Uint8Array.from(Buffer.from(words.join(""), "hex"))),
  );
  fc.assert(
    fc.property(answers, fc.nat(3), (data, looks) => {
      const seen = readObservation(data, looks);

      expect([undefined, looks]).toContain(seen?.before.length);
      expect([undefined, looks]).toContain(seen?.after.length);
    }),
  );
});

test("any return data of a failed contract gives a reason of one short line in plain characters", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.boolean(), (bytes, isText) => {
      const said = isText ? Uint8Array.of(0x08, 0xc3, 0x79, 0xa0, ...bytes) : bytes;

      expect(reasonOf(said)).toMatch(/^[\x20-\x7e]{1,130}$/);
    }),
  );
});
