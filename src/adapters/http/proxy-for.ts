import { fail, ok, type Result } from "../../kernel/result.ts";
import { isLoopback, isLoopbackName } from "./refused-address.ts";

/** Variables of the environment, by name. */
type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The proxy for requests to `url`, by HTTPS_PROXY, HTTP_PROXY and NO_PROXY or their names in lower case, which count first;
 * undefined for none. A host of this machine has none. A failure names the variable and never its value, which may hold a
 * password. Source: curl, "Environment variables".
 */
export function proxyFor(url: string, variables: Variables): Result<URL | undefined> {
  const { protocol, hostname, port } = new URL(url);
  const name = protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const text = variable(name, variables);
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  if (text === "" || isLoopback(host) || isLoopbackName(host)) return ok(undefined);
  if (isExempt(host, port === "" ? portOf(protocol) : port, variable("NO_PROXY", variables))) return ok(undefined);
  const proxy = URL.parse(text.includes("://") ? text : `http://${text}`);
  if (proxy === null || proxy.hostname === "") return fail(`${name}: is not the URL of a proxy`);
  if (proxy.protocol !== "http:" && proxy.protocol !== "https:")
    return fail(`${name}: the proxy must be http or https, and is ${proxy.protocol.slice(0, -1)}`);
  return ok(proxy);
}

function variable(name: string, variables: Variables): string {
  return (variables[name.toLowerCase()] || variables[name] || "").trim();
}

function portOf(protocol: string): string {
  return protocol === "https:" ? "443" : "80";
}

/** Entries are `*`, a host, or a domain that stands for all hosts below it, each with or without a port. */
function isExempt(host: string, port: string, list: string): boolean {
  return list.split(/[\s,]+/).some((entry) => {
    if (entry === "*") return true;
    const { name = "", only } = /^(?<name>\[.*\]|[^:]*|.*:.*:.*?)(?::(?<only>\d+))?$/.exec(entry)?.groups ?? {};
    const domain = name
      .replace(/^\[(.*)\]$/, "$1")
      .replace(/^\*?\./, "")
      .toLowerCase();
    if (domain === "" || (only !== undefined && only !== port)) return false;
    return host === domain || host.endsWith(`.${domain}`);
  });
}
