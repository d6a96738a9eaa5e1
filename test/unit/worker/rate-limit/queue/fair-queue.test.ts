import { expect, test } from "vitest";
import { FairQueue } from "../../../../../src/worker/rate-limit/queue/fair-queue.ts";

/** An item is named after its flow: `a1` comes to flow a. `also` adds an item to further flows. */
function lineOf(weights: Record<string, number> = {}, costOf = (_: string) => 1) {
  const others = new Map<string, string[]>();
  const keysOf = (item: string) => [item.replace(/\d+$/, ""), ...(others.get(item) ?? [])];
  let came = 0;
  const places = new Map<string, number>();
  const placeOf = (item: string) => places.get(item) ?? came++;
  const line = new FairQueue<string, string>((key) => weights[key] ?? 1, costOf, keysOf, placeOf);
  const also = (key: string, item: string) => {
    others.set(item, [...(others.get(item) ?? []), key]);
    line.push(item);
  };
  /** The item came back at this position. The first position is 0. */
  const back = (item: string, place: number) => {
    places.set(item, place);
    line.push(item);
  };
  return Object.assign(line, { also, back });
}

function looked(line: FairQueue<string, string>, each: (item: string) => void = () => undefined): string[] {
  const [look, seen] = [line.inOrder(), [] as string[]];
  for (let item = look.next(); item !== undefined; item = look.next()) {
    seen.push(item);
    each(item);
  }
  return seen;
}

/** Serves this many items, one at a time. */
function serve(line: FairQueue<string, string>, count: number): string[] {
  return Array.from({ length: count }, () => {
    const item = line.inOrder().next() ?? "nobody";
    line.take(item);
    return item;
  });
}

function pushed<L extends FairQueue<string, string>>(line: L, ...items: readonly string[]): L {
  for (const item of items) line.push(item);
  return line;
}

test("one flow is served in order of arrival", () => {
  const line = pushed(lineOf(), "a1", "a2", "a3");

  expect([line.size, line.first]).toEqual([3, "a1"]);
  expect(serve(line, 4)).toEqual(["a1", "a2", "a3", "nobody"]);
  expect([line.size, line.first]).toEqual([0, undefined]);
});

test("flows take turns, however many items wait in each", () => {
  const line = pushed(lineOf(), "a1", "a2", "a3", "a4", "b1", "b2", "c1");

  expect(serve(line, 7)).toEqual(["a1", "b1", "c1", "a2", "b2", "a3", "a4"]);
});

test("a flow with twice the weight is served twice as often", () => {
  const line = pushed(lineOf({ a: 2 }), "a1", "a2", "a3", "a4", "b1", "b2");

  expect(serve(line, 6)).toEqual(["a1", "b1", "a2", "a3", "b2", "a4"]);
});

test("a flow with items of twice the cost is served half as often", () => {
  const line = pushed(
    lineOf({}, (item) => (item.startsWith("a") ? 2 : 1)),
    "a1",
    "a2",
    "b1",
    "b2",
    "b3",
    "b4",
  );

  expect(serve(line, 6)).toEqual(["a1", "b1", "b2", "a2", "b3", "b4"]);
});

test("a new flow starts at the queue's current tag, and idle time earns no service", () => {
  const line = pushed(lineOf(), "a1", "a2", "a3", "a4", "a5", "b1");
  expect(serve(line, 4)).toEqual(["a1", "b1", "a2", "a3"]);

  pushed(line, "c1", "c2", "b2");

  expect(serve(line, 5)).toEqual(["c1", "b2", "a4", "c2", "a5"]);
});

test("a flow that leaves and comes back keeps its account of received service", () => {
  const line = pushed(lineOf(), "a1", "b1", "b2", "b3");
  expect(serve(line, 1)).toEqual(["a1"]);

  pushed(line, "a2");

  expect(serve(line, 4)).toEqual(["b1", "b2", "a2", "b3"]);
});

test("a flow keeps its account of received service while only one flow waits", () => {
  const line = pushed(lineOf(), "a1", "b1", "b2");
  expect(serve(line, 2)).toEqual(["a1", "b1"]);

  pushed(line, "a2");

  expect(serve(line, 2)).toEqual(["b2", "a2"]);
});

test("all flows start from zero once no item waits", () => {
  const line = pushed(lineOf(), "a1", "a2", "b1");
  serve(line, 3);

  pushed(line, "a3", "b2");

  expect(serve(line, 2)).toEqual(["a3", "b2"]);
});

test("an item of several flows is served with the first of them, which alone pays, and leaves all flows", () => {
  const line = pushed(lineOf(), "a1", "a2", "x", "x", "b1");
  line.also("a", "x");
  line.also("b", "x");

  expect([line.size, line.first]).toEqual([4, "a1"]);
  expect([...line.all()].toSorted()).toEqual(["a1", "a2", "b1", "x", "x", "x"]);
  expect(serve(line, 4)).toEqual(["a1", "x", "b1", "a2"]);
  expect([...line.keys]).toEqual([]);
});

test("the item that waits longest is found among all flows, even after it joined another one", () => {
  const line = pushed(lineOf(), "b1", "a1", "a2", "c1");
  line.also("c", "a1");

  const firsts = ["b1", "a1", "a2"].map((item) => {
    const { first } = line;
    line.remove(item);
    return first;
  });
  expect([...firsts, line.first]).toEqual(["b1", "a1", "a2", "c1"]);
});

test("an item that is removed without service costs no flow anything", () => {
  const line = pushed(lineOf(), "a1", "a2", "b1");

  line.remove("a1");
  line.remove("a1");
  line.take("a1");
  expect([line.size, line.first]).toEqual([2, "a2"]);
  expect([...line.all()]).toEqual(["a2", "b1"]);
  expect(serve(line, 2)).toEqual(["a2", "b1"]);
});

test("a skipped item keeps its position, and other items are visited meanwhile", () => {
  const line = pushed(lineOf(), "a1", "a2", "a3", "b1", "b2");

  expect(looked(line)).toEqual(["a1", "b1", "a2", "b2", "a3"]);
  looked(line, (item) => {
    if (item === "b2") line.take(item);
  });
  expect(looked(line)).toEqual(["a1", "a2", "b1", "a3"]);
});

test("of more than ten thousand idle flows the oldest is forgotten, and is served sooner for it", () => {
  const line = pushed(lineOf(), "z1", "z2", "z3");
  line.push("f1");
  expect(serve(line, 2)).toEqual(["z1", "f1"]);
  for (let i = 0; i < 10_000; i++) {
    line.push(`flow ${i} at 1`);
    line.take(`flow ${i} at 1`);
  }

  line.push("flow 9999 at 2");
  line.push("f2");

  expect(serve(line, 3)).toEqual(["f2", "z2", "flow 9999 at 2"]);
});

test("a flow that is served beyond its share, with items that join a request, is served later for it", () => {
  const line = pushed(lineOf(), "a1", "a2", "a3", "a4", "b1", "b2", "b3");
  const served: string[] = [];
  looked(line, (item) => {
    for (const each of item === "a1" ? ["a1", "a3", "a4"] : [item]) {
      line.take(each);
      served.push(each);
    }
  });

  expect(served).toEqual(["a1", "a3", "a4", "b1", "b2", "b3", "a2"]);
});

test("the first item of a flow is the one with the lowest position, whatever the order of arrival", () => {
  const line = lineOf();
  for (const item of ["a1", "b1", "a2"]) line.push(item);
  line.remove("a1");
  line.back("a3", -1);

  expect([line.firstOf("a"), line.firstOf("b"), line.firstOf("c")]).toEqual(["a3", "b1", undefined]);
});
