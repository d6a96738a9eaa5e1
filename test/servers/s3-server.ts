import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { freePorts } from "./free-ports.ts";
import { JavaServer } from "./java-server.ts";
import { s3Jars } from "./s3-jars.ts";

/** The settings of a client of an S3 server. */
export interface S3Access {
  /** `http://127.0.0.1:<port>`, as advertised. Paths, not host names, select the bucket. */
  readonly endpoint: string;
  readonly region: string;
  /** The bucket exists. */
  readonly bucket: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

/** The settings as variables of Weir. */
export function s3Env({ bucket, endpoint, region, credentials }: S3Access) {
  return {
    S3_BUCKET: bucket,
    S3_ENDPOINT: endpoint,
    S3_REGION: region,
    S3_FORCE_PATH_STYLE: "true",
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  };
}

export interface S3Server extends S3Access {
  /** The folder with the bucket's objects as files, named by their keys. */
  readonly bucketFolder: string;
  /** Ends the server like a power cut. */
  kill(): Promise<void>;
  /** Starts the server again, with the same objects, on the same port. */
  start(): Promise<void>;
  /** Kills the server and removes the objects. */
  close(): Promise<void>;
}

export interface S3Options {
  /** The advertised port, e.g. the port of a proxy. */
  readonly advertise?: (realPort: number) => number | Promise<number>;
}

/** Without a configuration logback writes 30 lines a request. */
const LOGBACK = `<configuration>
  <appender name="console" class="ch.qos.logback.core.ConsoleAppender">
    <encoder><pattern>%d %level %logger{0} %msg%n</pattern></encoder>
  </appender>
  <root level="INFO"><appender-ref ref="console"/></root>
</configuration>
`;

const REGION = "us-east-1";
const BUCKET = "weir-test";

/**
 * Starts a separate real S3 server, s3proxy over a folder, on a free loopback port, and resolves when it is ready.
 *
 * @throws {NoJarsError} where there is no Java, or s3proxy cannot be downloaded
 */
export async function startS3(options: S3Options = {}): Promise<S3Server> {
  const jars = await s3Jars();
  const [port = 0] = await freePorts(1);
  const advertised = (await options.advertise?.(port)) ?? port;
  const credentials = {
    accessKeyId: `WEIR${randomBytes(8).toString("hex").toUpperCase()}`,
    secretAccessKey: randomBytes(20).toString("hex"),
  };
  const folder = await mkdtemp(path.join(tmpdir(), "weir-s3-"));
  const data = path.join(folder, "data");
  const files = { properties: path.join(folder, "s3proxy.conf"), logback: path.join(folder, "logback.xml") };
  const bucketFolder = path.join(data, BUCKET);
  // Each folder below the data is a bucket.
  await mkdir(bucketFolder, { recursive: true });
  await writeFile(files.logback, LOGBACK);
  await writeFile(files.properties, propertiesOf({ port, data, ...credentials }));
  const server = new JavaServer({
    name: "s3proxy",
    jars,
    command: [
      `-Dlogback.configurationFile=${files.logback}`,
      "org.gaul.s3proxy.Main",
      "--properties",
      files.properties,
    ],
    ready: "INFO Server Started",
    folder,
  });
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
  return {
    endpoint: `http://127.0.0.1:${advertised}`,
    region: REGION,
    bucket: BUCKET,
    credentials,
    bucketFolder,
    kill: () => server.kill(),
    start: () => server.start(),
    close,
  };
}

function propertiesOf(server: {
  readonly port: number;
  readonly data: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}): string {
  const properties = {
    "s3proxy.endpoint": `http://127.0.0.1:${server.port}`,
    "s3proxy.authorization": "aws-v2-or-v4",
    "s3proxy.identity": server.accessKeyId,
    "s3proxy.credential": server.secretAccessKey,
    "jclouds.provider": "filesystem-nio2",
    "jclouds.filesystem.basedir": server.data,
  };
  return Object.entries(properties)
    .map(([name, value]) => `${name}=${value}\n`)
    .join("");
}
