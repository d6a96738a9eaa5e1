import type { Certificates } from "./certificates.ts";

/** The listeners of a broker, by their names in the broker's configuration. */
export const listeners = ["PLAIN", "SASL", "SASLTLS", "TLS", "MTLS"] as const;
export type Listener = (typeof listeners)[number];

const protocols = {
  PLAIN: "PLAINTEXT",
  SASL: "SASL_PLAINTEXT",
  SASLTLS: "SASL_SSL",
  TLS: "SSL",
  MTLS: "SSL",
} as const satisfies Record<Listener, string>;

export const saslMechanisms = ["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"] as const;

/** One user of every SASL mechanism. */
export interface User {
  readonly username: string;
  readonly password: string;
}

export interface Security {
  readonly user: User;
  readonly certificates: Certificates;
}

export interface NodePorts {
  readonly controller: number;
  /** The port between brokers. It is never advertised differently, so a proxy for clients does not affect it. */
  readonly internal: number;
  readonly clients: Readonly<Partial<Record<Listener, number>>>;
}

export interface NodeLayout {
  /** From 1 on. */
  readonly id: number;
  readonly dataFolder: string;
  readonly ports: NodePorts;
  /** The advertised ports, where they differ from the listening ports. */
  readonly advertised: Readonly<Partial<Record<Listener, number>>>;
}

/** `server.properties` of one node, which is broker and controller, in the cluster of `nodes`. */
export function serverProperties(
  node: NodeLayout,
  nodes: readonly NodeLayout[],
  security: Security | undefined,
  overrides: Readonly<Record<string, string>>,
): string {
  const properties = {
    ...identity(node, nodes),
    ...replication(nodes.length),
    ...quick,
    ...(security === undefined ? {} : securityOf(node, security)),
    ...overrides,
  };
  return Object.entries(properties)
    .map(([name, value]) => `${name}=${value}\n`)
    .join("");
}

function identity(node: NodeLayout, nodes: readonly NodeLayout[]): Record<string, string> {
  const clients = Object.entries(node.ports.clients);
  const advertised = { ...node.ports.clients, ...node.advertised };
  const map = ["CONTROLLER:PLAINTEXT", "INTERNAL:PLAINTEXT", ...listeners.map((name) => `${name}:${protocols[name]}`)];
  const at = ([name, port]: readonly [string, number]) => `${name}://127.0.0.1:${port}`;
  const internal = at(["INTERNAL", node.ports.internal]);
  return {
    "process.roles": "broker,controller",
    "node.id": `${node.id}`,
    "controller.quorum.voters": nodes.map(({ id, ports }) => `${id}@127.0.0.1:${ports.controller}`).join(","),
    listeners: [...clients.map(at), internal, at(["CONTROLLER", node.ports.controller])].join(","),
    "advertised.listeners": [...Object.entries(advertised).map(at), internal].join(","),
    "controller.listener.names": "CONTROLLER",
    "inter.broker.listener.name": "INTERNAL",
    "listener.security.protocol.map": map.join(","),
    "log.dirs": node.dataFolder,
  };
}

function replication(brokers: number): Record<string, string> {
  const inSync = `${Math.min(2, brokers)}`;
  return {
    "default.replication.factor": `${brokers}`,
    "min.insync.replicas": inSync,
    "unclean.leader.election.enable": "false",
    "offsets.topic.replication.factor": `${brokers}`,
    "offsets.topic.num.partitions": `${brokers}`,
    "transaction.state.log.replication.factor": `${brokers}`,
    "transaction.state.log.min.isr": inSync,
    "transaction.state.log.num.partitions": `${brokers}`,
  };
}

/**
 * Timeouts for tests: a dead broker is noticed within 5 s (9 s by default), a dead controller within about 3 s. With
 * shorter timeouts, two remaining nodes on a busy machine take each other for dead. Partitions then have no leader for
 * half a minute.
 */
const quick = {
  "broker.session.timeout.ms": "5000",
  "broker.heartbeat.interval.ms": "500",
  "controller.quorum.fetch.timeout.ms": "2500",
  "controller.quorum.election.timeout.ms": "1000",
  "controller.quorum.election.backoff.max.ms": "400",
  "group.initial.rebalance.delay.ms": "0",
  "group.min.session.timeout.ms": "1000",
  "auto.create.topics.enable": "false",
  "num.network.threads": "2",
  "num.io.threads": "2",
  "log.cleaner.dedupe.buffer.size": "2097152",
};

function securityOf(node: NodeLayout, { user }: Security): Record<string, string> {
  const login = (module: string, options = "") =>
    `org.apache.kafka.common.security.${module} required${options};` as const;
  const jaas = {
    PLAIN: login("plain.PlainLoginModule", ` user_${user.username}="${user.password}"`),
    "SCRAM-SHA-256": login("scram.ScramLoginModule"),
    "SCRAM-SHA-512": login("scram.ScramLoginModule"),
  } as const satisfies Record<(typeof saslMechanisms)[number], string>;
  const logins = ["sasl", "sasltls"].flatMap((listener) =>
    Object.entries(jaas).map(([mechanism, config]): [string, string] => [
      `listener.name.${listener}.${mechanism.toLowerCase()}.sasl.jaas.config`,
      config,
    ]),
  );
  return {
    "sasl.enabled.mechanisms": saslMechanisms.join(","),
    ...Object.fromEntries(logins),
    "ssl.keystore.type": "PEM",
    "ssl.keystore.location": `${node.dataFolder}.keystore.pem`,
    "ssl.truststore.type": "PEM",
    "ssl.truststore.location": `${node.dataFolder}.truststore.pem`,
    "listener.name.mtls.ssl.client.auth": "required",
  };
}
