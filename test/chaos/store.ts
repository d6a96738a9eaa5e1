import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { type FaultProxy, startProxy } from "../servers/fault-proxy.ts";
import { type S3Server, s3Env, startS3 } from "../servers/s3-server.ts";
import type { Env } from "../support/weir.ts";

/** A real S3 server behind a proxy, and the settings of a worker that archives there. */
export interface ChaosStore {
  readonly proxy: FaultProxy;
  readonly env: Env;
  /** The whole content: unpacked lines as text, by the files of the objects. */
  contents(): Promise<ReadonlyMap<string, string>>;
  close(): Promise<void>;
}

const main = path.resolve(import.meta.dirname, "../../src/cli/main.ts");
const AUDIT_MS = 300_000;

export async function startStore(): Promise<ChaosStore> {
  const proxies: FaultProxy[] = [];
  const advertise = async (port: number) => {
    const proxy = await startProxy({ target: { host: "127.0.0.1", port } });
    proxies.push(proxy);
    return proxy.port;
  };
  const server: S3Server = await startS3({ advertise });
  const [proxy] = proxies;
  if (proxy === undefined) throw new Error("the server advertised no port");
  const env = s3Env(server);
  const contents = async () => {
    const found = await readdir(server.bucketFolder, { recursive: true, withFileTypes: true });
    const files = found.filter((each) => each.isFile()).map((each) => path.join(each.parentPath, each.name));
    const texts = files.map(async (file) => {
      const bytes = await readFile(file);
      return [file, (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString()] as const;
    });
    return new Map(await Promise.all(texts));
  };
  const close = async () => {
    await server.close();
    await proxy.close();
  };
  return { proxy, env, contents, close };
}

/** The findings of `weir audit`, a line each. */
export async function auditFindings(env: Env): Promise<readonly string[]> {
  const options = { env: { PATH: process.env["PATH"], HOME: process.env["HOME"], ...env }, timeout: AUDIT_MS };
  const ended = await promisify(execFile)(process.execPath, [main, "audit"], options).then(
    () => undefined,
    (thrown: { readonly stdout?: string; readonly stderr?: string; readonly message: string }) => thrown,
  );
  if (ended === undefined) return [];
  const said = `${ended.stdout ?? ""}${ended.stderr ?? ""}`.trim();
  return (said === "" ? ended.message : said).split("\n").map((line) => `weir audit: ${line}`);
}
