import { afterAll, beforeAll, inject, test } from "vitest";

/** The result of the global set-up, once for the run. */
export interface ProvidedKafka {
  /** Addresses of the shared broker; empty when there is none. */
  readonly bootstrap: readonly string[];
  /** Whether tests can start separate brokers, with `startKafka`. */
  readonly ownClusters: boolean;
}

declare module "vitest" {
  interface ProvidedContext {
    readonly kafka: ProvidedKafka;
  }
}

const kafka = inject("kafka");

/** The shared broker. A test uses its own topics and groups. */
export const sharedBootstrap = kafka.bootstrap;

/** A test on the shared broker. Without a broker it is skipped, with reason and remedy at the end of the run. */
export const brokerTest = test.skipIf(kafka.bootstrap.length === 0);

/**
 * A test that starts separate brokers. Without Kafka's jars it is skipped, with reason and remedy at the end of the
 * run.
 */
export const clusterTest = test.skipIf(!kafka.ownClusters);

/**
 * Brokers that the cluster tests of one file share. They lose replicas, and tests of other files would wait for those.
 */
export function ownBrokers<C extends { readonly close: () => Promise<void> }>(start: () => Promise<C>): () => C {
  let cluster: C | undefined;
  beforeAll(async () => {
    if (kafka.ownClusters) cluster = await start();
  }, 240_000);
  afterAll(() => cluster?.close());
  return () => {
    if (cluster === undefined) throw new Error("these brokers are for cluster tests");
    return cluster;
  };
}
