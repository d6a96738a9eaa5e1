import fc from "fast-check";
import { expect, test } from "vitest";
import { ItemMap } from "../../../../../src/worker/batching/replies/item-map.ts";

test("one address in two scopes is two items", () => {
  const items = new ItemMap<string>();
  items.set("1", "a", "first");
  items.set("56", "a", "second");

  expect([items.get("1", "a"), items.get("56", "a"), items.get("10", "a")]).toEqual(["first", "second", undefined]);
  expect([items.has("1", "a"), items.has("1", "b"), items.has("10", "a")]).toEqual([true, false, false]);
  expect(items.size).toBe(2);
});

test("the map behaves like a map with one text for scope and address", () => {
  const step = fc.record({
    does: fc.constantFrom("set", "delete"),
    scope: fc.constantFrom("1", "56"),
    address: fc.constantFrom("a", "b", "c"),
    value: fc.nat(9),
  });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const [items, model] = [new ItemMap<number>(), new Map<string, number>()];
      for (const { does, scope, address, value } of steps) {
        if (does === "set") {
          items.set(scope, address, value);
          model.set(`${scope}|${address}`, value);
        } else {
          items.delete(scope, address);
          model.delete(`${scope}|${address}`);
        }
        expect(items.size).toBe(model.size);
      }
      for (const scope of ["1", "56"]) {
        for (const address of ["a", "b", "c"]) {
          const value = model.get(`${scope}|${address}`);
          expect([items.get(scope, address), items.has(scope, address)]).toEqual([value, value !== undefined]);
        }
      }
    }),
  );
});
