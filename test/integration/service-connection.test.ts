import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server as HttpServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { checkService } from "../../src/cli/check-service.ts";
import { DoctorEnv } from "../../src/cli/config.ts";
import { clean } from "../fakes/evidence.ts";
import { type Certificates, makeCertificates } from "../servers/certificates.ts";

let folder: string;
let certificates: Certificates;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "weir-tls-"));
  certificates = await makeCertificates(folder);
  const files = {
    "ca.pem": certificates.ca,
    "client.pem": certificates.client.cert,
    "client.key": certificates.client.key,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const file = (name: string) => path.join(folder, name);
const identity = () => ({ SERVICE_TLS_CERT_FILE: file("client.pem"), SERVICE_TLS_KEY_FILE: file("client.key") });

async function listening(server: HttpServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

/** A service behind TLS that asks for a certificate of the client where `isMutual`. @returns its port. */
function startService(isMutual: boolean): Promise<number> {
  const { ca, broker } = certificates;
  const options = { ...broker, ...(isMutual ? { ca, requestCert: true, rejectUnauthorized: true } : {}) };
  const server = createTlsServer(options, (request, response) => {
    const asked = new URL(request.url ?? "", "https://service.test").searchParams;
    const data = {
      target_address: clean.target,
      token_address: {},
      target_address_input: asked.get("address") ?? "",
      user_address_input: asked.get("user_address") ?? "",
      token_address_input: "",
    };
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ code: "0", status: "ok", data }));
  });
  return listening(server as unknown as HttpServer);
}

/** A proxy that opens tunnels to `port` of this machine for clients with its password. @returns its port. */
async function startProxy(port: number, seen: string[]): Promise<number> {
  const proxy = createServer((_request, response) => response.writeHead(400).end());
  proxy.on("connect", (request, socket) => {
    seen.push(`CONNECT ${request.url} ${request.headers["proxy-authorization"] ?? "without a password"}`);
    if (request.headers["proxy-authorization"] !== `Basic ${btoa("weir:p@ss")}`) {
      socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
      return;
    }
    const tunnel = connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      tunnel.pipe(socket).pipe(tunnel);
    });
    tunnel.on("error", () => socket.destroy());
    socket.on("error", () => tunnel.destroy());
    onTestFinished(() => void tunnel.destroy());
  });
  return listening(proxy);
}

/** What the check of the service says with these variables. */
async function checked(variables: Record<string, string>) {
  const config = DoctorEnv.parse({ SERVICE_API_KEY: "my-key", SERVICE_TIMEOUT_MS: "5000", ...variables });
  const [check] = await checkService(config, variables, AbortSignal.timeout(20_000));
  return check;
}

test("an authority of its own is trusted where SERVICE_TLS_CA_FILE names it, and nowhere else", async () => {
  const SERVICE_URL = `https://127.0.0.1:${await startService(false)}`;

  expect(await checked({ SERVICE_URL, SERVICE_TLS_CA_FILE: file("ca.pem") })).toMatchObject({ ok: true });
  expect(await checked({ SERVICE_URL })).toMatchObject({
    ok: false,
    detail: expect.stringContaining("name the file of its authority in SERVICE_TLS_CA_FILE"),
  });
});

test("a client shows the certificate that a service asks for; without one the check says what to set", async () => {
  const variables = {
    SERVICE_URL: `https://127.0.0.1:${await startService(true)}`,
    SERVICE_TLS_CA_FILE: file("ca.pem"),
  };

  expect(await checked({ ...variables, ...identity() })).toMatchObject({ ok: true });
  expect(await checked(variables)).toMatchObject({
    ok: false,
    remedy: expect.stringContaining("SERVICE_TLS_CERT_FILE and SERVICE_TLS_KEY_FILE"),
  });
});

test("requests go through the proxy of HTTPS_PROXY, with mutual TLS to the service behind it", async () => {
  const seen: string[] = [];
  const port = await startProxy(await startService(true), seen);
  const variables = {
    SERVICE_URL: "https://service.test",
    SERVICE_TLS_CA_FILE: file("ca.pem"),
    ...identity(),
  };

  expect(await checked({ ...variables, HTTPS_PROXY: `http://weir:p%40ss@127.0.0.1:${port}` })).toMatchObject({
    ok: true,
  });
  expect(seen).toEqual([`CONNECT service.test:443 Basic ${btoa("weir:p@ss")}`]);
  const refused = await checked({ ...variables, https_proxy: `http://127.0.0.1:${port}` });
  expect(refused).toMatchObject({ ok: false, detail: expect.stringContaining("user and password of the proxy") });
});

test.each([
  [{ SERVICE_TLS_CERT_FILE: "client.pem" }, "SERVICE_TLS_CERT_FILE and SERVICE_TLS_KEY_FILE need each other"],
  [{ SERVICE_TLS_CA_FILE: "client.key" }, "SERVICE_TLS_CA_FILE names a file that cannot be used"],
  [{ SERVICE_TLS_CA_FILE: "none.pem" }, "SERVICE_TLS_CA_FILE: cannot read"],
  [
    { SERVICE_TLS_CERT_FILE: "client.pem", SERVICE_TLS_KEY_FILE: "ca.pem" },
    "SERVICE_TLS_KEY_FILE names a file that cannot be used",
  ],
  [{ HTTPS_PROXY: "socks5://proxy:1" }, "HTTPS_PROXY: the proxy must be http or https, and is socks5"],
])("%j is refused: %s", async (variables, detail) => {
  const files = Object.entries(variables).map(([name, value]) => [name, name.endsWith("_FILE") ? file(value) : value]);
  const check = await checked({ SERVICE_URL: "https://service.test", ...Object.fromEntries(files) });
  expect(check).toMatchObject({ ok: false, detail: expect.stringContaining(detail) });
});
