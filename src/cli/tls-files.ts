import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import { ConfigInvalidError, toError } from "../kernel/errors.ts";
import { Secret } from "../kernel/secret.ts";

/** What a client trusts, and what it shows of itself; PEM. */
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
  const ca = await contentOf(files.ca);
  if (ca !== undefined) tryOut(files.ca.setting, { ca });
  if (ca !== undefined && !ca.includes("-----BEGIN CERTIFICATE-----"))
    throw unusableFile(files.ca.setting, "it holds no PEM certificate");
  const trusted = ca === undefined ? {} : { ca };
  const [cert, key] = [await contentOf(files.cert), await contentOf(files.key)];
  if (cert === undefined || key === undefined) return trusted;
  tryOut(files.cert.setting, { cert });
  tryOut(files.key.setting, { cert, key });
  return { ...trusted, identity: { cert, key: new Secret(key) } };
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

/** OpenSSL's messages name what is wrong with a file, and nothing of what is in it. */
function tryOut(setting: string, pem: { readonly ca?: string; readonly cert?: string; readonly key?: string }): void {
  try {
    createSecureContext(pem);
  } catch (thrown) {
    throw unusableFile(setting, toError(thrown).message);
  }
}
