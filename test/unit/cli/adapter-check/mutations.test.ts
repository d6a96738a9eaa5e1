import { describe, expect, test } from "vitest";
import {
  aboutStranger,
  allRetyped,
  nulled,
  retyped,
  STRANGER,
  without,
  withoutEntry,
  withTwin,
} from "../../../../src/cli/adapter-check/mutations.ts";

const body = { score: 4, flags: { a: true, b: "x" }, list: [{ c: null }] };

describe("a field", () => {
  test("is removed, made null and given another type, at any depth", () => {
    expect(without(body, "flags.a")).toEqual({ ...body, flags: { b: "x" } });
    expect(nulled(body, "score")).toEqual({ ...body, score: null });
    expect(retyped(body, "flags.a")).toEqual({ ...body, flags: { a: "no", b: "x" } });
    expect(retyped(body, "list.0.c")).toEqual({ ...body, list: [{ c: [] }] });
    expect(retyped(body, "flags")).toEqual({ ...body, flags: "unreadable" });
    expect(body).toEqual({ score: 4, flags: { a: true, b: "x" }, list: [{ c: null }] });
  });

  test("that does not exist gives no mutation", () => {
    expect(without(body, "flags.c")).toBeUndefined();
    expect(nulled(body, "score.x")).toBeUndefined();
    expect(retyped(null, "score")).toBeUndefined();
  });

  test("of every type gets another type", () => {
    expect(allRetyped(body)).toEqual({ score: "unreadable", flags: { a: "no", b: 7 }, list: [{ c: [] }] });
  });
});

test("another address replaces an address in any letter case", () => {
  expect(aboutStranger('{"a":"0xAB","b":"0xab"}', "0xaB")).toBe(`{"a":"${STRANGER}","b":"${STRANGER}"}`);
  expect(aboutStranger('{"a":"0xcd"}', "0xab")).toBeUndefined();
});

describe("an entry of a batch", () => {
  const list = {
    items: [
      { address: "0xA1", risk: 1 },
      { address: "0xb2", risk: 2 },
    ],
  };
  const keyed = { items: { "0xA1": { risk: 1 }, "0xb2": { risk: 2 } } };

  test("is removed, from a list and from an object", () => {
    expect(withoutEntry(list, "0xa1", ["0xb2"])).toEqual({ items: [{ address: "0xb2", risk: 2 }] });
    expect(withoutEntry(keyed, "0xa1", ["0xb2"])).toEqual({ items: { "0xb2": { risk: 2 } } });
    expect(withoutEntry(list, "0xc3", [])).toBeUndefined();
  });

  test("that names all addresses does not count", () => {
    expect(withoutEntry({ pages: [list] }, "0xa1", ["0xb2"])).toEqual({ pages: [{ items: [list.items[1]] }] });
  });

  test("gets an unreadable copy", () => {
    const twin = { address: "0xA1", risk: "unreadable" };
    expect(withTwin(list, "0xa1", ["0xb2"], "before")).toEqual({ items: [twin, ...list.items] });
    expect(withTwin(list, "0xa1", ["0xb2"], "after")).toEqual({ items: [list.items[0], twin, list.items[1]] });
    expect(withTwin(keyed, "0xa1", ["0xb2"], "after")).toEqual({
      items: { "0xA1": { risk: "unreadable" }, "0xb2": { risk: 2 } },
    });
  });
});
