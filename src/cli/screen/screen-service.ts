import { readFile } from "node:fs/promises";
import { serviceUrl } from "../../adapters/http/service/service-url.ts";
import { ConfigInvalidError, toError } from "../../kernel/errors.ts";
import { sha256, sha256Of } from "../../kernel/hash.ts";
import type { Lifecycle } from "../../kernel/lifecycle.ts";
import { ServiceDownError } from "../../worker/answers/service-errors.ts";
import type { Environment, ScreenConfig } from "../config/config.ts";
import { fixedKey } from "../config/keys.ts";
import { labelPaths } from "../config/label-paths.ts";
import { noDialect } from "../service-connection/open-dialect.ts";
import { reachNamedService } from "../service-connection/service-connection.ts";
import type { ReachedService } from "../wiring/open-service.ts";
import { startEmbeddedService } from "./embedded-service.ts";

/** The name in `run.json` of a service that a run starts for itself. */
const EMBEDDED = "embedded";

/** The service of a run, as far as its verdicts depend on it. */
export interface ServiceChoice {
  readonly service: string;
  /**
   * SHA-256 over the label and list files. For an embedded service it also covers the Solana snapshot, and the presence
   * of nodes. Empty where there are no such files.
   */
  readonly labels: string;
}

/** @throws {ConfigInvalidError} for labels without a reader, and for a URL that must not be used. */
export async function chooseService(config: ScreenConfig): Promise<ServiceChoice> {
  const { SERVICE_URL, SOLANA_SNAPSHOT } = config;
  const lists = await Promise.all(config.LISTS_FILES.map((file) => contentOf("LISTS_FILES", file)));
  if (SERVICE_URL === undefined) {
    if (config.SERVICE_ADAPTER !== undefined)
      throw new ConfigInvalidError(
        "SERVICE_ADAPTER is set without SERVICE_URL: name the service that it translates for",
      );
    const labels = [...labelPaths(config).map((file) => contentOf("LABELS_FILES", file)), ...lists];
    const accounts = SOLANA_SNAPSHOT === undefined ? [] : [contentOf("SOLANA_SNAPSHOT", SOLANA_SNAPSHOT)];
    // The presence of nodes changes verdicts. The choice of nodes does not, and their URLs may hold keys.
    const nodes = nodesIn(config).map((setting) => Buffer.from(setting));
    return { service: EMBEDDED, labels: hashOf(await Promise.all([...labels, ...accounts, ...nodes])) };
  }
  const [unheard] = [
    ...(SOLANA_SNAPSHOT === undefined ? [] : ["SOLANA_SNAPSHOT"]),
    ...(config.SOLANA_PRICES_FILE === undefined ? [] : ["SOLANA_PRICES_FILE"]),
    ...nodesIn(config),
  ];
  if (unheard !== undefined) {
    throw new ConfigInvalidError(
      `${unheard} is for the embedded service, and SERVICE_URL names another: give it to that one, or unset one of the two`,
    );
  }
  // The worker itself screens events with these files, whichever service answers.
  const own = await Promise.all(config.LABELS_FILES.map((file) => contentOf("LABELS_FILES", file)));
  const held = [...own, ...lists];
  return { service: serviceUrl(SERVICE_URL, { allowHttp: config.SERVICE_ALLOW_HTTP }), labels: hashOfAny(held) };
}

function hashOfAny(contents: readonly Uint8Array[]): string {
  return contents.length === 0 ? "" : hashOf(contents);
}

/** The settings of the nodes of the embedded service. */
function nodesIn({ SOLANA_RPC_URL, TRON_RPC_URL, ...config }: ScreenConfig): readonly string[] {
  const solana = [...SOLANA_RPC_URL, config.SOLANA_RPC_URL_FILE].filter((given) => given !== undefined);
  const evm = [config.EVM_RPC_URLS, config.EVM_RPC_URLS_FILE].filter((given) => given !== undefined);
  const nodes = { SOLANA_RPC_URL: solana, TRON_RPC_URL, EVM_RPC_URLS: evm };
  return Object.entries(nodes).flatMap(([setting, urls]) => (urls.length === 0 ? [] : [setting]));
}

/**
 * Makes the service ready: a remote one needs a key, the embedded one a start. `onDown` is called when the embedded
 * service ends before its stop.
 *
 * @throws {ConfigInvalidError}
 */
export async function reachService(
  { service }: ServiceChoice,
  config: ScreenConfig,
  {
    env,
    opened,
    onDown,
    signal,
  }: { env: Environment; opened: Lifecycle; onDown: (error: ServiceDownError) => void; signal: AbortSignal },
): Promise<ReachedService> {
  if (service === EMBEDDED) {
    const embedded = await startEmbeddedService(env, signal);
    let isStopping = false;
    opened.onClose("embedded service", () => {
      isStopping = true;
      return embedded.stop();
    });
    void embedded.ended.then((how) => {
      if (!isStopping) onDown(new ServiceDownError(`the embedded service ended (${how})`));
    });
    return {
      baseUrl: embedded.url,
      key: fixedKey(embedded.apiKey),
      connection: {},
      dialect: noDialect,
      translation: undefined,
    };
  }
  return reachNamedService(service, config, env);
}

function hashOf(contents: readonly Uint8Array[]): string {
  return sha256Of(contents.map(sha256));
}

async function contentOf(variable: string, file: string): Promise<Uint8Array> {
  try {
    return await readFile(file);
  } catch (thrown) {
    throw new ConfigInvalidError(
      `${variable} names ${file}, which cannot be read: ${toError(thrown).message}: correct it, or take it out`,
    );
  }
}
