import { describe, expect, test } from "vitest";
import { SendingOrder } from "../../../../../src/worker/rate-limit/learner/sending-order.ts";

/** Three requests, sent at 0, 10 and 20. */
function three() {
  const order = new SendingOrder<string>();
  const flights = [{ sentAt: 0 }, { sentAt: 10 }, { sentAt: 20 }] as const;
  for (const flight of flights) order.sent(flight);
  return { order, flights };
}

describe("the outcomes of requests", () => {
  test("come in the order in which the requests were sent", () => {
    const { order, flights } = three();
    const [a, b, c] = flights;
    expect(order.answered(c, "c", 50)).toEqual([]);
    expect(order.answered(a, "a", 55)).toEqual([[a, "a"]]);
    expect(order.answered(b, "b", 60)).toEqual([
      [b, "b"],
      [c, "c"],
    ]);
  });

  test("do not wait for a lost request", () => {
    const { order, flights } = three();
    const [a, b] = flights;
    order.lost(a);
    expect(order.answered(b, "b", 60)).toEqual([[b, "b"]]);
  });

  test("wait 100 ms for a late request, which is returned when it comes", () => {
    const { order, flights } = three();
    const [a, b, c] = flights;
    expect(order.answered(b, "b", 20)).toEqual([]);
    expect(order.answered(c, "c", 101)).toEqual([
      [b, "b"],
      [c, "c"],
    ]);
    expect(order.answered(a, "a", 500)).toEqual([[a, "a"]]);
  });

  test("wait four times as long as answers take on average", () => {
    const order = new SendingOrder<string>();
    const [a, late, b, c] = [{ sentAt: 0 }, { sentAt: 1 }, { sentAt: 3_000 }, { sentAt: 3_001 }];
    for (const flight of [a, late, b, c]) order.sent(flight);
    order.answered(a, "a", 1_000);
    expect(order.answered(b, "b", 4_000)).toEqual([]);
    expect(order.answered(c, "c", 4_002)).toEqual([
      [b, "b"],
      [c, "c"],
    ]);
  });
});
