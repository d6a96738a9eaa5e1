import type { CheckedItem } from "../../adapters/kafka/topics/check.ts";
import { UndecodableError } from "../../adapters/schema-registry/json-text.ts";
import { RegistryClient } from "../../adapters/schema-registry/registry-client.ts";
import { AppError } from "../../kernel/errors.ts";
import { UnauthorizedError } from "../../worker/answers/service-errors.ts";
import type { RegistrySettings } from "../config/registry-settings.ts";
import { registryHttp } from "../wiring/open-registry.ts";

const check = "schema registry";

/**
 * Asks the registry for a schema, by the request of a worker. A registry that has no schema of this id answers all the
 * same. Without a registry there is nothing to check.
 */
export async function checkRegistry(
  settings: RegistrySettings | undefined,
  signal: AbortSignal,
): Promise<readonly CheckedItem[]> {
  if (settings === undefined) return [];
  const http = registryHttp(settings);
  try {
    const client = new RegistryClient(http, settings.api, settings.baseUrl);
    await client.schema({ by: settings.kind, id: "1" }, signal).catch((thrown: unknown) => {
      if (!(thrown instanceof UndecodableError)) throw thrown;
    });
    return [
      { check, ok: true, detail: `answers${settings.login === undefined ? "" : ", and takes the login"}`, remedy: "" },
    ];
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    const remedy =
      thrown instanceof UnauthorizedError
        ? "check SCHEMA_REGISTRY_USER and its password, or SCHEMA_REGISTRY_TOKEN, and that they may read schemas"
        : "see that the registry runs, and that SCHEMA_REGISTRY_URL is the base of the interface that SCHEMA_REGISTRY_API names";
    return [{ check, ok: false, detail: thrown.message, remedy }];
  } finally {
    await http.close();
  }
}
