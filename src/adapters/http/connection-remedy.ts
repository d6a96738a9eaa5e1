import { toError } from "../../kernel/errors.ts";

const untrusted = "name the file of its authority in SERVICE_TLS_CA_FILE";
const unshown = "name this client's certificate and key in SERVICE_TLS_CERT_FILE and SERVICE_TLS_KEY_FILE";

/** By the code of OpenSSL or of the socket. Source: OpenSSL, "X509_STORE_CTX_get_error". */
const remedies: ReadonlyMap<string, string> = new Map([
  ["DEPTH_ZERO_SELF_SIGNED_CERT", untrusted],
  ["SELF_SIGNED_CERT_IN_CHAIN", untrusted],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", untrusted],
  ["UNABLE_TO_GET_ISSUER_CERT", untrusted],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", untrusted],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "name the service in SERVICE_URL as its certificate does"],
  ["CERT_HAS_EXPIRED", "its certificate must be renewed"],
  ["CERT_NOT_YET_VALID", "see that the clock of this machine is right"],
]);

/** Alerts by which a server refuses the certificate of a client, or that there is none. Source: RFC 8446, 6.2. */
const refusedClient =
  /ALERT_(?:CERTIFICATE_|BAD_CERTIFICATE|UNKNOWN_CA|UNSUPPORTED_CERTIFICATE|ACCESS_DENIED|HANDSHAKE_FAILURE)/;
const proxyStatus = /^Proxy response \((?<status>\d+)\)/;

/** What an operator does about a connection that was not made; undefined where the reason says it all. */
export function connectionRemedy(thrown: unknown): string | undefined {
  const error = toError(thrown);
  const code = String(Reflect.get(error, "code") ?? "");
  if (refusedClient.test(code)) return unshown;
  const status = proxyStatus.exec(error.message)?.groups?.["status"];
  if (status === "407") return "put the user and password of the proxy into its URL (HTTPS_PROXY)";
  if (status !== undefined)
    return "the proxy (HTTPS_PROXY) does not let this host through: ask its operator, or name the host in NO_PROXY";
  return remedies.get(code);
}
