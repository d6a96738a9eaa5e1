import type { Connection, OpenProxy } from "../../adapters/http/client/json-server.ts";
import { proxyFor } from "../../adapters/http/connection/proxy-for.ts";
import { ConfigInvalidError } from "../../kernel/errors.ts";
import type { KeySource } from "../../worker/ports.ts";
import type { Environment, ServiceClientConfig } from "../config/config.ts";
import { openKey } from "../config/keys.ts";
import { readTlsFiles } from "../config/tls-files.ts";
import type { ReachedService } from "../wiring/open-service.ts";
import { type OpenedDialect, openDialect } from "./open-dialect.ts";

/** The base URL for an adapter while no request is sent and SERVICE_URL is not set. */
export const NOWHERE = "http://127.0.0.1";

/**
 * Opens the service at `baseUrl` with the key of the environment.
 *
 * @param variables of the environment, which may name a proxy.
 * @throws {ConfigInvalidError} for the faults of `serviceConnection`, and for a missing or unreadable key.
 */
export async function reachNamedService(
  baseUrl: string,
  config: ServiceClientConfig,
  variables: Environment,
): Promise<ReachedService> {
  const key = await openServiceKey(config);
  const connection = await serviceConnection(baseUrl, config, variables);
  return { baseUrl, key, connection, ...(await openSpoken(baseUrl, config)) };
}

/**
 * Opens the form of the requests: by the dialect file, or by the adapter.
 *
 * @throws {ConfigInvalidError} naming the file and its fault, and where both files define the requests.
 */
export async function openSpoken(
  baseUrl: string,
  config: Pick<ServiceClientConfig, "SERVICE_DIALECT" | "SERVICE_ADAPTER">,
): Promise<Pick<ReachedService, "dialect" | "translation">> {
  const dialect = await openDialect(config);
  const translation = await openTranslation(baseUrl, config, dialect);
  if (translation === undefined) return { dialect, translation };
  const { lacks, hasBatches } = translation;
  return { dialect: { ...dialect, reach: { ...dialect.reach, lacks, hasBatches } }, translation };
}

/** Loaded on demand: few services need an adapter. */
async function openTranslation(
  baseUrl: string,
  { SERVICE_ADAPTER: file }: Pick<ServiceClientConfig, "SERVICE_ADAPTER">,
  { ofRequests: [part] }: OpenedDialect,
): Promise<ReachedService["translation"]> {
  if (file === undefined) return undefined;
  if (part !== undefined)
    throw new ConfigInvalidError(
      `SERVICE_ADAPTER is set, and the file of SERVICE_DIALECT has ${part}: an adapter says that itself; leave levels, taxes and limits in the file`,
    );
  const { openAdapter } = await import("./open-adapter.ts");
  return openAdapter(file, baseUrl);
}

/** The key of SERVICE_API_KEY_FILE or SERVICE_API_KEY. @throws {ConfigInvalidError} where it is missing or cannot be read. */
export function openServiceKey({
  SERVICE_API_KEY_FILE: file,
  SERVICE_API_KEY: given,
}: Pick<ServiceClientConfig, "SERVICE_API_KEY_FILE" | "SERVICE_API_KEY">): Promise<KeySource> {
  const names = { file: "SERVICE_API_KEY_FILE", values: "SERVICE_API_KEY" };
  return openKey({ file, values: given === undefined ? undefined : [given], names });
}

/**
 * Opens the connection to the service at `baseUrl`: its proxy, authorities and certificate.
 *
 * @param variables of the environment, which may name a proxy.
 * @throws {ConfigInvalidError} naming the variable at fault, and never its value.
 */
export async function serviceConnection(
  baseUrl: string,
  config: ServiceClientConfig,
  variables: Environment,
): Promise<Connection> {
  const { SERVICE_TLS_CERT_FILE: cert, SERVICE_TLS_KEY_FILE: key, SERVICE_TLS_CA_FILE: ca } = config;
  if ((cert === undefined) !== (key === undefined))
    throw new ConfigInvalidError("SERVICE_TLS_CERT_FILE and SERVICE_TLS_KEY_FILE must be set together");
  const proxy = proxyFor(baseUrl, variables);
  if (!proxy.ok) throw new ConfigInvalidError(`bad settings: ${proxy.detail}`);
  const tls = await readTlsFiles({
    ca: { setting: "SERVICE_TLS_CA_FILE", file: ca },
    cert: { setting: "SERVICE_TLS_CERT_FILE", file: cert },
    key: { setting: "SERVICE_TLS_KEY_FILE", file: key },
  });
  if (proxy.value === undefined) return tls;
  const { url, variable } = proxy.value;
  return { ...tls, proxy: { open: await opened(url), variable } };
}

/** Loaded on demand: few environments have a proxy. */
async function opened(proxy: URL): Promise<OpenProxy> {
  const { throughProxy } = await import("../../adapters/http/connection/proxy-dispatcher.ts");
  return throughProxy(proxy);
}
