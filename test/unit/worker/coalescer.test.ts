import { expect, test } from "vitest";
import type { Lane } from "../../../src/events/lane.ts";
import { Coalescer } from "../../../src/worker/coalescer.ts";
import { joinTurn, type Turn } from "../../../src/worker/pace/turn.ts";

/** Asks that end when the test says so. */
function asking() {
  const coalescer = new Coalescer<string>(joinTurn);
  const answers: PromiseWithResolvers<string>[] = [];
  const turns: Turn[] = [];
  const ask = (key = "a", lane: Lane = "backfill", tenant = "x") =>
    coalescer.ask(key, { lane, tenant }, (turn) => {
      turns.push(turn);
      const answer = Promise.withResolvers<string>();
      answers.push(answer);
      return answer.promise;
    });
  return { ask, answers, turns };
}

test("the same question at once is asked once, and everyone has its answer", async () => {
  const { ask, answers } = asking();

  const asked = [ask(), ask(), ask()];
  answers[0]?.resolve("yes");

  expect(await Promise.all(asked)).toEqual(["yes", "yes", "yes"]);
  expect(answers).toHaveLength(1);
});

test("another question at once is another one", async () => {
  const { ask, answers } = asking();

  const asked = [ask("a"), ask("b")];
  answers[1]?.resolve("b's");
  answers[0]?.resolve("a's");

  expect(await Promise.all(asked)).toEqual(["a's", "b's"]);
});

test("a question that was answered is asked anew", async () => {
  const { ask, answers } = asking();
  const first = ask();
  answers[0]?.resolve("first");
  await first;

  const second = ask();
  answers[1]?.resolve("second");

  expect(await second).toBe("second");
});

test("a failure is everyone's, and is not remembered", async () => {
  const { ask, answers } = asking();
  const error = new Error("stop");
  const asked = [ask(), ask()];
  answers[0]?.reject(error);
  for (const each of asked) await expect(each).rejects.toBe(error);

  const again = ask();
  answers[1]?.resolve("yes");

  expect(await again).toBe("yes");
});

test("whoever asks the same joins the turn of the first", async () => {
  const { ask, answers, turns } = asking();

  const asked = [ask("a"), ask("a", "realtime", "y"), ask("a", "backfill", "z")];
  answers[0]?.resolve("yes");
  await Promise.all(asked);

  expect(turns).toEqual([{ lane: "realtime", tenants: ["x", "y", "z"] }]);
});
