import type { Connection, OpenProxy } from "../adapters/http/json-server.ts";
import { proxyFor } from "../adapters/http/proxy-for.ts";
import { ConfigInvalidError } from "../kernel/errors.ts";
import type { Environment, ServiceClientConfig } from "./config.ts";
import { openKey } from "./keys.ts";
import { type OpenedDialect, openDialect } from "./open-dialect.ts";
import type { ReachedService } from "./open-service.ts";
import { readTlsFiles } from "./tls-files.ts";

/**
 * The service at `baseUrl` with the key of the environment.
 *
 * @param variables of the environment, where a proxy is named.
 * @throws {ConfigInvalidError} as `serviceConnection` does, and naming a key that is missing or cannot be read.
 */
export async function reachNamedService(
  baseUrl: string,
  config: ServiceClientConfig,
  variables: Environment,
): Promise<ReachedService> {
  const { SERVICE_API_KEY_FILE: file, SERVICE_API_KEY: given } = config;
  const names = { file: "SERVICE_API_KEY_FILE", values: "SERVICE_API_KEY" };
  const key = await openKey({ file, values: given === undefined ? undefined : [given], names });
  const connection = await serviceConnection(baseUrl, config, variables);
  const dialect = await openDialect(config);
  return { baseUrl, key, connection, dialect, translation: await openTranslation(baseUrl, config, dialect) };
}

/** Loaded where an adapter is named: few services need one. */
async function openTranslation(
  baseUrl: string,
  { SERVICE_ADAPTER: file }: ServiceClientConfig,
  { ofRequests: [part] }: OpenedDialect,
): Promise<ReachedService["translation"]> {
  if (file === undefined) return undefined;
  if (part !== undefined)
    throw new ConfigInvalidError(
      `SERVICE_ADAPTER is set, and the file of SERVICE_DIALECT has ${part}: an adapter says that itself; leave levels and taxes in the file`,
    );
  const { openAdapter } = await import("./open-adapter.ts");
  return openAdapter(file, baseUrl);
}

/**
 * How the service at `baseUrl` is reached: through which proxy, with which authorities and certificate.
 *
 * @param variables of the environment, where a proxy is named.
 * @throws {ConfigInvalidError} naming the variable at fault, and never its value.
 */
async function serviceConnection(
  baseUrl: string,
  config: ServiceClientConfig,
  variables: Environment,
): Promise<Connection> {
  const { SERVICE_TLS_CERT_FILE: cert, SERVICE_TLS_KEY_FILE: key, SERVICE_TLS_CA_FILE: ca } = config;
  if ((cert === undefined) !== (key === undefined))
    throw new ConfigInvalidError("SERVICE_TLS_CERT_FILE and SERVICE_TLS_KEY_FILE need each other");
  const proxy = proxyFor(baseUrl, variables);
  if (!proxy.ok) throw new ConfigInvalidError(`bad environment: ${proxy.detail}`);
  const tls = await readTlsFiles({
    ca: { setting: "SERVICE_TLS_CA_FILE", file: ca },
    cert: { setting: "SERVICE_TLS_CERT_FILE", file: cert },
    key: { setting: "SERVICE_TLS_KEY_FILE", file: key },
  });
  return proxy.value === undefined ? tls : { ...tls, proxy: await opened(proxy.value) };
}

/** Loaded where a proxy is named: few environments have one. */
async function opened(proxy: URL): Promise<OpenProxy> {
  const { throughProxy } = await import("../adapters/http/proxy-dispatcher.ts");
  return throughProxy(proxy);
}
