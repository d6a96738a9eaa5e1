import { toError } from "../../../kernel/errors.ts";
import { type Alert, alertIn, alertRemedy } from "./tls-alert.ts";

/** The settings of a connection attempt. */
export interface Attempt {
  readonly proxy?: { readonly variable: string };
  /** The client certificate of the attempt. */
  readonly identity?: object;
}

const untrusted = "name the file of its authority in SERVICE_TLS_CA_FILE";

/** Remedies by the code of OpenSSL or of the socket. Source: OpenSSL, "X509_STORE_CTX_get_error". */
const remedies: ReadonlyMap<string, string> = new Map([
  ["DEPTH_ZERO_SELF_SIGNED_CERT", untrusted],
  ["SELF_SIGNED_CERT_IN_CHAIN", untrusted],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", untrusted],
  ["UNABLE_TO_GET_ISSUER_CERT", untrusted],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", untrusted],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "name the service in SERVICE_URL as its certificate does"],
  [
    "CERT_HAS_EXPIRED",
    "the certificate of the service, or of its authority, must be renewed, unless the clock of this machine is wrong",
  ],
  ["CERT_NOT_YET_VALID", "see that the clock of this machine is right"],
  ["ERR_SSL_WRONG_VERSION_NUMBER", "no TLS is spoken there: see the scheme and the port of SERVICE_URL"],
]);

/**
 * Failures before any server was reached. With a proxy, the proxy was not reached, since the proxy connects to the
 * service itself.
 */
const unreached = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/;
const proxyStatus = /^Proxy response \((?<status>\d+)\)/;
/** Statuses by which a proxy reports that it reached no server itself. Source: RFC 9110, 15.6. */
const beyondProxy: ReadonlySet<string> = new Set(["502", "503", "504"]);

/** The remedy for a failed connection; undefined where the reason is enough. */
export function connectionRemedy(thrown: unknown, { proxy, identity }: Attempt = {}): string | undefined {
  const error = toError(thrown);
  const alert: Alert | undefined = alertIn(error);
  if (alert !== undefined) return alertRemedy(alert, identity !== undefined);
  const code = String(Reflect.get(error, "code") ?? "");
  if (proxy === undefined) return remedies.get(code);
  const { variable } = proxy;
  const status = proxyStatus.exec(error.message)?.groups?.["status"];
  if (status === "407") return `put the user and password of the proxy into its URL (${variable})`;
  if (status !== undefined && beyondProxy.has(status))
    return `the proxy (${variable}) does not reach this host: see that SERVICE_URL is right, and ask the operator of the proxy`;
  if (status !== undefined)
    return `the proxy (${variable}) does not let this host through: ask its operator, or name the host in NO_PROXY`;
  if (unreached.test(code)) return `the proxy is not reached: see that it runs, and that ${variable} names it`;
  return remedies.get(code);
}
