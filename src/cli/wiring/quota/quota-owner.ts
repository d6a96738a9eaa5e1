import { serviceUrl } from "../../../adapters/http/service/service-url.ts";
import { ConfigInvalidError } from "../../../kernel/errors.ts";
import { isOfService, keyMark } from "../../../worker/rate-limit/sharing/key-mark.ts";
import type { ServiceClientConfig } from "../../config/config.ts";
import { openKey } from "../../config/keys.ts";

/** Whose a quota is that was learned; `unknown`: the settings do not say which key is in use. */
export type QuotaOwner = "this key" | "another key" | "another service" | "unknown";

/** What names the key in use. */
export type OwnerConfig = Pick<
  ServiceClientConfig,
  "SERVICE_URL" | "SERVICE_ALLOW_HTTP" | "SERVICE_API_KEY" | "SERVICE_API_KEY_FILE"
>;

/** By the mark that a run goes by, which is where what was learned is kept. */
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
    // Whoever asks the service says what is wrong with them.
    if (thrown instanceof ConfigInvalidError) return "unknown";
    throw thrown;
  }
}

/** What is said where nobody can tell. */
export const OWNER_UNKNOWN = "whose it is cannot be told without SERVICE_URL and SERVICE_API_KEY";
