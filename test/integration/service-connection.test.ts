import { createPrivateKey, X509Certificate } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server as HttpServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import type { TlsOptions } from "node:tls";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { DoctorEnv } from "../../src/cli/config/config.ts";
import { checkService } from "../../src/cli/doctor/check-service.ts";
import { clean } from "../fakes/evidence.ts";
import { type Certificates, type Identity, makeCertificates } from "../servers/certificates.ts";

let folder: string;
let certificates: Certificates & Readonly<Record<"expired" | "elsewhere" | "stranger", Identity>>;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "weir-tls-"));
  certificates = await makeCertificates(folder, {
    expired: ["-signer", "ca", "-startdate", "-10d", "-validity", "1", "-ext", "san=ip:127.0.0.1"],
    elsewhere: ["-signer", "ca", "-ext", "san=dns:elsewhere.test"],
    // A self-signed certificate.
    stranger: [],
  });
  const { ca, client, stranger } = certificates;
  const key = createPrivateKey(client.key);
  const passphrase = { cipher: "aes-256-cbc", passphrase: "secret" };
  const files = {
    "ca.pem": ca,
    "ca.der": new X509Certificate(ca).raw,
    "client.pem": client.cert,
    "client.key": client.key,
    "client.key.der": key.export({ type: "pkcs8", format: "der" }),
    "encrypted.key": key.export({ type: "pkcs8", format: "pem", ...passphrase }),
    "encrypted-sec1.key": key.export({ type: "sec1", format: "pem", ...passphrase }),
    "stranger.pem": stranger.cert,
    "stranger.key": stranger.key,
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

/** A service behind TLS that requests a client certificate if `isMutual` is set. @returns its port. */
function startService(isMutual: boolean, own: TlsOptions = {}): Promise<number> {
  const { ca, broker } = certificates;
  const options = { ...broker, ...(isMutual ? { ca, requestCert: true, rejectUnauthorized: true } : {}), ...own };
  const server = createTlsServer(options, async (request, response) => {
    const asked = JSON.parse((await text(request)) || "{}");
    const data = {
      target_address: clean.target,
      token_address: {},
      target_address_input: asked.address ?? "",
      user_address_input: asked.user_address ?? "",
      token_address_input: "",
    };
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ code: "0", status: "ok", data }));
  });
  return listening(server as unknown as HttpServer);
}

/** A proxy that opens tunnels to `port` of this machine for clients with the proxy's password. @returns its port. */
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

/** The result of the service check with these variables. */
async function checked(variables: Record<string, string>) {
  const config = DoctorEnv.parse({ SERVICE_API_KEY: "my-key", SERVICE_TIMEOUT_MS: "5000", ...variables });
  const [check] = await checkService(config, variables, AbortSignal.timeout(20_000));
  return check;
}

test("a private certificate authority is trusted only where SERVICE_TLS_CA_FILE names it", async () => {
  const SERVICE_URL = `https://127.0.0.1:${await startService(false)}`;

  expect(await checked({ SERVICE_URL, SERVICE_TLS_CA_FILE: file("ca.pem") })).toMatchObject({ ok: true });
  expect(await checked({ SERVICE_URL })).toMatchObject({
    ok: false,
    detail: expect.stringContaining("name the file of its authority in SERVICE_TLS_CA_FILE"),
  });
});

test("a client shows the certificate that a service requests, and without one the check says what to set", async () => {
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

test.each<["expired" | "elsewhere", string]>([
  ["expired", "the certificate of the service, or of its authority, must be renewed"],
  ["elsewhere", "name the service in SERVICE_URL as its certificate does"],
])("a server with a certificate that is %s is refused, and the check says: %s", async (name, told) => {
  const SERVICE_URL = `https://127.0.0.1:${await startService(false, certificates[name])}`;

  expect(await checked({ SERVICE_URL, SERVICE_TLS_CA_FILE: file("ca.pem") })).toMatchObject({
    ok: false,
    detail: expect.stringContaining(told),
  });
});

const TLS_12 = { maxVersion: "TLSv1.2" } as const;

test.each<[string, boolean, TlsOptions, string]>([
  ["asks for a certificate by TLS 1.2", true, TLS_12, `TLS alert "handshake failure": the server says no more`],
  ["shares no cipher", false, { ...TLS_12, ciphers: "AES128-SHA" }, `TLS alert "handshake failure"`],
  [
    "speaks TLS 1.1 alone",
    false,
    { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" },
    `TLS alert "protocol version": the server takes no TLS version that is offered`,
  ],
])("the check reports what is known about a server that %s", async (_name, isMutual, own, told) => {
  const SERVICE_URL = `https://127.0.0.1:${await startService(isMutual, own)}`;

  expect(await checked({ SERVICE_URL, SERVICE_TLS_CA_FILE: file("ca.pem") })).toMatchObject({
    ok: false,
    detail: expect.stringContaining(told),
  });
});

test("for a server without TLS, the check points to the scheme and the port", async () => {
  const port = await listening(createServer((_request, response) => response.end()));

  expect(await checked({ SERVICE_URL: `https://127.0.0.1:${port}` })).toMatchObject({
    ok: false,
    detail: expect.stringContaining("no TLS is spoken there: see the scheme and the port of SERVICE_URL"),
  });
});

test.each([["TLSv1.3"], ["TLSv1.2"]] as const)(
  "a client certificate of another authority is refused by %s, and the check does not advise to set one",
  async (maxVersion) => {
    const SERVICE_URL = `https://127.0.0.1:${await startService(true, { maxVersion })}`;
    const stranger = { SERVICE_TLS_CERT_FILE: file("stranger.pem"), SERVICE_TLS_KEY_FILE: file("stranger.key") };

    expect(await checked({ SERVICE_URL, SERVICE_TLS_CA_FILE: file("ca.pem"), ...stranger })).toMatchObject({
      ok: false,
      remedy: expect.stringContaining("that the service accepts its authority"),
    });
  },
);

test.each([
  ["HTTPS_PROXY", { HTTPS_PROXY: "http://127.0.0.1:1" }],
  ["https_proxy", { https_proxy: "http://127.0.0.1:1", HTTPS_PROXY: "http://127.0.0.1:2" }],
  ["ALL_PROXY", { ALL_PROXY: "http://127.0.0.1:1" }],
])("for a missing proxy, the check names %s", async (variable, variables) => {
  expect(await checked({ SERVICE_URL: "https://service.test", ...variables })).toMatchObject({
    ok: false,
    detail: expect.stringContaining(`the proxy is not reached: see that it runs, and that ${variable} names it`),
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
  expect(refused).toMatchObject({
    ok: false,
    detail: expect.stringContaining("put the user and password of the proxy into its URL (https_proxy)"),
  });
});

test.each([
  [{ SERVICE_TLS_CERT_FILE: "client.pem" }, "SERVICE_TLS_CERT_FILE and SERVICE_TLS_KEY_FILE must be set together"],
  [{ SERVICE_TLS_CA_FILE: "client.key" }, "SERVICE_TLS_CA_FILE names a file that cannot be used"],
  [{ SERVICE_TLS_CA_FILE: "none.pem" }, "SERVICE_TLS_CA_FILE: cannot read"],
  [
    { SERVICE_TLS_CERT_FILE: "client.pem", SERVICE_TLS_KEY_FILE: "ca.pem" },
    "SERVICE_TLS_KEY_FILE names a file that cannot be used: it holds no PEM private key",
  ],
  [
    { SERVICE_TLS_CERT_FILE: "client.pem", SERVICE_TLS_KEY_FILE: "stranger.key" },
    "SERVICE_TLS_KEY_FILE names a file that cannot be used: its key is not that of the first certificate in the file of SERVICE_TLS_CERT_FILE",
  ],
  [
    { SERVICE_TLS_CERT_FILE: "client.pem", SERVICE_TLS_KEY_FILE: "encrypted.key" },
    "SERVICE_TLS_KEY_FILE names a file that cannot be used: its key is encrypted, and no passphrase can be given: `openssl pkey -in FILE -out FILE.pem` decrypts it",
  ],
  [
    { SERVICE_TLS_CERT_FILE: "client.pem", SERVICE_TLS_KEY_FILE: "encrypted-sec1.key" },
    "SERVICE_TLS_KEY_FILE names a file that cannot be used: its key is encrypted",
  ],
  [
    { SERVICE_TLS_CA_FILE: "ca.der" },
    "SERVICE_TLS_CA_FILE names a file that cannot be used: it is binary (DER), and must be PEM: `openssl x509 -inform der -in FILE -out FILE.pem` writes one",
  ],
  [
    { SERVICE_TLS_CERT_FILE: "client.pem", SERVICE_TLS_KEY_FILE: "client.key.der" },
    "SERVICE_TLS_KEY_FILE names a file that cannot be used: it is binary (DER), and must be PEM: `openssl pkey -inform der",
  ],
  [
    { all_proxy: "socks5://proxy:1" },
    "all_proxy: SOCKS proxies are not supported: name an http or https proxy in HTTPS_PROXY",
  ],
])("%j is refused: %s", async (variables, detail) => {
  const files = Object.entries(variables).map(([name, value]) => [name, name.endsWith("_FILE") ? file(value) : value]);
  const check = await checked({ SERVICE_URL: "https://service.test", ...Object.fromEntries(files) });
  expect(check).toMatchObject({ ok: false, detail: expect.stringContaining(detail) });
});
