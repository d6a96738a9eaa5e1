import { randomUUID } from "node:crypto";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { NoJarsError } from "./maven-jars.ts";
import { S3PROXY_VERSION } from "./s3-jars.ts";
import { type S3Access, startS3 } from "./s3-server.ts";

/** The source of a run's S3. Tests may share the server; each uses its own prefix. */
export type S3Provider =
  | {
      readonly kind: "environment" | "s3proxy";
      readonly label: string;
      readonly access: S3Access;
      close(): Promise<void>;
    }
  | { readonly kind: "none"; readonly reason: string; readonly remedy: string };

type Started = Exclude<S3Provider, { readonly kind: "none" }>;
type Env = Readonly<Record<string, string | undefined>>;

/** The ways to get a server on this machine. */
export interface S3Sources {
  fromEnvironment(endpoint: string, env: Env): Promise<Started>;
  /** @throws {NoJarsError} */
  startFromJars(): Promise<Started>;
}

/**
 * An S3 server for this run: the one in S3_ENDPOINT, with AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, else s3proxy
 * from its jars, else none.
 *
 * @throws where there is none and CI is set: a failed pipeline is better than one that silently tests less
 */
export async function findS3(env: Env, sources: S3Sources = machine): Promise<S3Provider> {
  const endpoint = env["S3_ENDPOINT"];
  if (endpoint !== undefined && endpoint !== "") return sources.fromEnvironment(endpoint, env);
  try {
    return await sources.startFromJars();
  } catch (thrown) {
    if (!(thrown instanceof NoJarsError)) throw thrown;
    const { reason } = thrown;
    const remedy = `${thrown.remedy}; or set S3_ENDPOINT, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY`;
    if (env["CI"] === "true") throw new Error(`no S3 for the tests: ${reason}. To help: ${remedy}`);
    return { kind: "none", reason, remedy };
  }
}

const machine: S3Sources = {
  async fromEnvironment(endpoint, env) {
    const { AWS_ACCESS_KEY_ID: accessKeyId = "", AWS_SECRET_ACCESS_KEY: secretAccessKey = "" } = env;
    if (accessKeyId === "" || secretAccessKey === "")
      throw new Error("S3_ENDPOINT is set for the tests, and needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
    const region = env["S3_REGION"] || env["AWS_REGION"] || "us-east-1";
    const given = env["S3_BUCKET"] || undefined;
    const bucket = given ?? `weir-test-${randomUUID()}`;
    const access = { endpoint, region, bucket, credentials: { accessKeyId, secretAccessKey } };
    if (given === undefined) {
      const client = new S3Client({ endpoint, region, credentials: access.credentials, forcePathStyle: true });
      await client.send(new CreateBucketCommand({ Bucket: bucket }));
      client.destroy();
    }
    return { kind: "environment", label: "environment (S3_ENDPOINT)", access, close: async () => undefined };
  },

  async startFromJars() {
    const { endpoint, region, bucket, credentials, close } = await startS3();
    const access = { endpoint, region, bucket, credentials };
    return { kind: "s3proxy", label: `s3proxy ${S3PROXY_VERSION}`, access, close };
  },
};
