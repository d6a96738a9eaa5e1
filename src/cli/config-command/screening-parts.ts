import { serviceUrl } from "../../adapters/http/service/service-url.ts";
import type { CheckedItem } from "../../adapters/kafka/topics/check.ts";
import { systemClock } from "../../kernel/clock.ts";
import { quietLog } from "../../kernel/log.ts";
import { countText } from "../../kernel/text.ts";
import type { ConfigPart } from "../config/check-parts.ts";
import type { ScreeningConfig } from "../config/config.ts";
import { checkQuota } from "../doctor/check-quota.ts";
import { openDialect, scalesOf } from "../service-connection/open-dialect.ts";
import { INTERFACE } from "../service-connection/service-client-env.ts";
import { NOWHERE, openServiceKey, openSpoken, serviceConnection } from "../service-connection/service-connection.ts";
import { listLine } from "../terminal/list-line.ts";
import { openLists } from "../wiring/open-lists.ts";
import { openPolicy } from "../wiring/open-policy.ts";

const EMBEDDED = "is not set: the run starts a service of its own";

export const dialectPart: ConfigPart<ScreeningConfig> = {
  check: "dialect",
  reads: ["SERVICE_URL", "SERVICE_DIALECT", "SERVICE_LEVELS", "SERVICE_TAXES"],
  look: lookAtDialect,
};

export const policyPart: ConfigPart<Pick<ScreeningConfig, "POLICY_FILE">> = {
  check: "policy",
  reads: ["POLICY_FILE"],
  look: async ({ POLICY_FILE: file }) => {
    const { sha256 } = await openPolicy(file);
    return `${file ?? "data/policy.json"}, ${sha256}`;
  },
};

export const listsPart: ConfigPart<ScreeningConfig> = {
  check: "lists and labels",
  reads: ["LISTS_", "LABELS_", "BUNDLED_LABELS"],
  look: lookAtLists,
};

/** The service that a command sends requests to. */
export const servicePart: ConfigPart<ScreeningConfig> = {
  check: "service",
  reads: ["SERVICE_URL", "SERVICE_ALLOW_HTTP"],
  look: async ({ SERVICE_URL: url, SERVICE_ALLOW_HTTP: allowHttp }) =>
    url === undefined ? EMBEDDED : `${new URL(serviceUrl(url, { allowHttp })).host} is asked`,
};

/** The settings of every command that screens, after the service itself. */
export const screeningParts: readonly ConfigPart<ScreeningConfig>[] = [
  {
    check: "key",
    reads: ["SERVICE_URL", "SERVICE_API_KEY"],
    look: async (config) => {
      if (config.SERVICE_URL === undefined) return "not needed";
      await openServiceKey(config);
      return `read from SERVICE_API_KEY${config.SERVICE_API_KEY_FILE === undefined ? "" : "_FILE"}`;
    },
  },
  {
    check: "proxy and TLS",
    reads: ["SERVICE_URL", "SERVICE_ALLOW_HTTP", "SERVICE_TLS_"],
    look: async (config, env) => {
      const { SERVICE_URL: url, SERVICE_ALLOW_HTTP: allowHttp } = config;
      if (url === undefined) return "not needed";
      const { proxy, ca, identity } = await serviceConnection(serviceUrl(url, { allowHttp }), config, env);
      const trusts = ca === undefined ? "public authorities" : "the authorities of SERVICE_TLS_CA_FILE";
      const shows = identity === undefined ? "no certificate" : "the certificate of SERVICE_TLS_CERT_FILE";
      return `${proxy === undefined ? "no proxy" : "a proxy"}; trusts ${trusts}, shows ${shows}`;
    },
  },
  dialectPart,
  {
    check: "adapter",
    reads: ["SERVICE_ADAPTER"],
    look: async (config) => {
      const { SERVICE_ADAPTER: file, SERVICE_URL: url } = config;
      if (file === undefined) return "none";
      await openSpoken(url ?? NOWHERE, config);
      const { loadAdapter } = await import("../service-connection/open-adapter.ts");
      const { name, operations } = await loadAdapter(file, url ?? NOWHERE, "SERVICE_ADAPTER: ");
      return `${file}, ${name}: ${Object.keys(operations).join(", ")}`;
    },
  },
  { check: "quota", reads: ["SERVICE_"], look: async (config) => [await checkQuota(config, undefined)] },
  policyPart,
  listsPart,
];

async function lookAtDialect(config: ScreeningConfig): Promise<string | readonly CheckedItem[]> {
  const { SERVICE_DIALECT: file } = config;
  const opened = await openDialect(config);
  scalesOf(opened, config);
  if (file === INTERFACE) return "the interface as it is";
  if (config.SERVICE_URL === undefined) {
    const detail = `${file} is sound, and not used: SERVICE_URL is not set`;
    return [{ check: "dialect", ok: "warn", detail, remedy: "set SERVICE_URL, or unset SERVICE_DIALECT" }];
  }
  const { lacks } = opened.reach;
  return `${file}${lacks.size === 0 ? "" : `, which leaves out ${[...lacks].join(", ")}`}`;
}

async function lookAtLists(config: ScreeningConfig): Promise<readonly CheckedItem[]> {
  const { book } = await openLists(config, { clock: systemClock, log: quietLog });
  const files = [...config.LISTS_FILES, ...config.LABELS_FILES].length;
  const read: CheckedItem = {
    check: "lists and labels",
    ok: true,
    detail: `${countText(files, "file")} ${files === 1 ? "is" : "are"} read`,
    remedy: "",
  };
  const lists = book.lists.map((list): CheckedItem => {
    const isWhole = list.refused.length === 0;
    const detail = listLine(list).replace(/^list\s+/, "");
    return { check: "list", ok: isWhole ? true : "warn", detail, remedy: isWhole ? "" : "correct the rows" };
  });
  return [read, ...lists];
}
