import { describe, expect, test } from "vitest";
import { EnqueueWindow, NOTHING } from "../../../../src/cli/enqueue/enqueue-window.ts";
import { settled } from "../../../fakes/virtual-clock.ts";

const line = Buffer.from("{}");

/** A window that is full with the lines from 1 on. */
function full() {
  const window = new EnqueueWindow(NOTHING);
  let lines = 0;
  while (window.room() === undefined) window.begin(++lines, line);
  return { window, lines };
}

describe("room", () => {
  test("is undefined while there is some, since a file has millions of lines", () => {
    const { window, lines } = full();
    expect(lines).toBe(5_000);
    window.end(1);
    expect(window.room()).toBeUndefined();
  });

  test("is awaited until a line is durable", async () => {
    const { window } = full();
    let isThere = false;
    const waiting = window.room()?.then(() => {
      isThere = true;
    });
    await settled();
    expect(isThere).toBe(false);
    window.end(2_500);
    await waiting;
    expect([isThere, window.room(), window.done.lines]).toEqual([true, undefined, 0]);
  });

  test("is 16 MiB, for any lines", () => {
    const window = new EnqueueWindow(NOTHING);
    window.begin(1, Buffer.alloc(16 * 1024 * 1024 - 1));
    expect(window.room()).toBeUndefined();
    window.begin(2, Buffer.alloc(1));
    expect(window.room()).toBeInstanceOf(Promise);
  });
});

describe("a failure", () => {
  const failure = new Error("the brokers refused it");

  test("rejects a caller that waits for room", async () => {
    const { window } = full();
    const waiting = window.room();
    window.fail(failure);
    await expect(waiting).rejects.toBe(failure);
  });

  test("rejects later callers even when there is room, with the first reason", () => {
    const window = new EnqueueWindow(NOTHING);
    window.begin(1, line);
    window.fail(failure);
    window.fail(new Error("and another"));
    window.end(1);
    expect(() => window.room()).toThrow(failure);
  });
});
