import { execFile } from "node:child_process";
import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { jdkTool } from "./java-tools.ts";

const execute = promisify(execFile);
const PASSWORD = "changeit";

/** A certificate and its private key, both PEM. */
export interface Identity {
  readonly cert: string;
  readonly key: string;
}

export interface Certificates {
  /** PEM of the authority that signed both certificates. */
  readonly ca: string;
  /** The certificate is for 127.0.0.1, localhost and service.test. */
  readonly broker: Identity;
  readonly client: Identity;
}

/**
 * A new certificate authority, and two certificates that it signed. `keytool` makes them, since it comes with the Java
 * that the broker needs. `keytool` does not export private keys, so they are read from its PKCS12 file in `folder`.
 *
 * @param more options of keytool's -genkeypair for further certificates, by name.
 */
export async function makeCertificates<Name extends string = never>(
  folder: string,
  more: Readonly<Record<Name, readonly string[]>> = {} as Record<Name, never>,
): Promise<Certificates & Readonly<Record<Name, Identity>>> {
  const store = path.join(folder, "certificates.p12");
  const keytool = (...args: readonly string[]) =>
    execute(jdkTool("keytool"), [...args, "-keystore", store, "-storetype", "PKCS12", "-storepass", PASSWORD]);
  const generate = (name: string, ...args: readonly string[]) =>
    keytool("-genkeypair", "-alias", name, "-dname", `CN=${name}`, ...ellipticCurve, ...args);
  await generate("ca", "-ext", "bc:c", "-ext", "ku=keyCertSign,cRLSign");
  await generate("broker", "-signer", "ca", "-ext", "san=ip:127.0.0.1,dns:localhost,dns:service.test");
  await generate("client", "-signer", "ca");
  for (const [name, args] of Object.entries<readonly string[]>(more)) await generate(name, ...args);

  const { stdout } = await keytool("-list", "-rfc");
  const certificates = [...stdout.matchAll(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g)];
  const keys = privateKeys(await readFile(store));
  const identity = (name: string): Identity => {
    const cert = certificates.map(([pem]) => new X509Certificate(pem)).find(({ subject }) => subject === `CN=${name}`);
    const key = keys.find((each) => cert?.checkPrivateKey(each));
    if (cert === undefined || key === undefined) throw new Error(`keytool made no certificate for ${name}`);
    return { cert: cert.toString(), key: key.export({ type: "pkcs8", format: "pem" }).toString() };
  };
  const others = Object.fromEntries(Object.keys(more).map((name) => [name, identity(name)])) as Record<Name, Identity>;
  return { ...others, ca: identity("ca").cert, broker: identity("broker"), client: identity("client") };
}

/** Elliptic curves, since making their keys takes a hundredth of the time of RSA keys. */
const ellipticCurve = ["-keyalg", "EC", "-groupname", "secp256r1"];

/** DER of 1.2.840.113549.1.12.10.1.2, the marker before each encrypted private key (RFC 7292, section 4.2.2). */
const SHROUDED_KEY_BAG = Buffer.from("060b2a864886f70d010c0a0102", "hex");

/** Every private key of a PKCS12 file. A tag follows the marker, with the encrypted key in a form that Node reads. */
function privateKeys(store: Buffer): KeyObject[] {
  const keys: KeyObject[] = [];
  let mark = store.indexOf(SHROUDED_KEY_BAG);
  while (mark !== -1) {
    const key = contentAt(store, mark + SHROUDED_KEY_BAG.length);
    keys.push(createPrivateKey({ key, format: "der", type: "pkcs8", passphrase: PASSWORD }));
    mark = store.indexOf(SHROUDED_KEY_BAG, mark + 1);
  }
  return keys;
}

/** The content of the DER value that starts at `at`: one byte of tag, then a length of one byte or more. */
function contentAt(der: Buffer, at: number): Buffer {
  const first = der.readUInt8(at + 1);
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  const length = lengthBytes === 0 ? first : der.readUIntBE(at + 2, lengthBytes);
  const start = at + 2 + lengthBytes;
  return der.subarray(start, start + length);
}
