import { expect } from "vitest";
import { startKafka } from "../servers/kafka-cluster.ts";
import { clusterTest } from "../servers/kafka-tests.ts";

clusterTest.for([
  ["storage that cannot be formatted", { "num.io.threads": "none" }, /could not be formatted:[\s\S]*num\.io\.threads/],
  [
    "a broker that does not come up",
    { "authorizer.class.name": "no.such.Class" },
    /not start \(1\):[\s\S]*no\.such\.Class/,
  ],
] as const)("%s says why", async ([, properties, message]) => {
  await expect(startKafka({ brokers: 1, properties })).rejects.toThrow(message);
});
