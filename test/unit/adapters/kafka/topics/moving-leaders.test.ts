import { expect, test } from "vitest";
import { askLeaders } from "../../../../../src/adapters/kafka/topics/moving-leaders.ts";
import { FakeClock } from "../../../../fakes/fake-clock.ts";
import { protocolError } from "../../../../fakes/fake-kafka-admin.ts";

/** Connections that fail with the next of `failures` each. The first connection after these answers. */
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
])("a moved leader is looked up over a new connection: %s", async (failure) => {
  const { ask, clock, counts } = brokers([failure, failure]);

  expect(await ask()).toBe("said");
  expect(counts()).toEqual({ opened: 3, closed: 3 });
  expect(clock.slept).toEqual([1_000, 1_000]);
});

test("the lookup ends after six tries, with the error of the last", async () => {
  const failure = protocolError("NOT_LEADER_FOR_PARTITION");
  const { ask, counts } = brokers(Array.from({ length: 9 }, () => failure));

  await expect(ask()).rejects.toBe(failure);
  expect(counts()).toEqual({ opened: 6, closed: 6 });
});

test.each([new Error("a bug"), protocolError("TOPIC_AUTHORIZATION_FAILED")])(
  "an error that fresh metadata cannot repair is thrown at once: %s",
  async (failure) => {
    const { ask, counts } = brokers([failure]);

    await expect(ask()).rejects.toBe(failure);
    expect(counts()).toEqual({ opened: 1, closed: 1 });
  },
);
