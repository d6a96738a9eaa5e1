import fc from "fast-check";
import { expect, test } from "vitest";
import type { CheckEntry } from "../../../src/events/verdict.ts";
import { parseExact } from "../../../src/kernel/json.ts";
import { fitEvidence } from "../../../src/worker/fit-evidence.ts";
import { answered } from "../../fakes/evidence.ts";

const text = fc.string({ unit: fc.constantFrom("a", "é", "€", "😀", "\u0000", '"', "\\", "\ud800") });
const flag = fc.constantFrom("0", "1");
/** As nearly all is. */
const plain = fc.record({
  target: fc.record({
    is_poisoning: flag,
    mimics_user: flag,
    mimics_exchange: flag,
    chain_id: text,
    address: fc.oneof(text, fc.string({ unit: fc.constant("\u0000"), maxLength: 400 })),
  }),
});
const value = fc.oneof(
  plain,
  fc.jsonValue({ stringUnit: "binary" }),
  fc.dictionary(text, fc.oneof(text, fc.double({ noDefaultInfinity: true, noNaN: true }))),
  fc.bigInt().map((number) => parseExact(`[${number}]`)),
);

test("evidence is left as it is just when its JSON fits", () => {
  fc.assert(
    fc.property(fc.array(value, { maxLength: 3 }), fc.nat(2_000), (data, spare) => {
      const entries: CheckEntry[] = data.map((each) => answered("poisoning", each));
      const bytes = Buffer.byteLength(JSON.stringify(entries));

      expect(fitEvidence(entries, bytes + spare)).toEqual(entries);
      if (data.length > 0 && bytes > 0) expect(fitEvidence(entries, bytes - 1)).not.toBe(entries);
    }),
  );
});
