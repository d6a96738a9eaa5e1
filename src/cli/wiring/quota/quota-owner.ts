import { serviceUrl } from "../../../adapters/http/service/service-url.ts";
import { ConfigInvalidError } from "../../../kernel/errors.ts";
import { isOfService, keyMark } from "../../../worker/rate-limit/sharing/key-mark.ts";
import type { ServiceClientConfig } from "../../config/config.ts";
import { openKey } from "../../config/keys.ts";

/** The owner of a learned quota; `unknown`: the settings do not determine the key in use. */
export type QuotaOwner = "this key" | "another key" | "another service" | "unknown";

/** The settings that determine the key in use. */
export type OwnerConfig = Pick<
  ServiceClientConfig,
  "SERVICE_URL" | "SERVICE_ALLOW_HTTP" | "SERVICE_API_KEY" | "SERVICE_API_KEY_FILE"
>;

/** The owner by the mark of a run, under which a learned quota is kept. */
export async function quotaOwner(mark: string, config: OwnerConfig): Promise<QuotaOwner> {
  const { SERVICE_URL: url, SERVICE_API_KEY: value, SERVICE_API_KEY_FILE: file } = config;
  if (url === undefined) return "unknown";
  try {
    const baseUrl = serviceUrl(url, { allowHttp: config.SERVICE_ALLOW_HTTP });
    if (!isOfService(mark, baseUrl)) return "another service";
    const key = await openKey({
      file,
      values: value === undefined ? undefined : [value],
      names: { file: "SERVICE_API_KEY_FILE", values: "SERVICE_API_KEY" },
    });
    return keyMark(baseUrl, key.current().reveal()) === mark ? "this key" : "another key";
  } catch (thrown) {
    // The code that sends requests reports the faults of these settings.
    if (thrown instanceof ConfigInvalidError) return "unknown";
    throw thrown;
  }
}

/** The message for an unknown owner. */
export const OWNER_UNKNOWN = "its owner is not known without SERVICE_URL and SERVICE_API_KEY";
