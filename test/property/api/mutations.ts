import fc from "fast-check";
import { type RouteName, routes } from "../../../src/api/routes.ts";
import { hexNumberIn } from "../../../src/api/schemas/tron-fields.ts";
import { changedAt, objectPaths, type Path } from "../../contract/paths.ts";
import { requests } from "../../contract/samples.ts";

export const names = Object.keys(routes) as RouteName[];
export const posts = names.filter((name) => routes[name].method === "POST");

/** Keys that break programs, beside the keys of the interface. */
const trickyKeys = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "toJSON", "length", "0", ""];

/** Any JSON, with field names as keys from time to time. */
export const anyJson: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.oneof(fc.string({ unit: "binary" }), fc.double(), fc.integer(), fc.boolean(), fc.constant(null), oddValue()),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(anyKey(), tie("value"), { maxKeys: 6, noNullPrototype: true }),
  ),
})).value;

function anyKey(): fc.Arbitrary<string> {
  const fields = Object.values(requests).flatMap((request) =>
    objectPaths(request).flatMap((path) => Object.keys(valueAt(request, path))),
  );
  return fc.oneof(fc.constantFrom(...new Set([...fields, ...trickyKeys])), fc.string());
}

function oddValue(): fc.Arbitrary<unknown> {
  return fc.constantFrom(
    "",
    "0x",
    "0x10",
    "1",
    "NaN",
    "x".repeat(5_000),
    "\u0000",
    "\ud800",
    -0,
    1e308,
    Number.MAX_SAFE_INTEGER + 2,
    2 ** 64,
    [[]],
    [null],
    {},
  );
}

type Members = readonly (readonly [string, unknown])[];
type Mutation = (members: Members, at: number, value: unknown) => Members;

/** Each damages one member of one object. */
const mutations: Readonly<Record<string, Mutation>> = {
  drop: (members, at) => members.filter((_, i) => i !== at),
  retype: (members, at, value) => members.map(([name, old], i) => [name, i === at ? value : old]),
  double: (members, at, value) => [...members, [otherSpelling(members[at]?.[0] ?? ""), value]],
  deepen: (members, at) => members.map(([name, old], i) => [name, i === at ? nested(old, 12) : old]),
  list: (members, at) => members.map(([name, old], i) => [name, i === at ? [old, old] : old]),
  unlist: (members, at) => members.map(([name, old], i) => [name, i === at && Array.isArray(old) ? old[0] : old]),
  pollute: (members, at, value) => [[trickyKeys[at % trickyKeys.length] ?? "", value], ...members],
};

/** A valid request of a row, damaged in one to three places. */
export const damagedRequest: fc.Arbitrary<{ readonly name: RouteName; readonly request: unknown }> = fc
  .record({
    name: fc.constantFrom(...names),
    steps: fc.array(
      fc.record({
        mutation: fc.constantFrom(...Object.keys(mutations)),
        place: fc.nat(1_000),
        member: fc.nat(1_000),
        value: anyJson,
      }),
      { minLength: 1, maxLength: 3 },
    ),
  })
  .map(({ name, steps }) => ({
    name,
    request: steps.reduce<unknown>((request, { mutation, place, member, value }) => {
      const places = objectPaths(request);
      return changedAt(request, places[place % places.length] ?? [], (members) =>
        members.length === 0 ? members : (mutations[mutation]?.(members, member % members.length, value) ?? members),
      );
    }, requests[name]),
  }));

/** A value for an unknown field. In a transaction it holds no number in hex. */
const harmlessJson = anyJson.filter((value) => hexNumberIn(value) === undefined);

/** A valid request of a row with other spellings of any fields and with added unknown fields. */
export const respelledRequest: fc.Arbitrary<{ readonly name: RouteName; readonly request: unknown }> = fc
  .record({ name: fc.constantFrom(...names), coins: fc.infiniteStream(fc.boolean()), extra: harmlessJson })
  .map(({ name, coins, extra }) => ({
    name,
    request: objectPaths(requests[name])
      .toReversed()
      .reduce<unknown>(
        (request, path) =>
          changedAt(request, path, (members) => [
            ...members.map(([field, value]) => [coin(coins) ? otherSpelling(field) : field, value] as const),
            ["an unknown field", extra],
          ]),
        requests[name],
      ),
  }));

function coin(coins: fc.Stream<boolean>): boolean {
  return coins.next().value === true;
}

export function otherSpelling(field: string): string {
  if (field.includes("_")) return field.replace(/_([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase());
  return field.replace(
    /([a-z0-9])([A-Z]+)/g,
    (_all, before: string, after: string) => `${before}_${after.toLowerCase()}`,
  );
}

function nested(value: unknown, levels: number): unknown {
  return levels === 0 ? value : { deeper: [nested(value, levels - 1)] };
}

function valueAt(value: unknown, path: Path): object {
  return Object(path.reduce((inner, step) => Reflect.get(Object(inner), step), value));
}
