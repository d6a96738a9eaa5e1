import { describe, expect, test } from "vitest";
import {
  PoisoningBatchRequest,
  PoisoningBatchResponse,
  PoisoningSingleResponse,
} from "../../../../src/api/schemas/address-poisoning.ts";
import { readLabelList } from "../../../../src/labels/label-list.ts";
import { screenBatch, screenSingle } from "../../../../src/service/address-poisoning/screen.ts";
import { LabelBook } from "../../../../src/service/labels/label-book.ts";

// Both pairs are public: 2024-05-03 (WBTC) and 2024-11 (PYTH).
const real = "0xd9A1b0B1e1aE382DbDc898Ea68012FfcB2853a91";
const fake = "0xd9A1C3788D81257612E2581A6ea0aDa244853a91";
const solanaReal = "4yfu48qwim7hGzD3Nphzd2A6ThydzysfKi4wBPFSgnhY";
const solanaFake = "4yfuQCL4fnNfSbBgqFcPTFn5GGZABDaEFQLhGpwjizcY";
const bitcoin = "12QtD5BFwRsdNsAZY76UVE1xyCGNTojH9h";
const stranger = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";

const noLabels = LabelBook.of([]);

function labelled(
  ...rows: readonly (readonly [chain: string, address: string, kind: string, name?: string])[]
): LabelBook {
  const list = readLabelList(
    "test",
    rows.map(([chain, address, kind, name = "a label"], i) => ({ line: i + 2, row: { chain, address, kind, name } })),
  );
  expect(list.refused).toEqual([]);
  return LabelBook.of([list]);
}

function single(request: Parameters<typeof screenSingle>[0], labels = noLabels) {
  const answered = screenSingle(request, labels);
  if (!answered.ok) return answered;
  expect(PoisoningSingleResponse.safeParse(answered.body).success).toBe(true);
  return answered.body.data;
}

function batch(request: Partial<Parameters<typeof screenBatch>[0]>, labels = noLabels) {
  const answered = screenBatch(
    PoisoningBatchRequest.parse({ user_addresses: [at("1", stranger)], ...request }),
    labels,
  );
  if (!answered.ok) return answered;
  expect(PoisoningBatchResponse.safeParse(answered.body).success).toBe(true);
  return answered.body.data;
}

const at = (chain_id: string, address: string) => ({ chain_id, address });
const clean = { is_poisoning: "0", mimics_user: "0", mimics_exchange: "0" };

describe("the single form", () => {
  test("a target that resembles the user is flagged, and inputs are echoed as sent", () => {
    const user = real.toLowerCase();

    expect(single({ chain_id: "eth", address: fake, user_address: user })).toEqual({
      target_address: { is_poisoning: "1", mimics_user: "1", mimics_exchange: "0" },
      token_address: {},
      target_address_input: fake,
      user_address_input: user,
      token_address_input: "",
    });
  });

  test("empty optional addresses count as omitted", () => {
    expect(single({ chain_id: "1", address: fake, user_address: "", token_address: "" })).toMatchObject({
      target_address: clean,
      token_address: {},
      user_address_input: "",
      token_address_input: "",
    });
  });

  test("the user's own address is no imitation of the user, in whatever spelling", () => {
    expect(single({ chain_id: "1", address: real, user_address: real.toLowerCase() })).toMatchObject({
      target_address: clean,
    });
  });

  test("the public Solana pair is flagged", () => {
    expect(single({ chain_id: "solana", address: solanaFake, user_address: solanaReal })).toMatchObject({
      target_address: { mimics_user: "1" },
    });
  });

  test("an imitated token is named, with its address in EIP-55 form", () => {
    const labels = labelled(["1", real.toLowerCase(), "token", "Dollar"]);

    expect(single({ chain_id: "1", address: stranger, token_address: fake }, labels)).toMatchObject({
      target_address: clean,
      token_address: { is_poisoning: "1", mimics_top_token: "1", matched_token: "Dollar", matched_address: real },
      token_address_input: fake,
    });
  });

  test.each([
    [{ chain_id: "nowhere", address: "nonsense" }, "unsupportedChain", /^unsupported chainId: nowhere$/],
    [{ chain_id: "1", address: "nonsense", user_address: "nonsense" }, "invalidAddress", /^address: /],
    [{ chain_id: "1", address: "" }, "invalidAddress", /^address: /],
    [
      { chain_id: "1", address: real, user_address: "0x12", token_address: "0x12" },
      "invalidAddress",
      /^user_address: /,
    ],
    [{ chain_id: "1", address: real, token_address: solanaReal }, "invalidAddress", /^token_address: /],
  ] as const)("the request %j is refused", (request, failure, detail) => {
    expect(single(request)).toMatchObject({ ok: false, failure, detail: expect.stringMatching(detail) });
  });
});

describe("targets of a batch", () => {
  test.each(["exchange", "bridge", "protocol"])(
    "a lookalike of a labelled %s is flagged on any chain of the family",
    (kind) => {
      const labels = labelled(["1", real, kind, "Known one"]);

      expect(batch({ target_addresses: [at("56", fake)] }, labels)).toMatchObject({
        target_addresses: [
          {
            is_poisoning: "1",
            mimics_user: "0",
            mimics_exchange: "1",
            matched_address: real,
            matched_name: "Known one",
          },
        ],
      });
    },
  );

  test("a token's label makes its address known on its own chain only", () => {
    const labels = labelled(["1", real, "exchange"], ["56", fake, "token"]);

    expect(batch({ target_addresses: [at("1", fake), at("56", fake)] }, labels)).toMatchObject({
      target_addresses: [
        { is_poisoning: "1", mimics_exchange: "1", matched_address: real },
        { is_poisoning: "0", mimics_exchange: "0" },
      ],
    });
  });

  test.each(["exchange", "bridge", "protocol"])(
    "a labelled %s is no imitation of another label, where its own label holds",
    (kind) => {
      const labels = labelled(["1", real, "exchange"], ["56", fake, kind]);

      expect(batch({ target_addresses: [at("56", fake), at("1", fake)] }, labels)).toMatchObject({
        target_addresses: [clean, { is_poisoning: "1", mimics_exchange: "1", matched_address: real }],
      });
      const wide = labelled(["1", real, "exchange"], ["evm", fake, kind]);
      expect(batch({ target_addresses: [at("56", fake), at("1", fake)] }, wide)).toMatchObject({
        target_addresses: [clean, clean],
      });
    },
  );

  test("a labelled malicious address is flagged, and its imitation is reported as well", () => {
    const malicious = labelled(["1", stranger, "malicious"], ["1", fake, "malicious"], ["1", real, "bridge"]);

    expect(batch({ target_addresses: [at("137", stranger), at("137", fake)] }, malicious)).toMatchObject({
      target_addresses: [
        { ...clean, is_poisoning: "1" },
        { is_poisoning: "1", mimics_exchange: "1", matched_address: real },
      ],
    });
  });

  test.each([
    ["sanctioned", { is_poisoning: "1", listed_as: "sanctioned" }],
    ["malicious", { is_poisoning: "1", listed_as: "blocked" }],
    ["blocked", { is_poisoning: "1", listed_as: "blocked" }],
  ])(
    "an address that a list calls %s is reported as %j on every chain of its family, and imitates nothing",
    (kind, told) => {
      const labels = labelled(["1", real, kind], ["bitcoin", bitcoin, kind]);
      const { is_poisoning, listed_as } = told;
      const token = { is_poisoning, listed_as, mimics_top_token: "0" };

      expect(
        batch(
          { target_addresses: [at("137", real), at("bitcoin", bitcoin)], token_addresses: [at("1", real)] },
          labels,
        ),
      ).toMatchObject({
        target_addresses: [
          { ...clean, ...told },
          { ...clean, ...told },
        ],
        token_addresses: [token],
      });
      expect(single({ chain_id: "1", address: real, token_address: real }, labels)).toMatchObject({
        target_address: { ...clean, ...told },
        token_address: token,
      });
    },
  );

  test("an address on a sanctions list and another list is reported as sanctioned, and an unlisted one is not reported", () => {
    const labels = labelled(["1", real, "blocked"], ["1", real, "sanctioned"], ["1", fake, "allowed"]);

    expect(batch({ target_addresses: [at("1", real)] }, labels)).toMatchObject({
      target_addresses: [{ listed_as: "sanctioned" }],
    });
    expect(JSON.stringify(single({ chain_id: "1", address: fake, token_address: stranger }, labels))).not.toContain(
      "listed_as",
    );
  });

  test("a token that was made to look like Solana's system is flagged", () => {
    const mimic = at("solana", "ComputeBudgetEqSP1oUBXq5fwsQYUBEjGWBX7111111");
    const flags = { is_poisoning: "1", mimics_top_token: "0", mimics_system: "1" };

    expect(batch({ token_addresses: [mimic] })).toMatchObject({ token_addresses: [flags] });
  });

  test("a target is compared with users of every chain of its family, and never with users of other families", () => {
    const users = [at("137", real), at("solana", solanaReal)];

    expect(batch({ user_addresses: users, target_addresses: [at("1", fake), at("solana", solanaFake)] })).toMatchObject(
      {
        target_addresses: [{ mimics_user: "1" }, { mimics_user: "1" }],
      },
    );
    expect(batch({ user_addresses: [at("1", real)], target_addresses: [at("solana", solanaFake)] })).toMatchObject({
      target_addresses: [clean],
    });
  });

  test("a target that equals one user and resembles another is flagged for the other", () => {
    expect(batch({ user_addresses: [at("1", fake), at("1", real)], target_addresses: [at("1", fake)] })).toMatchObject({
      target_addresses: [{ mimics_user: "1", is_poisoning: "1" }],
    });
  });
});

describe("tokens of a batch", () => {
  const labels = labelled(["1", real, "token", "Dollar"], ["56", stranger, "malicious"]);

  test("only tokens of the same chain are imitated", () => {
    expect(batch({ token_addresses: [at("1", fake), at("56", fake)] }, labels)).toMatchObject({
      token_addresses: [
        { is_poisoning: "1", mimics_top_token: "1", matched_token: "Dollar", matched_address: real },
        { is_poisoning: "0", mimics_top_token: "0", matched_token: "" },
      ],
    });
  });

  test("a labelled token of the chain is no imitation, but the same address on another chain is", () => {
    const both = labelled(
      ["1", real, "token", "Dollar"],
      ["1", fake, "token", "Old dollar"],
      ["56", real, "token", "Bridged"],
    );

    expect(batch({ token_addresses: [at("1", fake), at("56", fake)] }, both)).toMatchObject({
      token_addresses: [
        { mimics_top_token: "0", matched_token: "" },
        { mimics_top_token: "1", matched_token: "Bridged" },
      ],
    });
  });

  test("a labelled malicious token is flagged without a match", () => {
    const answered = batch({ token_addresses: [at("1", stranger)] }, labels);

    expect(answered).toEqual({
      target_addresses: [],
      token_addresses: [at("1", stranger)].map((sent) => ({
        ...sent,
        is_poisoning: "1",
        mimics_top_token: "0",
        matched_token: "",
        listed_as: "blocked",
      })),
    });
  });

  test("tokens are not compared with users", () => {
    expect(batch({ user_addresses: [at("1", real)], token_addresses: [at("1", fake)] })).toMatchObject({
      token_addresses: [{ is_poisoning: "0", mimics_top_token: "0" }],
    });
  });
});

describe("batch entries that cannot be read", () => {
  test("a bad target or token carries its error in its place, and other entries are unaffected", () => {
    const items = [at("nowhere", "nonsense"), at("1", "0x12"), at("eth", real)];
    const errors = [
      { ...at("nowhere", "nonsense"), error: { code: "unsupported_chain", detail: "unsupported chainId: nowhere" } },
      { ...at("1", "0x12"), error: { code: "invalid_address", detail: expect.any(String) } },
    ];

    expect(batch({ target_addresses: items, token_addresses: items })).toEqual({
      target_addresses: [...errors, { ...at("eth", real), ...clean }],
      token_addresses: [...errors, { ...at("eth", real), is_poisoning: "0", mimics_top_token: "0", matched_token: "" }],
    });
  });

  test.each([
    [at("1", "0x12"), /^user_addresses\[1\]\.address: /],
    [at("nowhere", real), /^user_addresses\[1\]\.chain_id: unsupported chainId: nowhere$/],
  ])("the bad user %j refuses the whole batch, and the answer names its position", (user, detail) => {
    const answered = batch({ user_addresses: [at("1", real), user], target_addresses: [at("1", fake)] });

    expect(answered).toMatchObject({ ok: false, failure: "schemaMismatch", detail: expect.stringMatching(detail) });
  });
});
