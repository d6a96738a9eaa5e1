import type { CheckedItem } from "../../adapters/kafka/topics/check.ts";
import { UndecodableError } from "../../adapters/schema-registry/json-text.ts";
import { RegistryClient } from "../../adapters/schema-registry/registry-client.ts";
import type { RegistryHttp } from "../../adapters/schema-registry/registry-http.ts";
import {
  isCompatible,
  registerVerdictSchema,
  verdictSchemaId,
} from "../../adapters/schema-registry/verdicts/verdict-subject.ts";
import { AppError } from "../../kernel/errors.ts";
import { UnauthorizedError } from "../../worker/answers/service-errors.ts";
import type { RegistrySettings } from "../config/registry-settings.ts";
import { registryHttp } from "../wiring/open-registry.ts";
import type { FormattedVerdicts } from "../wiring/open-verdict-format.ts";

const check = "schema registry";

/**
 * Asks the registry for a schema, by the request of a worker. A registry that has no schema of this id answers all the
 * same. Without a registry there is nothing to check.
 */
export async function checkRegistry(
  settings: RegistrySettings | undefined,
  signal: AbortSignal,
  verdicts?: { readonly formats: FormattedVerdicts; readonly create: boolean },
): Promise<readonly CheckedItem[]> {
  if (settings === undefined) return [];
  const http = registryHttp(settings);
  try {
    const client = new RegistryClient(http, settings.api, settings.baseUrl);
    await client.schema({ by: settings.kind, id: "1" }, signal).catch((thrown: unknown) => {
      if (!(thrown instanceof UndecodableError)) throw thrown;
    });
    const detail = `answers${settings.login === undefined ? "" : ", and takes the login"}`;
    const answers: CheckedItem = { check, ok: true, detail, remedy: "" };
    return verdicts === undefined ? [answers] : [answers, await checkVerdicts(http, verdicts, signal)];
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

/** Looks whether the registry has the schema of verdicts, and registers it where that is wanted. */
async function checkVerdicts(
  http: RegistryHttp,
  { formats, create }: { readonly formats: FormattedVerdicts; readonly create: boolean },
  signal: AbortSignal,
): Promise<CheckedItem> {
  const { subject } = formats;
  const item = { check: `schema of verdicts (${subject.subject})` };
  if ((await verdictSchemaId(http, subject, signal)) !== undefined)
    return { ...item, ok: true, detail: "is registered", remedy: "" };
  if (!(await isCompatible(http, subject, signal))) {
    const remedy = "name another topic in TOPIC_VERDICTS_FORMATTED, or relax the compatibility of the subject";
    return { ...item, ok: false, detail: "is not compatible with the latest schema of its subject", remedy };
  }
  if (!create) return { ...item, ok: false, detail: "is not registered", remedy: "weir doctor --create registers it" };
  await registerVerdictSchema(http, subject, signal);
  return { ...item, ok: true, detail: "is registered now", remedy: "" };
}
