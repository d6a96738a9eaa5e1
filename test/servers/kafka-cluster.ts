import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Certificates, makeCertificates } from "./certificates.ts";
import { freePorts } from "./free-ports.ts";
import { type KafkaVersion, kafkaJars, kafkaVersions } from "./kafka-jars.ts";
import { KafkaNode } from "./kafka-node.ts";
import {
  type Listener,
  listeners,
  type NodeLayout,
  type Security,
  serverProperties,
  type User,
} from "./kafka-properties.ts";

export interface KafkaOptions {
  /** 3: a partition has three replicas by default, and two of them must store a record (acks=all). */
  readonly brokers: 1 | 3;
  readonly version?: KafkaVersion;
  /** Listeners with SASL, TLS and client certificates beside the plain one. */
  readonly security?: boolean;
  /** The advertised port of a broker's listener, e.g. the port of a proxy. `brokerIndex` counts from 0. */
  readonly advertise?: (brokerIndex: number, realPort: number, listener: Listener) => number | Promise<number>;
  /** Lines of `server.properties` that override those of the tests. */
  readonly properties?: Readonly<Record<string, string>>;
}

export interface KafkaCluster {
  readonly version: KafkaVersion;
  /** One `host:port` a broker, in plain text, as advertised. */
  readonly bootstrap: readonly string[];
  /** The id of a broker is its index plus 1. */
  readonly nodes: readonly KafkaNode[];
  /** Kills every node and removes the data. */
  close(): Promise<void>;
}

export interface SecureKafkaCluster extends KafkaCluster {
  /** The addresses of any listener, one `host:port` a broker. */
  bootstrapOf(listener: Listener): readonly string[];
  readonly user: User;
  readonly certificates: Certificates;
}

/**
 * Starts a separate real Kafka in KRaft mode on free loopback ports, and resolves when it is ready.
 *
 * @throws {NoJarsError} where there is no Java, or Kafka cannot be downloaded
 */
export function startKafka(options: KafkaOptions & { readonly security: true }): Promise<SecureKafkaCluster>;
export function startKafka(options: KafkaOptions): Promise<KafkaCluster>;
export async function startKafka(options: KafkaOptions): Promise<SecureKafkaCluster | KafkaCluster> {
  const version = options.version ?? kafkaVersions[0];
  const jars = await kafkaJars(version);
  const folder = await mkdtemp(path.join(tmpdir(), "weir-kafka-"));
  const nodes: KafkaNode[] = [];
  const close = async () => {
    await Promise.all(nodes.map((node) => node.kill()));
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const security = options.security === true ? await makeSecurity(folder) : undefined;
    const layouts = await layOut(folder, options);
    for (const layout of layouts) {
      const properties = `${layout.dataFolder}.properties`;
      await writeFile(properties, serverProperties(layout, layouts, security, options.properties ?? {}));
      if (security !== undefined) await writeStores(layout.dataFolder, security.certificates);
      nodes.push(new KafkaNode({ jars, properties, clusterFolder: folder }));
    }
    const clusterId = randomBytes(16).toString("base64url");
    const scram = security === undefined ? [] : scramOf(security.user);
    await Promise.all(nodes.map((node) => node.format(clusterId, scram)));
    await Promise.all(nodes.map((node) => node.start()));
    const bootstrapOf = (listener: Listener) => layouts.map((layout) => addressOf(layout, listener));
    const cluster = { version, bootstrap: bootstrapOf("PLAIN"), nodes, close };
    return security === undefined ? cluster : { ...cluster, ...security, bootstrapOf };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

async function layOut(folder: string, options: KafkaOptions): Promise<readonly NodeLayout[]> {
  const open = options.security === true ? listeners : (["PLAIN"] as const);
  const each = open.length + 2;
  const ports = await freePorts(options.brokers * each);
  return Promise.all(
    Array.from({ length: options.brokers }, async (_, index) => {
      const [controller = 0, internal = 0, ...rest] = ports.slice(index * each, (index + 1) * each);
      const clients = open.map((listener, i) => [listener, rest[i] ?? 0] as const);
      const advertised = await Promise.all(
        clients.map(async ([name, port]) => [name, (await options.advertise?.(index, port, name)) ?? port] as const),
      );
      return {
        id: index + 1,
        dataFolder: path.join(folder, `node-${index + 1}`),
        ports: { controller, internal, clients: Object.fromEntries(clients) },
        advertised: Object.fromEntries(advertised),
      };
    }),
  );
}

function addressOf({ advertised }: NodeLayout, listener: Listener): string {
  return `127.0.0.1:${advertised[listener]}`;
}

async function makeSecurity(folder: string): Promise<Security> {
  return {
    user: { username: "weir", password: randomBytes(12).toString("hex") },
    certificates: await makeCertificates(folder),
  };
}

async function writeStores(dataFolder: string, { ca, broker }: Certificates): Promise<void> {
  await writeFile(`${dataFolder}.keystore.pem`, broker.key + broker.cert);
  await writeFile(`${dataFolder}.truststore.pem`, ca);
}

function scramOf({ username, password }: User): readonly string[] {
  return ["SCRAM-SHA-256", "SCRAM-SHA-512"].map((name) => `${name}=[name=${username},password=${password}]`);
}
