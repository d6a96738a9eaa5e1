import { readFileSync } from "node:fs";

/** Settings that are secret, or that name a file with a secret. */
const SECRET =
  /(?:API_KEYS?|PASSWORD|SECRET_ACCESS_KEY|SESSION_TOKEN|CLIENT_SECRET|OAUTHBEARER_TOKEN|TLS_KEY)(?<isFile>_FILE)?$/;
/** Settings with URLs, or with files of URLs: keys are in a URL's path, in its query or before its host. */
const URLS = /_RPC_URLS?(?<isFile>_FILE)?$/;
/** Shorter secrets occur in any text by chance. */
const LEAST_CHARACTERS = 8;
/** A shorter segment of a path is a word, as in /solana-mainnet; keys of nodes have 32 and more. */
const LEAST_OF_PATH = 16;

/** Finds the secrets of a process's environment, including secrets in files, in any output of the process. */
export class ShownSecrets {
  /** By setting. */
  readonly #secrets: readonly (readonly [setting: string, secret: string])[];

  constructor(env: Readonly<Record<string, string | undefined>>) {
    this.#secrets = Object.entries(env).flatMap(([setting, value = ""]) => {
      const [secret, urls] = [SECRET.exec(setting), URLS.exec(setting)];
      const found = secret ?? urls;
      if (found === null) return [];
      const text = found.groups?.["isFile"] === undefined ? value : contentOf(value);
      const secrets = secret === null ? keysInUrls(text) : secretsIn(text);
      return secrets.map((each) => [setting, each] as const);
    });
  }

  /** The settings with secrets that occur in the text. */
  in(text: string): readonly string[] {
    return [...new Set(this.#secrets.filter(([, secret]) => text.includes(secret)).map(([setting]) => setting))];
  }
}

function secretsIn(text: string): readonly string[] {
  const secrets = text.split(/[\n,]/).map((each) => each.trim());
  // The head and the foot of a PEM file are no secret.
  return secrets.filter((secret) => secret.length >= LEAST_CHARACTERS && !secret.startsWith("-----"));
}

function keysInUrls(text: string): readonly string[] {
  return [...text.matchAll(/https?:\/\/[^\s",\]}]+/g)].flatMap(([each]) => {
    const url = new URL(each);
    const inPath = url.pathname.split("/").filter((part) => part.length >= LEAST_OF_PATH);
    const others = [url.username, url.password, ...url.searchParams.values()];
    return [...inPath, ...others.filter((part) => part.length >= LEAST_CHARACTERS)];
  });
}

/** A test may name an absent file. */
function contentOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
