import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "vitest";
import { freePorts } from "./free-ports.ts";
import { JavaServer } from "./java-server.ts";
import { sharedBootstrap } from "./kafka-tests.ts";
import { mavenJars, NoJarsError } from "./maven-jars.ts";

/** The last version that runs on Java 17. Its licence is Apache-2.0. */
const VERSION = "2.6.13.Final";

/** Apicurio publishes its server as one archive. The jars of its parts need a build by Quarkus first. */
const dependencies = `
    <dependency>
      <groupId>io.apicurio</groupId>
      <artifactId>apicurio-registry-app</artifactId>
      <version>${VERSION}</version>
      <type>tar.gz</type>
      <classifier>all</classifier>
      <exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions>
    </dependency>
`;

function registryJars(): Promise<string> {
  return mavenJars({ name: "apicurio", version: VERSION, group: "io.apicurio", dependencies, isPacked: true });
}

export interface Registry {
  /** `http://127.0.0.1:<port>/apis`. Below it are ccompat/v7, as Confluent's interface, and registry/v2. */
  readonly url: string;
  /** The port that the server listens on. */
  readonly port: number;
  /** Registers a schema by Confluent's interface. @returns its id. */
  register(subject: string, schema: object): Promise<number>;
  close(): Promise<void>;
}

/** Starts a separate real schema registry in memory. @throws {NoJarsError} */
export async function startRegistry(): Promise<Registry> {
  const jars = await registryJars();
  const [port = 0] = await freePorts(1);
  const folder = await mkdtemp(path.join(tmpdir(), "weir-registry-"));
  const settings = [`-Dquarkus.http.port=${port}`, "-Dquarkus.http.host=127.0.0.1"];
  const command = ["-XX:TieredStopAtLevel=1", ...settings, "io.quarkus.runner.GeneratedMain"];
  const server = new JavaServer({ name: "Apicurio", jars, command, ready: "Listening on", folder });
  const close = async () => {
    await server.kill();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await server.start();
  } catch (thrown) {
    await close();
    throw thrown;
  }
  const url = `http://127.0.0.1:${port}/apis`;
  return { url, port, close, register: (subject, schema) => register(`${url}/ccompat/v7`, subject, schema) };
}

async function register(url: string, subject: string, schema: object): Promise<number> {
  const answer = await fetch(`${url}/subjects/${encodeURIComponent(subject)}/versions`, {
    method: "POST",
    headers: { "content-type": "application/vnd.schemaregistry.v1+json" },
    body: JSON.stringify(schema),
  });
  const { id } = (await answer.json()) as { readonly id?: number };
  if (id === undefined) throw new Error(`the registry answers ${answer.status} to a schema`);
  return id;
}

/** Whether the registry can be had. A pipeline that cannot have it fails rather than tests less. */
const hasRegistry = await registryJars().then(
  () => true,
  (thrown: unknown) => {
    if (!(thrown instanceof NoJarsError) || process.env["CI"] === "true") throw thrown;
    return false;
  },
);

/** A test with a schema registry and the shared broker. Without either it is skipped. */
export const registryTest = test.skipIf(sharedBootstrap.length === 0 || !hasRegistry);
