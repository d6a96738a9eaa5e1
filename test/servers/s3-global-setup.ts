import { writeFile } from "node:fs/promises";
import type { TestProject } from "vitest/node";
import { toError } from "../../src/kernel/errors.ts";
import { s3Jars } from "./s3-jars.ts";
import { findS3, type S3Provider } from "./s3-provider.ts";
import type { ProvidedS3 } from "./s3-tests.ts";

/**
 * Starts one S3 server for the whole run. It names the server in the file of WEIR_S3_REPORT, for the closing lines of
 * `npm test`.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const provider = await findS3(process.env);
  const whyNoServers = await missingJars();
  const provided: ProvidedS3 = {
    shared: provider.kind === "none" ? undefined : provider.access,
    ownServers: whyNoServers === undefined,
  };
  project.provide("s3", provided);
  const lines = closingLines(provider, whyNoServers);
  process.stdout.write(lines);
  const report = process.env["WEIR_S3_REPORT"];
  if (report !== undefined) await writeFile(report, lines);
  return async () => {
    if (provider.kind !== "none") await provider.close();
  };
}

/** Servers that are killed need the jars, whatever the shared server is. */
async function missingJars(): Promise<string | undefined> {
  try {
    await s3Jars();
    return undefined;
  } catch (thrown) {
    return toError(thrown).message;
  }
}

function closingLines(provider: S3Provider, whyNoServers: string | undefined): string {
  if (provider.kind === "none")
    return `S3: none, its tests are skipped: ${provider.reason}. To help: ${provider.remedy}\n`;
  const skipped = whyNoServers === undefined ? "" : `S3: tests that kill a server are skipped: ${whyNoServers}\n`;
  return `S3: ${provider.label}\n${skipped}`;
}
