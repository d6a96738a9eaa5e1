import { expect, test } from "vitest";
import { checkSession, judgeSession } from "../../../../../src/adapters/kafka/topics/session-check.ts";
import { FakeKafkaAdmin, protocolError } from "../../../../fakes/fake-kafka-admin.ts";

const MAX = "group.max.session.timeout.ms";

function clusterOf(...settings: readonly Readonly<Record<string, string>>[]): FakeKafkaAdmin {
  const cluster = new FakeKafkaAdmin();
  cluster.nodes = settings.map((_, at) => ({ nodeId: at + 1, host: "a", port: 9092 + at }));
  for (const [at, each] of settings.entries()) cluster.brokers.set(String(at + 1), each);
  return cluster;
}

test("brokers that accept the session timeout pass", async () => {
  const cluster = clusterOf({ [MAX]: "1800000" }, {});

  expect(await checkSession(cluster, 30_000)).toEqual({
    check: "session timeout",
    ok: true,
    detail: "30000 ms, which the brokers take",
    remedy: "",
  });
  expect(cluster.connections).toBe(0);
});

test("a broker that accepts only a shorter timeout is named, with both remedies", async () => {
  expect(await checkSession(clusterOf({ [MAX]: "1800000" }, { [MAX]: "20000" }), 30_000)).toEqual({
    check: "session timeout",
    ok: "warn",
    detail:
      "KAFKA_SESSION_TIMEOUT is 30000 ms, and group.max.session.timeout.ms of broker 2 is 20000: no worker can join a group there",
    remedy: "set KAFKA_SESSION_TIMEOUT to at most 20000ms, or raise group.max.session.timeout.ms on every broker",
  });
});

test.each([
  ["equal to the most", [{ broker: "1", minMs: 6_000, maxMs: 30_000 }], true],
  ["equal to the least", [{ broker: "1", minMs: 30_000, maxMs: 60_000 }], true],
  ["below the least", [{ broker: "1", minMs: 30_001, maxMs: 60_000 }], "warn"],
  ["not told of", [{ broker: "1", minMs: Number.NaN, maxMs: Number.NaN }], true],
] as const)("a session timeout that is %s", (_name, limits, ok) => {
  expect(judgeSession(limits, 30_000).ok).toBe(ok);
});

test.each([
  [
    "CLUSTER_AUTHORIZATION_FAILED",
    "this client may not read them",
    /grant this client DESCRIBE_CONFIGS on the cluster/,
  ],
  ["INVALID_REQUEST", "the broker says INVALID_REQUEST", /see the broker's log/],
])(
  "a client that a broker refuses by %s gets a note that nothing was checked, which is no failure",
  async (type, why, remedy) => {
    const cluster = clusterOf({});
    cluster.failures.set("describeConfigs 1", protocolError(type));

    expect(await checkSession(cluster, 30_000)).toEqual({
      check: "session timeout",
      ok: "warn",
      detail: `the brokers' limits are not known, so 30000 ms was not checked: ${why}`,
      remedy: expect.stringMatching(remedy),
    });
    expect(cluster.connections).toBe(0);
  },
);
