import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import { ConfigInvalidError, toError } from "../../kernel/errors.ts";
import { Secret } from "../../kernel/secret.ts";

/** The trusted authorities, and the client's certificate and key; PEM. */
export interface TlsFiles {
  readonly ca?: string;
  readonly identity?: { readonly cert: string; readonly key: Secret };
}

/** A file and the variable that names it. */
export interface NamedFile {
  readonly setting: string;
  readonly file: string | undefined;
}

/** @throws {ConfigInvalidError} naming the variable of a file that cannot be read or used, and never its content. */
export async function readTlsFiles(files: Readonly<Record<"ca" | "cert" | "key", NamedFile>>): Promise<TlsFiles> {
  const ca = await pemOf(files.ca, "x509");
  if (ca !== undefined) refuseOther(files.ca, ca, { ca });
  const trusted = ca === undefined ? {} : { ca };
  const [cert, key] = [await pemOf(files.cert, "x509"), await pemOf(files.key, "pkey")];
  if (cert === undefined || key === undefined) return trusted;
  refuseOther(files.cert, cert, { cert });
  refuseOtherKey(files, { cert, key });
  return { ...trusted, identity: { cert, key: new Secret(key) } };
}

/** @param command of openssl that converts such a file to PEM. */
async function pemOf(named: NamedFile, command: "x509" | "pkey"): Promise<string | undefined> {
  const content = await contentOf(named);
  // DER begins with the tag of a sequence, and PKCS #12 is DER.
  if (content?.startsWith("0") !== true || content.includes("-----BEGIN ")) return content;
  const how = `openssl ${command} -inform der -in FILE -out FILE.pem`;
  throw unusableFile(named.setting, `it is binary (DER), and must be PEM: \`${how}\` writes one`);
}

const CERTIFICATE = /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----/;
const PRIVATE_KEY = /-----BEGIN (?:\w+ )?PRIVATE KEY-----/;
const ENCRYPTED = /-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m;

/** @throws {ConfigInvalidError} unless the file holds certificates. */
function refuseOther({ setting }: NamedFile, text: string, pem: Pem): void {
  if (!CERTIFICATE.test(text)) throw unusableFile(setting, "it holds no PEM certificate");
  const why = whyUnusable(pem);
  if (why !== undefined) throw unusableFile(setting, why.message);
}

/** @throws {ConfigInvalidError} unless the key belongs to the certificate. */
function refuseOtherKey(files: Readonly<Record<"cert" | "key", NamedFile>>, pem: Required<Omit<Pem, "ca">>): void {
  const { setting } = files.key;
  const decrypt = "`openssl pkey -in FILE -out FILE.pem` decrypts it";
  if (ENCRYPTED.test(pem.key))
    throw unusableFile(setting, `its key is encrypted, and no passphrase can be given: ${decrypt}`);
  if (!PRIVATE_KEY.test(pem.key)) throw unusableFile(setting, "it holds no PEM private key");
  const why = whyUnusable(pem);
  if (why === undefined) return;
  const isOther = /_KEY_(?:VALUES|TYPE)_MISMATCH$/.test(String(Reflect.get(why, "code")));
  const other = `its key is not that of the first certificate in the file of ${files.cert.setting}`;
  throw unusableFile(setting, isOther ? other : why.message);
}

export function unusableFile(setting: string, why: string): ConfigInvalidError {
  return new ConfigInvalidError(`${setting} names a file that cannot be used: ${why}`);
}

/** @throws {ConfigInvalidError} naming the variable and the file. */
export async function contentOf({ setting, file }: NamedFile): Promise<string | undefined> {
  if (file === undefined) return undefined;
  try {
    return await readFile(file, "utf8");
  } catch (thrown) {
    throw new ConfigInvalidError(`${setting}: cannot read ${file}: ${toError(thrown).message}`);
  }
}

interface Pem {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** OpenSSL's messages name the fault of a file, and no content of the file. */
function whyUnusable(pem: Pem): Error | undefined {
  try {
    createSecureContext(pem);
    return undefined;
  } catch (thrown) {
    return toError(thrown);
  }
}
