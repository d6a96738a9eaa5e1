import kafkajs, { type Mechanism, type OauthbearerProviderResponse } from "kafkajs";

const SEPARATOR = "\u0001";
/** What a client says once it knows that it is refused. Source: RFC 7628, section 3.2.3. */
const GIVE_UP = SEPARATOR;
const LENGTH_BYTES = 4;

/**
 * SASL OAUTHBEARER with tokens of `token`. A broker answers to a token that it refuses with the reason, and without an
 * error code: kafkajs's own mechanism takes that for success, and every request after it fails for no reason.
 */
export function oauthMechanism(token: () => Promise<OauthbearerProviderResponse>): Mechanism {
  return {
    mechanism: "oauthbearer",
    authenticationProvider: ({ saslAuthenticate }) => ({
      authenticate: async () => {
        const { value } = await token();
        const said = `n,,${SEPARATOR}auth=Bearer ${value}${SEPARATOR}${SEPARATOR}`;
        const answer = await saslAuthenticate({
          request: { encode: () => prefixed(said) },
          response: { decode: (bytes) => bytes.subarray(LENGTH_BYTES), parse: (bytes) => bytes.toString("utf8") },
        });
        if (answer === undefined || answer === "") return;
        // The broker waits for this word, and closes the connection.
        await saslAuthenticate({ request: { encode: () => prefixed(GIVE_UP) } }).catch(() => undefined);
        throw refused(`SASL OAUTHBEARER: the token is refused: ${statusIn(answer)}`);
      },
    }),
  };
}

/** As kafkajs throws where a password is refused; its types let no message be given. */
function refused(message: string): Error {
  return Object.assign(new kafkajs.KafkaJSNonRetriableError(message), { name: "KafkaJSSASLAuthenticationError" });
}

/** With its length in front, as the mechanisms of kafkajs write what they say. */
function prefixed(text: string): Buffer {
  const bytes = Buffer.from(text);
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** Such as invalid_token. A broker that says anything else is not repeated. */
function statusIn(answer: string): string {
  return /"status"\s*:\s*"([a-z_]{1,40})"/.exec(answer)?.[1] ?? "no reason was given";
}
