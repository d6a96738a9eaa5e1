import { writeFile } from "node:fs/promises";
import type { TestProject } from "vitest/node";
import { toError } from "../../src/kernel/errors.ts";
import { kafkaJars, kafkaVersions } from "./kafka-jars.ts";
import { findKafka, type KafkaProvider } from "./kafka-provider.ts";
import type { ProvidedKafka } from "./kafka-tests.ts";

/**
 * Starts one broker for the whole run. It names the broker in the file of WEIR_KAFKA_REPORT, for the closing lines of
 * `npm test`.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const provider = await findKafka(process.env);
  const whyNoClusters = await missingJars();
  const provided: ProvidedKafka = {
    bootstrap: provider.kind === "none" ? [] : provider.bootstrap,
    ownClusters: whyNoClusters === undefined,
  };
  project.provide("kafka", provided);
  const lines = closingLines(provider, whyNoClusters);
  process.stdout.write(lines);
  const report = process.env["WEIR_KAFKA_REPORT"];
  if (report !== undefined) await writeFile(report, lines);
  return async () => {
    if (provider.kind !== "none") await provider.close();
  };
}

/** Clusters, secured brokers and brokers that are killed need the jars, whatever the shared broker is. */
async function missingJars(): Promise<string | undefined> {
  try {
    await kafkaJars(kafkaVersions[0]);
    return undefined;
  } catch (thrown) {
    return toError(thrown).message;
  }
}

function closingLines(provider: KafkaProvider, whyNoClusters: string | undefined): string {
  if (provider.kind === "none")
    return `Kafka: none, its tests are skipped: ${provider.reason}. To help: ${provider.remedy}\n`;
  const skipped = whyNoClusters === undefined ? "" : `Kafka: tests of several brokers are skipped: ${whyNoClusters}\n`;
  return `Kafka: ${provider.label}\n${skipped}`;
}
