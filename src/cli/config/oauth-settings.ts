import { readFile } from "node:fs/promises";
import { checkedUrl } from "../../adapters/http/connection/checked-url.ts";
import { oauthTokens } from "../../adapters/kafka/client/oauth-token.ts";
import { systemClock } from "../../kernel/clock.ts";
import { ConfigInvalidError } from "../../kernel/errors.ts";
import { Secret } from "../../kernel/secret.ts";
import type { KafkaConfig } from "./config.ts";
import { contentOf, unusableFile } from "./tls-files.ts";

const ENDPOINT = "KAFKA_SASL_OAUTHBEARER_TOKEN_ENDPOINT_URL";
const TOKEN_FILE = "KAFKA_SASL_OAUTHBEARER_TOKEN_FILE";
const CLIENT_ID = "KAFKA_SASL_OAUTHBEARER_CLIENT_ID";
const SECRET = "KAFKA_SASL_OAUTHBEARER_CLIENT_SECRET";
const SECRET_FILE = "KAFKA_SASL_OAUTHBEARER_CLIENT_SECRET_FILE";
const SCOPE = "KAFKA_SASL_OAUTHBEARER_SCOPE";

/** The conflicts between the OAUTHBEARER variables, or with the mechanism. */
export function* wrongOauth(config: KafkaConfig): Iterable<string> {
  const endpointOnly = [CLIENT_ID, SECRET, SECRET_FILE, SCOPE] as const;
  if (config.KAFKA_SASL_MECHANISM !== "oauthbearer") {
    for (const name of [ENDPOINT, TOKEN_FILE, ...endpointOnly] as const)
      if (config[name] !== undefined) yield `${name} is set, and KAFKA_SASL_MECHANISM is not oauthbearer`;
    return;
  }
  const hasEndpoint = config[ENDPOINT] !== undefined;
  if (hasEndpoint === (config[TOKEN_FILE] !== undefined)) {
    yield `KAFKA_SASL_MECHANISM oauthbearer needs ${ENDPOINT} or ${TOKEN_FILE}, and not both`;
  }
  if (!hasEndpoint) {
    for (const name of endpointOnly) if (config[name] !== undefined) yield `${name} is set, and ${ENDPOINT} is not`;
    return;
  }
  if (config[CLIENT_ID] === undefined) yield `${ENDPOINT} needs ${CLIENT_ID}`;
  if ((config[SECRET] === undefined) === (config[SECRET_FILE] === undefined)) {
    yield `${ENDPOINT} needs ${SECRET} or ${SECRET_FILE}, and not both`;
  }
}

/**
 * The function that returns a token for each authentication. @throws {ConfigInvalidError} for an unusable file or URL.
 */
export async function oauthOf(config: KafkaConfig): Promise<() => Promise<{ readonly value: string }>> {
  const deps = { clock: systemClock, fetch, readFile: (file: string) => readFile(file, "utf8") };
  const { [TOKEN_FILE]: tokenFile, [ENDPOINT]: endpoint = "", [CLIENT_ID]: clientId = "", [SCOPE]: scope } = config;
  if (tokenFile !== undefined) {
    await contentOf({ setting: TOKEN_FILE, file: tokenFile });
    return oauthTokens({ tokenFile }, deps);
  }
  await secretOf(config);
  const source = {
    endpoint: checkedEndpoint(endpoint),
    clientId,
    clientSecret: () => secretOf(config),
    ...(scope === undefined ? {} : { scope }),
  };
  return oauthTokens(source, deps);
}

function checkedEndpoint(text: string): string {
  const danger = "learn the client secret";
  const instead = "name the endpoint's https URL";
  return checkedUrl(text, {
    setting: ENDPOINT,
    credentials: `${CLIENT_ID} and ${SECRET} have a place of their own`,
    whole: "give the whole URL of the token endpoint",
    mayHaveQuery: true,
    http: { allowed: false, danger, instead },
  });
}

async function secretOf({ [SECRET]: given, [SECRET_FILE]: file }: KafkaConfig): Promise<Secret> {
  const kept = await contentOf({ setting: SECRET_FILE, file });
  // The line end that an editor leaves is no part of a secret.
  const secret = kept?.replace(/\r?\n$/, "") ?? given ?? "";
  if (secret === "")
    throw file === undefined ? new ConfigInvalidError(`${SECRET} is empty`) : unusableFile(SECRET_FILE, "it is empty");
  return new Secret(secret);
}
