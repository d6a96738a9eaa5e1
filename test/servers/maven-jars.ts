import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { javaRemedy, whyNoJava, whyNoMaven } from "./java-tools.ts";

const execute = promisify(execFile);

/** A server that Maven can download completely. */
export interface Product {
  /** The usual name of the product, e.g. "Kafka". */
  readonly name: string;
  readonly version: string;
  /** The group id of the artifacts that a repository must have. */
  readonly group: string;
  /** The content of `<dependencies>` in the pom. */
  readonly dependencies: string;
  /** Whether the dependency is an archive with all jars, which is unpacked. */
  readonly isPacked?: boolean;
}

/** Jars that are not available. The message has the remedy. */
export class NoJarsError extends Error {
  readonly reason: string;
  readonly remedy: string;

  constructor(product: string, reason: string, remedy: string, options?: ErrorOptions) {
    super(`no ${product} from jars: ${reason}. To help: ${remedy}`, options);
    this.name = "NoJarsError";
    this.reason = reason;
    this.remedy = remedy;
  }
}

/**
 * The folder of a product's jars with all dependencies. Maven downloads them the first time (10 to 60 s, 46 to 142 MB),
 * and they are kept in the user's cache.
 *
 * They are downloaded into a temporary folder that is renamed when it is complete. So neither a kill nor a second
 * process leaves a partial cache. Of two processes at once, the second finds the name taken and uses the existing
 * folder.
 *
 * @throws {NoJarsError}
 */
export async function mavenJars(product: Product): Promise<string> {
  const cache = cacheFolder();
  const jars = path.join(cache, `${product.name.toLowerCase()}-${product.version}`);
  const noJava = await whyNoJava();
  if (noJava !== undefined) throw new NoJarsError(product.name, noJava, javaRemedy);
  if (existsSync(jars)) return jars;
  const noMaven = await whyNoMaven();
  if (noMaven !== undefined) throw new NoJarsError(product.name, noMaven, javaRemedy);

  await mkdir(cache, { recursive: true });
  const work = await mkdtemp(path.join(cache, "fetching-"));
  try {
    await fetch(product, work);
    await rename(path.join(work, "jars"), jars).catch((taken: unknown) => {
      if (!existsSync(jars)) throw taken;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return jars;
}

function cacheFolder(): string {
  const base = process.env["XDG_CACHE_HOME"];
  return path.join(base === undefined || base === "" ? path.join(homedir(), ".cache") : base, "weir");
}

async function fetch(product: Product, work: string): Promise<void> {
  await writeFile(path.join(work, "pom.xml"), pom(product));
  const goal = product.isPacked === true ? "unpack-dependencies" : "copy-dependencies";
  const plugin = `org.apache.maven.plugins:maven-dependency-plugin:3.8.1:${goal}`;
  const args = ["-B", "-q", "-Dstyle.color=never", plugin, "-DincludeScope=runtime", "-DoutputDirectory=jars"];
  try {
    await execute("mvn", args, { cwd: work, timeout: 240_000, maxBuffer: 1 << 24 });
  } catch (thrown) {
    const { stdout = "", stderr = "" } = thrown as { stdout?: string; stderr?: string };
    throw new NoJarsError(
      product.name,
      `Maven could not fetch ${product.name} ${product.version} (${firstError(stdout + stderr)})`,
      `let Maven reach a repository that has ${product.group} (its settings.xml names mirrors and proxies), then try again`,
      { cause: thrown },
    );
  }
}

function pom({ name, dependencies }: Product): string {
  return `<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>weir.test</groupId>
  <artifactId>${name.toLowerCase()}-jars</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <dependencies>${dependencies}</dependencies>
</project>
`;
}

/** Maven prints its error first, and then long advice on further output. */
function firstError(output: string): string {
  return /\[ERROR\] (.*)/.exec(output)?.[1] ?? "it did not finish";
}
