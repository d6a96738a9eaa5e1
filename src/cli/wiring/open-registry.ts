import { lookup } from "node:dns";
import { RegistryClient } from "../../adapters/schema-registry/registry-client.ts";
import { RegistryDecoder } from "../../adapters/schema-registry/registry-decoder.ts";
import { RegistryHttp } from "../../adapters/schema-registry/registry-http.ts";
import type { RegistryOutcome } from "../../adapters/schema-registry/registry-outcome.ts";
import { SchemaCache } from "../../adapters/schema-registry/schema-cache.ts";
import { systemClock } from "../../kernel/clock.ts";
import type { Lifecycle } from "../../kernel/lifecycle.ts";
import type { Log } from "../../kernel/log.ts";
import type { RecordDecoder } from "../../worker/ports.ts";
import type { RegistrySettings } from "../config/registry-settings.ts";

export interface OpenRegistryOptions {
  readonly log: Log;
  readonly opened: Lifecycle;
  readonly onRequest: (outcome: RegistryOutcome) => void;
  /** Ends every wait for a schema. */
  readonly signal: AbortSignal;
}

export interface OpenedRegistry {
  readonly cache: Pick<SchemaCache, "failure" | "waiting">;
  readonly decoder: RecordDecoder;
}

/** The requests to a registry. No request is sent yet. */
export function registryHttp({ baseUrl, login, connection, timeoutMs }: RegistrySettings): RegistryHttp {
  return new RegistryHttp({ baseUrl, lookup, connection, timeoutMs, ...(login === undefined ? {} : { login }) });
}

/** The decoder of input records, where they are not JSON. */
export function openRegistry(
  settings: RegistrySettings | undefined,
  { log, opened, onRequest, signal }: OpenRegistryOptions,
): OpenedRegistry | undefined {
  if (settings === undefined || settings.format === "json") return undefined;
  const { api, baseUrl, format, kind } = settings;
  const http = registryHttp(settings);
  opened.onClose("schema registry", () => http.close());
  const client = new RegistryClient(http, api, baseUrl);
  const cache = new SchemaCache({
    fetch: (ref, aborted) => client.schema(ref, aborted),
    clock: systemClock,
    random: Math.random,
    log,
    onRequest,
    signal,
  });
  return { cache, decoder: new RegistryDecoder(cache, { format, kind }) };
}
