import type { JsonServerOptions } from "../../adapters/http/client/json-server.ts";
import { checkedUrl } from "../../adapters/http/connection/checked-url.ts";
import type { EventFormat } from "../../adapters/schema-registry/event-format.ts";
import type { RegistryApi } from "../../adapters/schema-registry/registry-client.ts";
import type { RegistryLogin } from "../../adapters/schema-registry/registry-http.ts";
import type { IdKind } from "../../adapters/schema-registry/wire-format.ts";
import { ConfigInvalidError } from "../../kernel/errors.ts";
import type { RegistryConfig } from "./env/registry-env.ts";
import { openKey } from "./keys.ts";
import { readTlsFiles } from "./tls-files.ts";

/** The settings of a schema registry, after their combination is checked and their files are read. */
export interface RegistrySettings {
  readonly baseUrl: string;
  readonly api: RegistryApi;
  readonly kind: IdKind;
  readonly login?: RegistryLogin;
  readonly connection: NonNullable<JsonServerOptions["connection"]>;
  readonly timeoutMs: number;
  readonly format: EventFormat;
}

/** Undefined where no registry is used. @throws {ConfigInvalidError} naming every conflict, and never printing a value. */
export async function registrySettings(config: RegistryConfig): Promise<RegistrySettings | undefined> {
  const wrong = [...conflicts(config)];
  if (wrong.length > 0) throw new ConfigInvalidError(`bad settings: ${wrong.join("; ")}`);
  const { SCHEMA_REGISTRY_URL: url, SCHEMA_REGISTRY_USE_ID: useId } = config;
  if (url === undefined) return undefined;
  const baseUrl = checkedUrl(url, {
    setting: "SCHEMA_REGISTRY_URL",
    credentials: "set SCHEMA_REGISTRY_USER and SCHEMA_REGISTRY_PASSWORD",
    whole: "give the base of the registry",
    http: {
      allowed: config.SCHEMA_REGISTRY_ALLOW_HTTP,
      danger: "read the password and change the schemas",
      instead: "use https, or set SCHEMA_REGISTRY_ALLOW_HTTP=true where that is meant",
    },
  });
  const login = await loginOf(config);
  return {
    baseUrl,
    api: config.SCHEMA_REGISTRY_API,
    kind: useId === undefined ? "ids" : `${useId}s`,
    ...(login === undefined ? {} : { login }),
    connection: await tlsOf(config),
    timeoutMs: config.SCHEMA_REGISTRY_TIMEOUT,
    format: config.EVENT_FORMAT,
  };
}

const LOGIN = [
  ...(["SCHEMA_REGISTRY_USER", "SCHEMA_REGISTRY_PASSWORD", "SCHEMA_REGISTRY_PASSWORD_FILE"] as const),
  ...(["SCHEMA_REGISTRY_TOKEN", "SCHEMA_REGISTRY_TOKEN_FILE"] as const),
] as const;

function* conflicts(config: RegistryConfig): Iterable<string> {
  const [user, password, passwordFile, token, tokenFile] = LOGIN.map((name) => config[name]);
  if (config.SCHEMA_REGISTRY_URL === undefined) {
    if (config.EVENT_FORMAT !== "json") yield `EVENT_FORMAT ${config.EVENT_FORMAT} needs SCHEMA_REGISTRY_URL`;
    for (const name of LOGIN) if (config[name] !== undefined) yield `${name} is set, and SCHEMA_REGISTRY_URL is not`;
  }
  const isApicurio = config.SCHEMA_REGISTRY_API === "apicurio";
  if (isApicurio !== (config.SCHEMA_REGISTRY_USE_ID !== undefined)) {
    yield isApicurio
      ? "SCHEMA_REGISTRY_API apicurio needs SCHEMA_REGISTRY_USE_ID: another kind of id names another schema"
      : "SCHEMA_REGISTRY_USE_ID is set, and SCHEMA_REGISTRY_API is not apicurio";
  }
  if (password !== undefined && passwordFile !== undefined)
    yield "SCHEMA_REGISTRY_PASSWORD and SCHEMA_REGISTRY_PASSWORD_FILE are both set: unset one of them";
  if (token !== undefined && tokenFile !== undefined)
    yield "SCHEMA_REGISTRY_TOKEN and SCHEMA_REGISTRY_TOKEN_FILE are both set: unset one of them";
  const hasPassword = password !== undefined || passwordFile !== undefined;
  const hasToken = token !== undefined || tokenFile !== undefined;
  if ((user !== undefined) !== hasPassword) yield "SCHEMA_REGISTRY_USER and SCHEMA_REGISTRY_PASSWORD need each other";
  if (hasToken && (user !== undefined || hasPassword))
    yield "SCHEMA_REGISTRY_TOKEN and SCHEMA_REGISTRY_USER are both set: unset one of them";
  if (user?.includes(":") === true) yield "SCHEMA_REGISTRY_USER must not hold a colon";
  const { SCHEMA_REGISTRY_TLS_CERT_FILE: cert, SCHEMA_REGISTRY_TLS_KEY_FILE: key } = config;
  if ((cert === undefined) !== (key === undefined))
    yield "SCHEMA_REGISTRY_TLS_CERT_FILE and SCHEMA_REGISTRY_TLS_KEY_FILE need each other";
}

async function loginOf(config: RegistryConfig): Promise<RegistryLogin | undefined> {
  const { SCHEMA_REGISTRY_USER: user, SCHEMA_REGISTRY_PASSWORD: password, SCHEMA_REGISTRY_TOKEN: token } = config;
  const { SCHEMA_REGISTRY_PASSWORD_FILE: passwordFile, SCHEMA_REGISTRY_TOKEN_FILE: tokenFile } = config;
  const secret = (file: string | undefined, value: string | undefined, name: string) =>
    openKey({ file, values: value === undefined ? undefined : [value], names: { file: `${name}_FILE`, values: name } });
  if (user !== undefined)
    return { kind: "basic", user, password: await secret(passwordFile, password, "SCHEMA_REGISTRY_PASSWORD") };
  if (token === undefined && tokenFile === undefined) return undefined;
  return { kind: "bearer", token: await secret(tokenFile, token, "SCHEMA_REGISTRY_TOKEN") };
}

function tlsOf(config: RegistryConfig): Promise<NonNullable<JsonServerOptions["connection"]>> {
  const named = (setting: `SCHEMA_REGISTRY_TLS_${"CA" | "CERT" | "KEY"}_FILE`) => ({ setting, file: config[setting] });
  return readTlsFiles({
    ca: named("SCHEMA_REGISTRY_TLS_CA_FILE"),
    cert: named("SCHEMA_REGISTRY_TLS_CERT_FILE"),
    key: named("SCHEMA_REGISTRY_TLS_KEY_FILE"),
  });
}
