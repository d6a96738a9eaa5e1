import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { requestParser } from "../../../../src/api/requests/request.ts";
import { snakeCase, spellingOf } from "../../../../src/api/requests/spelling.ts";
import { routes } from "../../../../src/api/routes.ts";
import { anyJson, damagedRequest, names, respelledRequest } from "../mutations.ts";

const RUNS = { numRuns: Number(process.env["FC_RUNS"] ?? 300), seed: 20_260_101 };

/** The values at the ends of all branches, sorted. Empty arrays and objects count as ends. */
function leaves(value: unknown): readonly string[] {
  const inner = typeof value === "object" && value !== null ? Object.values(value) : [];
  return inner.length === 0 ? [JSON.stringify(value)] : inner.flatMap(leaves).sort();
}

/** Every request field that is optional at some place, in snake_case. */
const omittable = new Set([
  ..."transaction encoding fee_payer instructions name data is_signer is_writable requested_items".split(" "),
  ..."balance_changes involved_address_risks wait strict dapp_url simulate visible tx_id raw_data_hex".split(" "),
  ..."ref_block_bytes ref_block_hash expiration timestamp fee_limit type_url contract_address call_value".split(" "),
  ..."call_token_value token_id owner witness actives type permission_name operations".split(" "),
  ..."user_address token_address target_addresses token_addresses token_symbol token_name symbol".split(" "),
]);

type Member = readonly [name: string, value: unknown];

/** The value without the members that are null. Items of lists stay. */
function withoutNullMembers(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutNullMembers);
  const members: readonly Member[] = Object.entries(value);
  return Object.fromEntries(
    members.filter(([, inner]) => inner !== null).map(([name, inner]) => [name, withoutNullMembers(inner)]),
  );
}

/** The names, in snake_case, of null members that are required everywhere. */
function requiredNulls(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  const members: readonly Member[] = Object.entries(value);
  const here = Array.isArray(value) ? [] : members.filter(([, inner]) => inner === null).map(([name]) => name);
  const names = here.map(snakeCase).map((name) => (name === "transactions" ? "sol_transactions" : name));
  return [...names.filter((name) => !omittable.has(name)), ...members.flatMap(([, inner]) => requiredNulls(inner))];
}

describe("spelling conversion", () => {
  test("changes names only: every value is kept, and none is new", () => {
    fc.assert(
      fc.property(respelledRequest, ({ name, request }) => {
        const { value, clashes } = spellingOf(routes[name].request)(request);

        expect(clashes).toEqual([]);
        expect(leaves(value)).toEqual(leaves(request));
      }),
      RUNS,
    );
  });

  test("loses a value only to an equal one or as the null of an optional field, or reports the clash", () => {
    fc.assert(
      fc.property(damagedRequest, ({ name, request }) => {
        const { value, clashes } = spellingOf(routes[name].request)(request);

        if (clashes.length > 0) return;
        expect(new Set(leaves(withoutNullMembers(value)))).toEqual(new Set(leaves(withoutNullMembers(request))));
        expect(new Set(requiredNulls(value))).toEqual(new Set(requiredNulls(request)));
      }),
      RUNS,
    );
  });

  test("is idempotent", () => {
    fc.assert(
      fc.property(damagedRequest, ({ name, request }) => {
        const respell = spellingOf(routes[name].request);
        const { value } = respell(request);

        expect(respell(value)).toEqual({ value, clashes: [] });
      }),
      RUNS,
    );
  });

  test("keeps its input unchanged", () => {
    fc.assert(
      fc.property(damagedRequest, ({ name, request }) => {
        const before = JSON.stringify(request);

        spellingOf(routes[name].request)(request);

        expect(JSON.stringify(request)).toBe(before);
      }),
      RUNS,
    );
  });
});

describe("reading a request", () => {
  const parsers = names.map((name) => requestParser(routes[name].request));

  test("never throws for any JSON, and gives the reason of a refusal in one line", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          anyJson,
          damagedRequest.map(({ request }) => request),
        ),
        (input) => {
          for (const parse of parsers) {
            const read = parse(input);
            if (!read.ok) expect(read.detail).toMatch(/^[^\n]{1,400}$/);
          }
        },
      ),
      RUNS,
    );
  });

  test("gives the same request for every spelling", () => {
    fc.assert(
      fc.property(respelledRequest, ({ name, request }) => {
        const parse = requestParser(routes[name].request);
        const { value } = spellingOf(routes[name].request)(request);

        expect(parse(request)).toEqual(parse(value));
        expect(parse(request)).toHaveProperty("ok", true);
      }),
      RUNS,
    );
  });

  test("reads its own result as the same request", () => {
    fc.assert(
      fc.property(respelledRequest, ({ name, request }) => {
        const parse = requestParser(routes[name].request);
        const first = parse(request);

        if (first.ok) expect(parse(first.value)).toEqual(first);
      }),
      RUNS,
    );
  });
});
