import { fail, ok, type Result } from "../../../kernel/result.ts";
import { isExempt } from "./no-proxy.ts";
import { isLoopback, isLoopbackName } from "./refused-address.ts";

/** Variables of the environment, by name. */
type Variables = Readonly<Record<string, string | undefined>>;

/** A proxy, and the variable that names it. */
export interface NamedProxy {
  readonly url: URL;
  readonly variable: string;
}

/**
 * The proxy for requests to `url`, by HTTPS_PROXY or HTTP_PROXY, or else by ALL_PROXY; undefined for none. A name in
 * lower case comes before its form in upper case. The first variable that is set decides; an empty variable means no
 * proxy. A host of this machine has no proxy. A failure names the variable and never its value, which may hold a
 * password.
 *
 * Source: curl, "Environment variables"; undici, `EnvHttpProxyAgent`, for empty variables.
 */
export function proxyFor(url: string, variables: Variables): Result<NamedProxy | undefined> {
  const { protocol, hostname, port } = new URL(url);
  const isTls = protocol === "https:";
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const own = isTls ? "HTTPS_PROXY" : "HTTP_PROXY";
  const variable = setOf([own, "ALL_PROXY"], variables);
  const text = textOf(variable, variables);
  if (variable === undefined || text === "" || isLoopback(host) || isLoopbackName(host)) return ok(undefined);
  const exempt = textOf(setOf(["NO_PROXY"], variables), variables);
  if (isExempt({ host, port: port === "" ? portOf(isTls) : port }, exempt)) return ok(undefined);
  if (/^socks\w*:/i.test(text)) {
    const instead = `name an http or https proxy in ${own}, or the host of the service in NO_PROXY`;
    return fail(`${variable}: SOCKS proxies are not supported: ${instead}`);
  }
  const proxy = URL.parse(text.includes("://") ? text : `http://${text}`);
  if (proxy === null || proxy.hostname === "") return fail(`${variable}: is not the URL of a proxy`);
  if (proxy.protocol !== "http:" && proxy.protocol !== "https:")
    return fail(`${variable}: the proxy must be http or https, and is ${proxy.protocol.slice(0, -1)}`);
  return ok({ url: proxy, variable });
}

/** The first variable that is set, even when it is empty. */
function setOf(names: readonly string[], variables: Variables): string | undefined {
  return names.flatMap((name) => [name.toLowerCase(), name]).find((name) => variables[name] !== undefined);
}

function textOf(name: string | undefined, variables: Variables): string {
  return (name === undefined ? undefined : variables[name])?.trim() ?? "";
}

function portOf(isTls: boolean): string {
  return isTls ? "443" : "80";
}
