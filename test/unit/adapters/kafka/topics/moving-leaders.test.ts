import { expect, test } from "vitest";
import { askLeaders } from "../../../../../src/adapters/kafka/topics/moving-leaders.ts";
import { FakeClock } from "../../../../fakes/fake-clock.ts";
import { protocolError } from "../../../../fakes/fake-kafka-admin.ts";

/** Connections of which each fails with the next of `failures`, and the first without one answers. */
function brokers(failures: readonly Error[]) {
  let [opened, closed] = [0, 0];
  const open = () => {
    const failure = failures[opened++];
    return {
      connect: async () => undefined,
      disconnect: async () => {
        closed++;
      },
      say: async () => {
        if (failure !== undefined) throw failure;
        return "said";
      },
    };
  };
  const clock = new FakeClock();
  const ask = () => askLeaders(open, (connected) => connected.say(), { clock });
  return { ask, clock, counts: () => ({ opened, closed }) };
}

const gone = Object.assign(new Error("broker -1 not found"), { name: "KafkaJSBrokerNotFound" });

test.each([
  protocolError("NOT_LEADER_FOR_PARTITION"),
  protocolError("LEADER_NOT_AVAILABLE"),
  Object.assign(new Error("moved"), { type: "NOT_COORDINATOR_FOR_GROUP" }),
  gone,
  new Error("tried in vain", { cause: gone }),
])("a leader that has moved is asked over a new connection, which looks for it anew: %s", async (failure) => {
  const { ask, clock, counts } = brokers([failure, failure]);

  expect(await ask()).toBe("said");
  expect(counts()).toEqual({ opened: 3, closed: 3 });
  expect(clock.slept).toEqual([1_000, 1_000]);
});

test("that ends after six tries, with what the last of them met", async () => {
  const failure = protocolError("NOT_LEADER_FOR_PARTITION");
  const { ask, counts } = brokers(Array.from({ length: 9 }, () => failure));

  await expect(ask()).rejects.toBe(failure);
  expect(counts()).toEqual({ opened: 6, closed: 6 });
});

test.each([new Error("a bug"), protocolError("TOPIC_AUTHORIZATION_FAILED")])(
  "what a fresh look does not mend is thrown at once: %s",
  async (failure) => {
    const { ask, counts } = brokers([failure]);

    await expect(ask()).rejects.toBe(failure);
    expect(counts()).toEqual({ opened: 1, closed: 1 });
  },
);
