import { describe, expect, test } from "vitest";
import { connectionRemedy } from "../../../../../src/adapters/http/connection/connection-remedy.ts";

/** An error in the form that OpenSSL has for an alert of a server. */
const alert = (number: number) =>
  new Error(`0:error:0A000410:SSL routines:ssl3_read_bytes:x:SSL alert number ${number}\n`);
const coded = (code: string, message = "why") => Object.assign(new Error(message), { code });
const tunnel = (status: number) => new Error(`Proxy response (${status}) !== 200 when HTTP Tunneling`);
const set = "SERVICE_TLS_CERT_FILE and SERVICE_TLS_KEY_FILE";

describe("an alert", () => {
  test.each<[number, string, string]>([
    [
      40,
      `"handshake failure": the server says no more`,
      `if a client certificate is wanted, name this client's certificate and key in ${set}`,
    ],
    [42, `"bad certificate": the server may want a client certificate`, set],
    [48, `"unknown CA": the server does not know an authority`, "ask its operator"],
    [49, `"access denied": the server does not let this client in`, "ask its operator"],
    [70, `"protocol version": the server takes no TLS version that is offered`, "1.2 and 1.3"],
    [71, `"insufficient security": the server wants stronger ciphers`, "ask its operator"],
    [112, `"unrecognized name": the server does not know the host`, "SERVICE_URL"],
    [116, `"certificate required": the server wants a client certificate`, set],
  ])("alert %i to a client without a certificate leads to the remedy %s", (number, begin, end) => {
    const remedy = connectionRemedy(alert(number));

    expect(remedy).toContain(`TLS alert ${begin}`);
    expect(remedy).toContain(end);
  });

  test.each([
    [40, "whether the certificate in SERVICE_TLS_CERT_FILE is accepted"],
    [42, "the server refuses the certificate in SERVICE_TLS_CERT_FILE"],
    [43, "the server does not support the certificate in SERVICE_TLS_CERT_FILE"],
    [44, "the server takes for revoked the certificate in SERVICE_TLS_CERT_FILE"],
    [45, "the server takes for expired the certificate in SERVICE_TLS_CERT_FILE"],
    [46, "the server refuses the certificate in SERVICE_TLS_CERT_FILE"],
    [48, "the server does not know the authority of the certificate in SERVICE_TLS_CERT_FILE"],
    [49, "the server takes the certificate in SERVICE_TLS_CERT_FILE for valid"],
    [116, "did not take the certificate in SERVICE_TLS_CERT_FILE"],
  ])("alert %i to a client with a certificate leads to %s, and never to set a certificate", (number, told) => {
    const remedy = connectionRemedy(alert(number), { identity: {} });

    expect(remedy).toContain(told);
    expect(remedy).not.toContain("name this client's");
  });

  test("without a meaning for an operator has no remedy", () => {
    expect(connectionRemedy(alert(80))).toBeUndefined();
  });
});

describe("through a proxy", () => {
  test.each([
    [tunnel(407), "put the user and password of the proxy into its URL (all_proxy)"],
    [tunnel(403), "the proxy (all_proxy) does not let this host through"],
    [tunnel(502), "the proxy (all_proxy) does not reach this host"],
    [tunnel(504), "the proxy (all_proxy) does not reach this host"],
    [coded("ECONNREFUSED"), "the proxy is not reached: see that it runs, and that all_proxy names it"],
    [coded("ENOTFOUND"), "the proxy is not reached"],
    [coded("UND_ERR_CONNECT_TIMEOUT"), "the proxy is not reached"],
    [coded("CERT_HAS_EXPIRED"), "must be renewed"],
  ])("%s: the message names the variable that was in force", (thrown, told) => {
    expect(connectionRemedy(thrown, { proxy: { variable: "all_proxy" } })).toContain(told);
  });
});

test.each([
  ["ERR_TLS_CERT_ALTNAME_INVALID", "name the service in SERVICE_URL as its certificate does"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "SERVICE_TLS_CA_FILE"],
  ["ERR_SSL_WRONG_VERSION_NUMBER", "no TLS is spoken there"],
  ["ECONNREFUSED", undefined],
])("%s: %s", (code, told) => {
  const remedy = connectionRemedy(coded(code));

  if (told === undefined) expect(remedy).toBeUndefined();
  else expect(remedy).toContain(told);
});
