import fc from "fast-check";
import { expect, test } from "vitest";
import { columnField, eventFields } from "../../../../src/adapters/files/input/csv/csv-event.ts";
import { readHeader } from "../../../../src/adapters/files/input/csv/csv-header.ts";
import { camelCase } from "../../../../src/api/requests/spelling.ts";
import type { Family } from "../../../../src/chains/chain.ts";
import { InputUnreadableError } from "../../../../src/kernel/errors.ts";
import { addressFields } from "../../../../src/messages/event.ts";
import { parseEvent, readEvent } from "../../../../src/messages/parse-event.ts";
import type { StrayAddress } from "../../../../src/messages/unread/stray-address.ts";

const samples = {
  evm: { chain: "1", address: "0xd9A1b0B1e1aE382DbDc898Ea68012FfcB2853a91" },
  tron: { chain: "tron", address: "TA9SJtzNUWiU6JzyS3kEQuRHRkPsitspmo" },
  solana: { chain: "solana", address: "4yfu48qwim7hGzD3Nphzd2A6ThydzysfKi4wBPFSgnhY" },
  bitcoin: { chain: "bitcoin", address: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4" },
} as const satisfies Record<Family, object>;
const sample = fc.constantFrom(...Object.values(samples));

const read = new Set(addressFields.flatMap((field) => [field, camelCase(field)]));
const word = fc.constantFrom(
  "From",
  "to",
  "memo",
  "x1",
  "data",
  "Counter",
  "contract",
  "account_id",
  "token",
  "tx",
  "",
);
const name = fc.oneof(
  word,
  fc.string(),
  fc.tuple(word, word).map(([a, b]) => `${a}_${b}`),
);
/** A key of an object, or an index of an array. */
const step = fc.oneof(name, fc.nat(3));
/** Text around an address: only characters that do not lengthen its word. */
const around = fc.string({ unit: fc.constantFrom(..." ;|,:/_-\"'()") });

function nested(steps: readonly (string | number)[], value: unknown): unknown {
  return steps.reduceRight<unknown>(
    (inner, at) => (typeof at === "string" ? Object.fromEntries([[at, inner]]) : [...Array(at).fill(0), inner]),
    value,
  );
}

test("an address in an unread field refuses its event or is reported, at any position", () => {
  fc.assert(
    fc.property(
      sample,
      name.filter((top) => !read.has(top)),
      fc.array(step, { maxLength: 4 }),
      fc.boolean(),
      around,
      ({ chain, address }, top, steps, isKey, around) => {
        const text = `${around}${address}${around}`;
        const value = nested(steps, isKey ? Object.fromEntries([[text, 1]]) : text);
        const event = { type: "address", chain_id: chain, address, ...Object.fromEntries([[top, value]]) };
        const told: StrayAddress[] = [];
        const parsed = parseEvent(Buffer.from(JSON.stringify(event)), (strays) => told.push(...strays));

        expect(parsed.ok && told.length === 0).toBe(false);
        // A telling field refuses the event, so an accepted event reports only neutral fields.
        if (parsed.ok) expect(told.every(({ isTelling }) => !isTelling)).toBe(true);
      },
    ),
  );
});

test("an address in an unread column refuses the file or its row, or is reported", () => {
  fc.assert(
    fc.property(
      sample,
      fc.array(
        name.filter((column) => !/["\r\n,]/.test(column)),
        { minLength: 1, maxLength: 3 },
      ),
      fc.nat(2),
      ({ chain, address }, columns, at) => {
        const where = at % columns.length;
        fc.pre(!addressFields.includes(columnField(columns[where] ?? "")));
        const cells = columns.map((_, i) => (i === where ? `x ${address}` : ""));
        const told: StrayAddress[] = [];
        const outcome = () => {
          const { fields } = readHeader(`chain,address,${columns.join(",")}`);
          const row = eventFields(fields, [chain, address, ...cells], { users: [] });
          return readEvent(row, (strays) => told.push(...strays));
        };
        try {
          expect(outcome().ok && told.length === 0).toBe(false);
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(InputUnreadableError);
        }
      },
    ),
  );
});
