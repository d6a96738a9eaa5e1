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
  test("is taken away, made null and given another type, at any depth", () => {
    expect(without(body, "flags.a")).toEqual({ ...body, flags: { b: "x" } });
    expect(nulled(body, "score")).toEqual({ ...body, score: null });
    expect(retyped(body, "flags.a")).toEqual({ ...body, flags: { a: "no", b: "x" } });
    expect(retyped(body, "list.0.c")).toEqual({ ...body, list: [{ c: [] }] });
    expect(retyped(body, "flags")).toEqual({ ...body, flags: "unreadable" });
    expect(body).toEqual({ score: 4, flags: { a: true, b: "x" }, list: [{ c: null }] });
  });

  test("that is not there gives nothing to try", () => {
    expect(without(body, "flags.c")).toBeUndefined();
    expect(nulled(body, "score.x")).toBeUndefined();
    expect(retyped(null, "score")).toBeUndefined();
  });

  test("of every kind gets another type", () => {
    expect(allRetyped(body)).toEqual({ score: "unreadable", flags: { a: "no", b: 7 }, list: [{ c: [] }] });
  });
});

test("a stranger takes the place of an address, however it is written", () => {
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

  test("is taken away, of a list and of an object", () => {
    expect(withoutEntry(list, "0xa1", ["0xb2"])).toEqual({ items: [{ address: "0xb2", risk: 2 }] });
    expect(withoutEntry(keyed, "0xa1", ["0xb2"])).toEqual({ items: { "0xb2": { risk: 2 } } });
    expect(withoutEntry(list, "0xc3", [])).toBeUndefined();
  });

  test("that names all of them is not one", () => {
    expect(withoutEntry({ pages: [list] }, "0xa1", ["0xb2"])).toEqual({ pages: [{ items: [list.items[1]] }] });
  });

  test("gets an unreadable twin", () => {
    const twin = { address: "0xA1", risk: "unreadable" };
    expect(withTwin(list, "0xa1", ["0xb2"], "before")).toEqual({ items: [twin, ...list.items] });
    expect(withTwin(list, "0xa1", ["0xb2"], "after")).toEqual({ items: [list.items[0], twin, list.items[1]] });
    expect(withTwin(keyed, "0xa1", ["0xb2"], "after")).toEqual({
      items: { "0xA1": { risk: "unreadable" }, "0xb2": { risk: 2 } },
    });
  });
});
