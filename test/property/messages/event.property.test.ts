import fc from "fast-check";
import { expect, test } from "vitest";
import { parseAddress } from "../../../src/chains/address.ts";
import { findChain } from "../../../src/chains/registry.ts";
import { canonicalJson } from "../../../src/kernel/json.ts";
import type { AddressEvent } from "../../../src/messages/event.ts";
import { canonicalEvent, verdictId } from "../../../src/messages/identity.ts";
import { parseEvent } from "../../../src/messages/parse-event.ts";
import { eventOf } from "../../fakes/events.ts";

const hex40 = fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: 40, maxLength: 40 });
const address = hex40.map((digits) => `0x${digits}`);
const shout = (text: string) => `0x${text.slice(2).toUpperCase()}`;

const question = fc.record(
  {
    type: fc.constant("address"),
    chain_id: fc.constantFrom("1", "56", "137"),
    address,
    user_addresses: fc.array(address, { maxLength: 4 }),
    token_address: address,
    checks: fc.array(fc.constantFrom("poisoning", "classification"), { maxLength: 2 }),
  },
  { requiredKeys: ["type", "chain_id", "address"] },
);
const wrapping = fc.record(
  {
    id: fc.stringMatching(/^[a-z0-9/]{1,20}$/),
    tenant: fc.stringMatching(/^[a-z]{1,8}$/),
    lane: fc.constantFrom("realtime", "backfill"),
    occurred_at: fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date("9999-12-31") })
      .map((date) => date.toISOString()),
    ref: fc.jsonValue({ maxDepth: 3 }),
  },
  { requiredKeys: [] },
);
const aliases: Readonly<Record<string, readonly unknown[]>> = {
  "1": ["1", 1, "eth", "Ethereum"],
  "56": ["56", 56, "bsc", "BNB"],
  "137": ["137", 137, "polygon", "MATIC"],
};

test("any bytes give either an event or a reason of one line, and nothing throws", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array({ maxLength: 200 }),
        fc.json().map((text) => Buffer.from(text)),
      ),
      (bytes) => {
        const parsed = parseEvent(bytes);

        if (parsed.ok) expect(["address", "transaction"]).toContain(parsed.value.type);
        else expect(parsed.detail).toMatch(/^[^\n]{3,200}$/);
      },
    ),
  );
});

test("any object with a known type is read or refused without a throw", () => {
  const fields = fc.dictionary(
    fc.constantFrom("id", "tenant", "chain_id", "chainId", "address", "transaction", "user_addresses", "checks", "ref"),
    fc.jsonValue({ maxDepth: 2 }),
  );
  fc.assert(
    fc.property(fields, fc.constantFrom("address", "transaction"), (rest, type) => {
      const parsed = parseEvent(Buffer.from(JSON.stringify({ ...rest, type })));

      expect(typeof (parsed.ok ? parsed.value.chain_id : parsed.detail)).toBe("string");
    }),
  );
});

test("an event is the same question in any wrapping, spelling, order and case", () => {
  fc.assert(
    fc.property(question, wrapping, wrapping, fc.nat(3), (asked, wrapA, wrapB, alias) => {
      const spelled = Object.fromEntries(
        Object.entries({
          ...wrapB,
          ...asked,
          chain_id: aliases[asked.chain_id]?.[alias],
          address: shout(asked.address),
          ...(asked.user_addresses === undefined ? {} : { user_addresses: asked.user_addresses.map(shout) }),
        })
          .map(([name, value]) => [name.replace(/_(.)/g, (_all, letter: string) => letter.toUpperCase()), value])
          .reverse(),
      );

      expect(canonicalEvent(eventOf(spelled))).toBe(canonicalEvent(eventOf({ ...wrapA, ...asked })));
    }),
  );
});

test("two questions have one verdict id only when they are the same question", () => {
  fc.assert(
    fc.property(question, question, (a, b) => {
      const [idA, idB] = [a, b].map((fields) => verdictId("t", "e", canonicalEvent(eventOf(fields))));

      expect(idA === idB).toBe(canonicalJson(a) === canonicalJson(b));
    }),
  );
});

test("a canonical event, read as an event, is its own canonical event", () => {
  fc.assert(
    fc.property(question, wrapping, (asked, wrapped) => {
      const canonical = canonicalEvent(eventOf({ ...asked, ...wrapped }));

      expect(canonicalEvent(eventOf(canonical))).toBe(canonical);
    }),
  );
});

test("the canonical text of an address event is the canonical JSON of its question", () => {
  const anyText = fc.oneof(address, address.map(shout), fc.string({ unit: "binary" }), fc.constant('"\\'));
  const asked = fc.record(
    {
      type: fc.constant("address" as const),
      chain_id: fc.oneof(fc.constantFrom("1", "eth", "tron", "bitcoin", "nowhere"), fc.string({ unit: "binary" })),
      address: anyText,
      user_addresses: fc.array(anyText, { maxLength: 3 }),
      token_address: anyText,
      user_address: anyText,
      checks: fc.array(fc.constantFrom("poisoning" as const, "classification" as const), { maxLength: 2 }),
    },
    { requiredKeys: ["type", "chain_id", "address"] },
  );
  fc.assert(
    fc.property(asked, wrapping, (question, { id, ref }) => {
      const chain = findChain(question.chain_id);
      const canonical = (text: string) => {
        const parsed = chain === undefined ? undefined : parseAddress(chain.family, text);
        return parsed?.ok === true ? parsed.value : text;
      };
      const { token_address: token } = question;
      const event: AddressEvent = { ...question, ...(id === undefined ? {} : { id }), ref };

      expect(canonicalEvent(event)).toBe(
        canonicalJson({
          ...question,
          chain_id: chain?.id ?? question.chain_id,
          address: canonical(question.address),
          user_addresses: question.user_addresses?.map(canonical),
          token_address: token === undefined ? undefined : canonical(token),
        }),
      );
    }),
  );
});

test("any integer inside a transaction keeps its digits", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 200n), max: 2n ** 200n }), (amount) => {
      const event = eventOf(`{"type":"transaction","chain_id":"tron","transaction":{"call_value":${amount}}}`);

      expect(canonicalEvent(event)).toBe(
        `{"chain_id":"tron","transaction":{"call_value":${amount}},"type":"transaction"}`,
      );
    }),
  );
});
