import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { javaRemedy, whyNoJava, whyNoMaven } from "./java-tools.ts";

const execute = promisify(execFile);

/** The newest release the tests run on, and the last of the line before it. */
export const kafkaVersions = ["4.1.2", "3.9.2"] as const;
export type KafkaVersion = (typeof kafkaVersions)[number];

/** Kafka logs through slf4j and brings no binding that writes without a configuration file. */
const pom = (version: KafkaVersion) => `<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>weir.test</groupId>
  <artifactId>kafka-jars</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <dependencies>
    <dependency>
      <groupId>org.apache.kafka</groupId>
      <artifactId>kafka_2.13</artifactId>
      <version>${version}</version>
      <exclusions>
        <exclusion><groupId>org.slf4j</groupId><artifactId>slf4j-reload4j</artifactId></exclusion>
      </exclusions>
    </dependency>
    <dependency><groupId>org.slf4j</groupId><artifactId>slf4j-simple</artifactId><version>1.7.36</version></dependency>
  </dependencies>
</project>
`;

/** Jars that cannot be had; says what would help. */
export class NoKafkaJarsError extends Error {
  readonly reason: string;
  readonly remedy: string;

  constructor(reason: string, remedy: string, options?: ErrorOptions) {
    super(`no Kafka from jars: ${reason}. To help: ${remedy}`, options);
    this.name = "NoKafkaJarsError";
    this.reason = reason;
    this.remedy = remedy;
  }
}

function cacheFolder(): string {
  const base = process.env["XDG_CACHE_HOME"];
  return path.join(base === undefined || base === "" ? path.join(homedir(), ".cache") : base, "weir");
}

/**
 * The folder of jars of this Kafka, fetched by Maven the first time (10 to 25 s, 46 MB) and kept in the user's cache.
 *
 * They are fetched into a folder of their own that is renamed when it is whole, so neither a kill nor a second process
 * leaves half a cache; of two processes at once the second finds the name taken and uses what is there.
 *
 * @throws {NoKafkaJarsError}
 */
export async function kafkaJars(version: KafkaVersion): Promise<string> {
  const cache = cacheFolder();
  const jars = path.join(cache, `kafka-${version}`);
  const noJava = await whyNoJava();
  if (noJava !== undefined) throw new NoKafkaJarsError(noJava, javaRemedy);
  if (existsSync(jars)) return jars;
  const noMaven = await whyNoMaven();
  if (noMaven !== undefined) throw new NoKafkaJarsError(noMaven, javaRemedy);

  await mkdir(cache, { recursive: true });
  const work = await mkdtemp(path.join(cache, "fetching-"));
  try {
    await fetch(version, work);
    await rename(path.join(work, "jars"), jars).catch((taken: unknown) => {
      if (!existsSync(jars)) throw taken;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return jars;
}

async function fetch(version: KafkaVersion, work: string): Promise<void> {
  await writeFile(path.join(work, "pom.xml"), pom(version));
  const plugin = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies";
  const args = ["-B", "-q", "-Dstyle.color=never", plugin, "-DincludeScope=runtime", "-DoutputDirectory=jars"];
  try {
    await execute("mvn", args, { cwd: work, timeout: 240_000, maxBuffer: 1 << 24 });
  } catch (thrown) {
    const { stdout = "", stderr = "" } = thrown as { stdout?: string; stderr?: string };
    throw new NoKafkaJarsError(
      `Maven could not fetch Kafka ${version} (${firstError(stdout + stderr)})`,
      "let Maven reach a repository that has org.apache.kafka (its settings.xml names mirrors and proxies), then try again",
      { cause: thrown },
    );
  }
}

/** Maven says what went wrong first, and then at length how to ask it for more. */
function firstError(output: string): string {
  return /\[ERROR\] (.*)/.exec(output)?.[1] ?? "it did not finish";
}
