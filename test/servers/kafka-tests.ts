import { afterAll, beforeAll, inject, test } from "vitest";

/** What the global set-up found out, once for the run. */
export interface ProvidedKafka {
  /** Addresses of the broker that all tests share; empty when there is none. */
  readonly bootstrap: readonly string[];
  /** Whether tests can start brokers of their own, with `startKafka`. */
  readonly ownClusters: boolean;
}

declare module "vitest" {
  interface ProvidedContext {
    readonly kafka: ProvidedKafka;
  }
}

const kafka = inject("kafka");

/** The broker that all tests share: take topics and groups of your own. */
export const sharedBootstrap = kafka.bootstrap;

/** A test on the shared broker. Counted as skipped, with reason and remedy at the end of the run, where there is none. */
export const brokerTest = test.skipIf(kafka.bootstrap.length === 0);

/** A test that starts brokers of its own. Counted as skipped likewise where Kafka's jars cannot be had. */
export const clusterTest = test.skipIf(!kafka.ownClusters);

/** Brokers that the cluster tests of one file share: they lose replicas, and others' tests would wait for those. */
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
