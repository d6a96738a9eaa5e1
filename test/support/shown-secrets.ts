import { readFileSync } from "node:fs";

/** Settings that are secret, or that name a file which holds one. */
const SECRET = /(?:API_KEYS?|PASSWORD|SECRET_ACCESS_KEY|SESSION_TOKEN|TLS_KEY)(?<isFile>_FILE)?$/;
/** Shorter ones stand in any text by chance. */
const LEAST_CHARACTERS = 8;

/** Finds the secrets of a process's environment, those in files included, in whatever it shows. */
export class ShownSecrets {
  /** By setting. */
  readonly #secrets: readonly (readonly [setting: string, secret: string])[];

  constructor(env: Readonly<Record<string, string | undefined>>) {
    this.#secrets = Object.entries(env).flatMap(([setting, value = ""]) => {
      const found = SECRET.exec(setting);
      if (found === null) return [];
      const text = found.groups?.["isFile"] === undefined ? value : contentOf(value);
      const secrets = text.split(/[\n,]/).map((each) => each.trim());
      // The head and the foot of a PEM file are no secret.
      const own = secrets.filter((secret) => secret.length >= LEAST_CHARACTERS && !secret.startsWith("-----"));
      return own.map((secret) => [setting, secret] as const);
    });
  }

  /** The settings whose secrets stand in the text. */
  in(text: string): readonly string[] {
    return [...new Set(this.#secrets.filter(([, secret]) => text.includes(secret)).map(([setting]) => setting))];
  }
}

/** A test may name a file that is not there. */
function contentOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
