import { expect, test } from "vitest";
import { type Doubt, UnauthorizedCause } from "../../../../../src/worker/batching/failures/unauthorized-cause.ts";

interface Member {
  doubt?: Doubt;
}

function setup() {
  const gate = { keys: 0, keyGoodAt: Number.NEGATIVE_INFINITY };
  return { gate, refused: new UnauthorizedCause(gate) };
}

const times = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

test("a request is refused for itself at its second refusal, if a request that left after the first was answered", () => {
  const { gate, refused } = setup();
  const members: Member[] = [{}, {}];
  gate.keyGoodAt = 99;
  expect(refused.judge(members, 100)).toBe("doubtful");
  gate.keyGoodAt = 100;
  expect(refused.judge(members, 200)).toBe("doubtful");
  gate.keyGoodAt = 201;

  expect(refused.judge(members, 300)).toBe("own");
});

test("from then on each entry of the request is refused for itself, in any batch", () => {
  const { gate, refused } = setup();
  const first: Member = {};
  const second: Member = {};
  const other: Member = {};
  refused.judge([first, second], 100);
  gate.keyGoodAt = 150;
  refused.judge([first, second], 200);

  expect(refused.judge([other, second], 300)).toBe("own");
  expect(refused.judge([first], 300)).toBe("own");
});

test("a new key has to be proved good again", () => {
  const { gate, refused } = setup();
  const members: Member[] = [{}];
  refused.judge(members, 100);
  gate.keyGoodAt = 150;
  refused.judge(members, 200);
  gate.keys = 1;
  gate.keyGoodAt = 250;

  expect(refused.judge(members, 300)).toBe("doubtful");
  gate.keyGoodAt = 350;
  expect(refused.judge(members, 400)).toBe("own");
});

test("without any answer a request is divided at the eighth, sixteenth and thirty-second refusal, for each key", () => {
  const { gate, refused } = setup();
  const member: Member = {};
  const other: Member = {};
  const divided = (count: number) =>
    times(count).filter(() => refused.judge([member, other], 100) === "divided").length;
  const judged = times(40).map(() => refused.judge([member], 100));

  expect(times(40).filter((i) => judged[i - 1] === "divided")).toEqual([8, 16, 32]);
  expect(judged).not.toContain("own");
  gate.keys = 1;
  expect(divided(7)).toBe(0);
  expect(divided(1)).toBe(1);
});
