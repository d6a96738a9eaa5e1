import { inject, test } from "vitest";

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

/** For set-up that several tests share. */
export const startsOwnBrokers = kafka.ownClusters;

/** A test that starts brokers of its own. Counted as skipped likewise where Kafka's jars cannot be had. */
export const clusterTest = test.skipIf(!startsOwnBrokers);
