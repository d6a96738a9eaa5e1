/** TLS alerts by which a server ends a handshake. Source: RFC 8446, 6. */
const alerts = {
  40: "handshake failure",
  42: "bad certificate",
  43: "unsupported certificate",
  44: "certificate revoked",
  45: "certificate expired",
  46: "certificate unknown",
  48: "unknown CA",
  49: "access denied",
  70: "protocol version",
  71: "insufficient security",
  112: "unrecognized name",
  116: "certificate required",
} as const;
export type Alert = keyof typeof alerts;

const UNSHOWN = "name this client's certificate and key in SERVICE_TLS_CERT_FILE and SERVICE_TLS_KEY_FILE";
const SHOWN = "the certificate in SERVICE_TLS_CERT_FILE";

/** The remedy for an alert: for a client that sent a certificate, and for one without. */
const remedies: Readonly<Record<Alert, string | { readonly shown: string; readonly unshown: string }>> = {
  40: {
    shown: `the server says no more: ask its operator whether ${SHOWN} is accepted, and which ciphers are`,
    unshown: `the server says no more: ask its operator which ciphers are accepted, and if a client certificate is wanted, ${UNSHOWN}`,
  },
  42: refused("refuses"),
  43: refused("does not support"),
  44: refused("takes for revoked"),
  45: refused("takes for expired"),
  46: refused("refuses"),
  48: {
    shown: `the server does not know the authority of ${SHOWN}: have one issued by an authority that it knows, and add those in between to the file`,
    unshown: "the server does not know an authority, and no client certificate was shown: ask its operator",
  },
  49: {
    shown: `the server takes ${SHOWN} for valid and does not let it in: ask its operator`,
    unshown: "the server does not let this client in: ask its operator",
  },
  70: "the server takes no TLS version that is offered, which are 1.2 and 1.3",
  71: "the server wants stronger ciphers than are offered: ask its operator which",
  112: "the server does not know the host in SERVICE_URL",
  116: {
    shown: `the server wants a client certificate, and did not take ${SHOWN}: ask its operator which authorities it accepts`,
    unshown: `the server wants a client certificate: ${UNSHOWN}`,
  },
};

/** The alert in an error of OpenSSL. Undefined for no alert, and for an alert without a remedy. */
export function alertIn({ message }: Error): Alert | undefined {
  const told = Number(/SSL alert number (?<number>\d+)/.exec(message)?.groups?.["number"]);
  return told in alerts ? (told as Alert) : undefined;
}

/** The remedy for an alert. @param isShown whether the client sent a certificate. */
export function alertRemedy(alert: Alert, isShown: boolean): string {
  const remedy = remedies[alert];
  const told = typeof remedy === "string" ? remedy : remedy[isShown ? "shown" : "unshown"];
  return `TLS alert "${alerts[alert]}": ${told}`;
}

function refused(how: string): { readonly shown: string; readonly unshown: string } {
  return {
    shown: `the server ${how} ${SHOWN}: renew it, or ask the operator of the server which it accepts`,
    unshown: `the server may want a client certificate: ${UNSHOWN}`,
  };
}
