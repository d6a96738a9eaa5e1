import { describe, expect, test } from "vitest";
import { type CanonicalAddress, parseAddress } from "../../../../src/chains/address.ts";
import type { Chain } from "../../../../src/chains/chain.ts";
import { findChain } from "../../../../src/chains/registry.ts";
import { emptyBook } from "../../../../src/labels/address-book.ts";
import { type Check, checks } from "../../../../src/messages/checks.ts";
import { plan } from "../../../../src/worker/plan/plan.ts";
import { defaultPolicy, eventOf } from "../../../fakes/events.ts";
import { shippedBook } from "../../../support/address-book.ts";

const { table } = defaultPolicy;
const ethereum = findChain("1");
const target = "0xd9a1c3788d81257612e2581a6ea0ada244853a91";
const user = "0x1e227979f0b5bc691a70deaed2e0f39a6f538fd5";
const token = "0xdac17f958d2ee523a2206206994597c13d831ec7";
const tronTarget = "TA9SpmD6Fne54b4jEWpCDaHUECdJitspmo";
const evm = { type: "address", chain_id: "1", address: target };

const tokenOn: Readonly<Record<string, string>> = { evm: token, tron: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t" };

function canonical(chain: Chain, text: string): CanonicalAddress {
  const parsed = parseAddress(chain.family, text);
  if (!parsed.ok) throw new Error(parsed.detail);
  return parsed.value;
}

const planOf = (fields: Readonly<Record<string, unknown>>) => plan(eventOf(fields), table, emptyBook);
const failure = (check: Check | "event", code: string, detail: string) => ({
  check,
  outcome: "failed",
  cached: false,
  attempts: 0,
  error: { code, detail },
});

test("an address is checked for poisoning, with its own users", () => {
  const fields = {
    ...evm,
    address: "0xD9A1C3788D81257612E2581A6EA0ADA244853A91",
    user_addresses: ["0x1E227979f0b5BC691a70DEAed2e0F39a6F538FD5", user],
  };

  const { subject, requiredChecks, questions, settled } = planOf(fields);

  expect({ subject, requiredChecks, questions, settled }).toEqual({
    subject: { type: "address", chain_id: "1", address: target, user_addresses: [user] },
    requiredChecks: ["poisoning"],
    questions: [{ check: "poisoning", chain: ethereum, target, users: [user], token: undefined }],
    settled: [],
  });
});

test("an address, a user and a token may have the checksum of their chain", () => {
  const fields = {
    ...evm,
    chain_id: "30",
    address: "0x5aaEB6053f3e94c9b9a09f33669435E7ef1bEAeD",
    user_addresses: ["0xFb6916095cA1Df60bb79ce92cE3EA74c37c5d359"],
    token_address: "0xDBF03B407c01E7CD3cBea99509D93F8Dddc8C6FB",
  };

  expect(planOf(fields).subject).toEqual({
    type: "address",
    chain_id: "30",
    address: fields.address.toLowerCase(),
    user_addresses: [fields.user_addresses[0]?.toLowerCase()],
    token_address: fields.token_address.toLowerCase(),
  });
  expect(planOf(fields).settled).toEqual([]);
  expect(planOf({ ...fields, chain_id: "1" }).settled).toMatchObject([{ error: { code: "ADDRESS_INVALID" } }]);
});

test("an address with a token is also checked for token security", () => {
  expect(planOf({ ...evm, token_address: "0xdAC17F958D2ee523a2206206994597C13D831ec7" })).toEqual({
    subject: { type: "address", chain_id: "1", address: target, token_address: token },
    requiredChecks: ["poisoning", "token-security"],
    questions: [
      { check: "poisoning", chain: ethereum, target, users: [], token },
      { check: "token-security", chain: ethereum, token },
    ],
    settled: [],
    parties: { chain: ethereum, addresses: [target, token], users: [] },
  });
});

test("the chain's alias becomes its id", () => {
  expect(planOf({ ...evm, chain_id: "BSC" }).subject).toMatchObject({ chain_id: "56" });
  expect(planOf({ ...evm, chain_id: "BSC" }).questions).toEqual([
    { check: "poisoning", chain: findChain("56"), target, users: [], token: undefined },
  ]);
});

describe("checks that the event asks for", () => {
  test("the event's checks are added to the required ones, once", () => {
    const { requiredChecks, questions } = planOf({ ...evm, checks: ["classification", "poisoning", "classification"] });

    expect(requiredChecks).toEqual(["poisoning", "classification"]);
    expect(questions).toEqual([
      { check: "poisoning", chain: ethereum, target, users: [], token: undefined },
      { check: "classification", chain: ethereum, address: target },
    ]);
  });

  test("the event's checks never remove a required one", () => {
    expect(planOf({ ...evm, checks: [] }).requiredChecks).toEqual(["poisoning"]);
    expect(planOf({ ...evm, token_address: token, checks: ["classification"] }).requiredChecks).toEqual([
      "poisoning",
      "token-security",
      "classification",
    ]);
  });

  test.each(["solana-simulation", "tron-security"])("%s fails for an address", (check) => {
    expect(planOf({ ...evm, checks: [check] }).settled).toEqual([
      failure(check as Check, "CHECK_UNSUPPORTED", `${check} does not apply to an address on Ethereum`),
    ]);
  });

  describe("the check payment, which treats the address as the recipient,", () => {
    const book = shippedBook(
      ...[ethereum, findChain("tron")].flatMap((chain) =>
        chain === undefined
          ? []
          : [{ kind: "token", chain, address: canonical(chain, tokenOn[chain.family] ?? ""), name: "USDT" } as const],
      ),
    );
    const found = (fields: object) =>
      plan(eventOf({ ...evm, checks: ["payment"], ...fields }), table, book).settled.map(({ data }) => data);
    const mistake = (name: string, to: string, more: object = {}) => [{ mistakes: [{ mistake: name, to, ...more }] }];

    test("reports a burn address on every family", () => {
      const nobody = `0x${"0".repeat(40)}`;
      const eater = "1BitcoinEaterAddressDontSendf59kuE";

      expect(found({ address: nobody })).toEqual(mistake("to_burn_address", nobody));
      expect(found({ chain_id: "bitcoin", address: eater })).toEqual(mistake("to_burn_address", eater));
      const hole = "TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy";
      expect(found({ chain_id: "tron", address: hole })).toEqual(mistake("to_burn_address", hole));
    });

    test("reports a token's contract", () => {
      expect(found({ address: token })).toEqual(mistake("to_token_contract", token));
      const usdt = tokenOn["tron"] ?? "";
      expect(found({ chain_id: "tron", address: usdt })).toEqual(mistake("to_token_contract", usdt));
      const itself = found({ address: target, token_address: target });
      expect(itself).toEqual(mistake("to_token_contract", target, { token: target }));
    });

    test("finds nothing for other addresses, and is made only if it is required", () => {
      expect(found({})).toEqual([{ mistakes: [] }]);
      expect(found({ address: token, checks: [] })).toEqual([]);
    });
  });

  test("classification fails off the EVM family", () => {
    const fields = { type: "address", chain_id: "tron", address: tronTarget, checks: ["classification"] };

    expect(planOf(fields).settled).toEqual([
      failure("classification", "CHECK_UNSUPPORTED", "classification does not apply to an address on TRON"),
    ]);
  });

  test("token-security cannot be made without a token", () => {
    const { questions, settled } = planOf({ ...evm, checks: ["token-security"] });

    expect(questions.map(({ check }) => check)).toEqual(["poisoning"]);
    expect(settled).toEqual([
      {
        check: "token-security",
        outcome: "failed",
        cached: false,
        attempts: 0,
        error: { code: "CHECK_UNSUPPORTED", detail: "token-security needs a token_address" },
      },
    ]);
  });
});

test("token-security does not apply to a TRON token, but its poisoning check does", () => {
  const fields = {
    type: "address",
    chain_id: "tron",
    address: tronTarget,
    token_address: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
  };

  const { questions, settled } = planOf(fields);

  expect(questions).toEqual([
    {
      check: "poisoning",
      chain: findChain("tron"),
      target: tronTarget,
      users: [],
      token: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
    },
  ]);
  expect(settled).toEqual([
    {
      check: "token-security",
      outcome: "not_applicable",
      cached: false,
      attempts: 0,
      error: { code: "CHECK_UNSUPPORTED", detail: "only EVM chains have it" },
    },
  ]);
});

describe("questions that cannot be sent are settled as failed", () => {
  const checksum = "EIP-55 checksum does not match: check each letter and its case";

  test("an unknown chain refuses the event, with its subject as it was given", () => {
    expect(planOf({ ...evm, chain_id: "Nowhere", address: "0xABC", user_addresses: ["X", "X"] })).toEqual({
      subject: { type: "address", chain_id: "Nowhere", address: "0xABC", user_addresses: ["X"] },
      requiredChecks: [],
      questions: [],
      settled: [failure("event", "CHAIN_UNSUPPORTED", 'unknown chain "Nowhere"')],
    });
  });

  test("a long chain name is clipped", () => {
    expect(planOf({ ...evm, chain_id: "x".repeat(41) }).settled[0]?.error?.detail).toBe(
      `unknown chain "${"x".repeat(40)}…"`,
    );
    expect(planOf({ ...evm, chain_id: "x".repeat(40) }).settled[0]?.error?.detail).toBe(
      `unknown chain "${"x".repeat(40)}"`,
    );
  });

  test("an invalid address refuses the event", () => {
    const address = "0xd9a1b0B1e1aE382DbDc898Ea68012FfcB2853a91";

    expect(planOf({ ...evm, address, checks: ["classification"] })).toEqual({
      subject: { type: "address", chain_id: "1", address },
      requiredChecks: [],
      questions: [],
      settled: [failure("event", "ADDRESS_INVALID", `address: ${checksum}`)],
    });
  });

  test("an invalid user beside a valid one is named with its index, if no other question is sent", () => {
    const { questions } = planOf({ ...evm, user_addresses: [user, "0xnope"] });

    expect(questions).toMatchObject([
      {
        check: "poisoning",
        users: [user.toLowerCase()],
        omits: { code: "USER_ADDRESS_INVALID", detail: "user_addresses[1]: character 3 is not a hex digit" },
      },
    ]);
  });

  test("an invalid user is named with its index, and the other users are compared all the same", () => {
    const { questions, settled, subject } = planOf({
      ...evm,
      user_addresses: [user, "0xnope", "also bad"],
      token_address: token,
      checks: ["classification"],
    });

    expect(settled).toEqual([]);
    expect(questions.map(({ check }) => check)).toEqual(["poisoning", "token-security", "classification"]);
    expect(questions[0]).toMatchObject({
      users: [user.toLowerCase()],
      token: token.toLowerCase(),
      omits: { code: "USER_ADDRESS_INVALID", detail: "user_addresses[1]: character 3 is not a hex digit" },
    });
    expect(subject).toMatchObject({ user_addresses: [user, "0xnope", "also bad"] });
  });

  test("an invalid token fails its own check, and the address is compared without it", () => {
    const { questions, settled, requiredChecks } = planOf({
      ...evm,
      token_address: "0x1",
      user_addresses: ["bad"],
      checks: ["classification"],
    });
    const detail = "token_address: must have 40 hex digits after 0x, has 1";

    expect(requiredChecks).toEqual(["poisoning", "token-security", "classification"]);
    expect(settled).toEqual([failure("token-security", "TOKEN_ADDRESS_INVALID", detail)]);
    expect(questions.map(({ check }) => check)).toEqual(["poisoning", "classification"]);
    expect(questions[0]).toMatchObject({
      users: [],
      token: undefined,
      omits: { code: "TOKEN_ADDRESS_INVALID", detail },
    });
  });

  test.each(["bitcoin"])("a transaction on %s cannot be decoded yet", (chain) => {
    const { settled, questions, requiredChecks, subject } = planOf({
      type: "transaction",
      chain_id: chain,
      transaction: { to: "a" },
      user_addresses: ["b"],
    });

    expect(questions).toEqual([]);
    expect(requiredChecks).toEqual([]);
    expect(settled).toEqual([
      failure("event", "SUBJECT_UNSUPPORTED", `transactions on ${findChain(chain)?.name} cannot be decoded yet`),
    ]);
    expect(subject).toEqual({
      type: "transaction",
      chain_id: chain,
      user_addresses: ["b"],
      transaction_sha256: "6aaffc65ba7919416bca2bd0c2a3ca626e9614409fe53e9f53882d9b2f56a2e4",
    });
  });
});

test("every required check is either sent or settled", () => {
  const everything = checks.filter((check) => check !== "poisoning");
  const cases = [
    evm,
    { ...evm, token_address: token },
    { ...evm, token_address: "bad" },
    { ...evm, user_addresses: ["bad"] },
    { type: "address", chain_id: "tron", address: tronTarget },
    { type: "address", chain_id: "tron", address: tronTarget, token_address: tronTarget },
    { type: "address", chain_id: "bitcoin", address: "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa" },
  ];

  for (const fields of cases) {
    const { requiredChecks, questions, settled } = planOf({ ...fields, checks: everything });
    // `listed` is made with the verdict, by the lists of that time.
    const covered = ["listed", ...[...questions, ...settled].map(({ check }) => check)];

    expect(covered.toSorted()).toEqual(requiredChecks.toSorted());
    expect(requiredChecks.toSorted()).toEqual(checks.toSorted());
  }
});
