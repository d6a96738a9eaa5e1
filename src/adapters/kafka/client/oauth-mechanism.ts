import kafkajs, { type Mechanism, type OauthbearerProviderResponse } from "kafkajs";

const SEPARATOR = "\u0001";
/** The client's reply to a refused token. Source: RFC 7628, section 3.2.3. */
const GIVE_UP = SEPARATOR;
const LENGTH_BYTES = 4;

/**
 * SASL OAUTHBEARER with tokens of `token`. A broker answers a refused token with the reason, and without an error code.
 * The mechanism of kafkajs takes that answer for success, and every later request fails without a reason.
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
        // The broker waits for this reply, then closes the connection.
        await saslAuthenticate({ request: { encode: () => prefixed(GIVE_UP) } }).catch(() => undefined);
        throw refused(`SASL OAUTHBEARER: the token is refused: ${statusIn(answer)}`);
      },
    }),
  };
}

/** An error as kafkajs throws for a refused password. The types of kafkajs allow no message. */
function refused(message: string): Error {
  return Object.assign(new kafkajs.KafkaJSNonRetriableError(message), { name: "KafkaJSSASLAuthenticationError" });
}

/** The text with its length in front, as the mechanisms of kafkajs encode messages. */
function prefixed(text: string): Buffer {
  const bytes = Buffer.from(text);
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** A status such as invalid_token. Any other answer of a broker is not repeated. */
function statusIn(answer: string): string {
  return /"status"\s*:\s*"([a-z_]{1,40})"/.exec(answer)?.[1] ?? "no reason was given";
}
