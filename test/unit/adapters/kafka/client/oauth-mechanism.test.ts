import type { AuthenticationProviderArgs } from "kafkajs";
import { expect, test } from "vitest";
import { oauthMechanism } from "../../../../../src/adapters/kafka/client/oauth-mechanism.ts";

/** An authentication with a broker that gives these answers in turn, and the messages to the broker. */
async function authenticated(...answers: readonly string[]) {
  const told: string[] = [];
  const saslAuthenticate: AuthenticationProviderArgs["saslAuthenticate"] = async ({ request, response }) => {
    const bytes = await request.encode();
    expect(bytes.readInt32BE()).toBe(bytes.length - 4);
    const answer = answers[told.push(bytes.toString("utf8", 4)) - 1];
    if (answer === undefined) throw new Error("the broker hangs up");
    return response?.parse(await response.decode(Buffer.from(`\0\0\0\0${answer}`)));
  };
  const { mechanism, authenticationProvider } = oauthMechanism(async () => ({ value: "a.b.c" }));
  const provided = { host: "broker", port: 9092, saslAuthenticate } as AuthenticationProviderArgs;
  const thrown: unknown = await authenticationProvider(provided)
    .authenticate()
    .catch((each: unknown) => each);
  return { mechanism, told, thrown };
}

test("a token is sent in the form of RFC 7628, and a broker without an answer accepts it", async () => {
  expect(await authenticated("")).toEqual({
    mechanism: "oauthbearer",
    told: ["n,,\u0001auth=Bearer a.b.c\u0001\u0001"],
    thrown: undefined,
  });
});

test.each([
  ['{"status":"invalid_token","scope":"x"}', "invalid_token"],
  ['{"status":"<b>a.b.c"}', "no reason was given"],
  ["a page", "no reason was given"],
])("a broker that answers refuses the token: %s", async (answer, reason) => {
  const { told, thrown } = await authenticated(answer);

  expect(told).toEqual([expect.any(String), "\u0001"]);
  expect(thrown).toMatchObject({
    name: "KafkaJSSASLAuthenticationError",
    retriable: false,
    message: `SASL OAUTHBEARER: the token is refused: ${reason}`,
  });
});
