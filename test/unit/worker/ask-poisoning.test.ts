import { describe, expect, test } from "vitest";
import { type CanonicalAddress, parseAddress } from "../../../src/chains/address.ts";
import type { Chain } from "../../../src/chains/chain.ts";
import { findChain } from "../../../src/chains/registry.ts";
import type { PoisoningBatchRequest } from "../../../src/contract/address-poisoning.ts";
import type { ResponseOf } from "../../../src/contract/routes.ts";
import { askPoisoning } from "../../../src/worker/ask-poisoning.ts";
import { clean } from "../../fakes/evidence.ts";
import { FakeService } from "../../fakes/fake-service.ts";

const signal = new AbortController().signal;
const ethereum = chainOf("1");
const target = addressOf("0xd9a1c3788d81257612e2581a6ea0ada244853a91");
const token = addressOf("0xdac17f958d2ee523a2206206994597c13d831ec7");
const checksummed = "0xd9A1C3788D81257612E2581A6ea0aDa244853a91";

function chainOf(id: string): Chain {
  const chain = findChain(id);
  if (chain === undefined) throw new Error(`no chain ${id}`);
  return chain;
}

function addressOf(text: string): CanonicalAddress {
  const parsed = parseAddress("evm", text);
  if (!parsed.ok) throw new Error(parsed.detail);
  return parsed.value;
}

const userAt = (i: number) => addressOf(`0x${i.toString(16).padStart(40, "0")}`);
const users = (count: number) => Array.from({ length: count }, (_, i) => userAt(i + 1));

type Batch = ResponseOf<"poisoningBatch">;
const batchAnswer = (targets: readonly unknown[], tokens: readonly unknown[] = []) =>
  ({ code: "0", status: "ok", data: { target_addresses: targets, token_addresses: tokens } }) as Batch;
const singleAnswer = (data: Readonly<Record<string, unknown>>) =>
  ({ code: "0", status: "ok", data }) as ResponseOf<"poisoningSingle">;

const targetItem = { chain_id: "1", address: target, ...clean.target };
const tokenItem = { chain_id: "1", address: token, ...clean.token };

function question(own: { users?: readonly CanonicalAddress[]; token?: CanonicalAddress; chain?: Chain } = {}) {
  return {
    check: "poisoning",
    chain: own.chain ?? ethereum,
    target,
    users: own.users ?? [],
    token: own.token,
  } as const;
}

function ask(service: FakeService, own: Parameters<typeof question>[0] = {}) {
  return askPoisoning(question(own), service.ask.bind(service), signal);
}

describe("without users the single form is asked", () => {
  const echoes = { target_address_input: target, user_address_input: "", token_address_input: "" };

  test("without a token", async () => {
    const service = new FakeService().on("poisoningSingle", () =>
      singleAnswer({ target_address: clean.target, token_address: {}, ...echoes }),
    );

    const evidence = await ask(service);

    expect(evidence).toEqual({ target: clean.target });
    expect(service.requests).toEqual([{ route: "poisoningSingle", request: { chain_id: "1", address: target } }]);
  });

  test("with a token", async () => {
    const service = new FakeService().on("poisoningSingle", () =>
      singleAnswer({
        target_address: clean.target,
        token_address: clean.token,
        ...echoes,
        target_address_input: checksummed,
        token_address_input: token,
      }),
    );

    const evidence = await ask(service, { token });

    expect(evidence).toEqual({ target: clean.target, token: clean.token });
    expect(service.requests).toEqual([
      { route: "poisoningSingle", request: { chain_id: "1", address: target, token_address: token } },
    ]);
  });

  test.each<[string, Readonly<Record<string, string>>]>([
    ["another target", { target_address_input: userAt(1) }],
    ["an empty target", { target_address_input: "" }],
    ["something that is no address", { target_address_input: "nonsense" }],
    ["another token", { token_address_input: userAt(1) }],
    ["an empty token", { token_address_input: "" }],
  ])("an answer that echoes %s is not taken", async (_name, echo) => {
    const service = new FakeService().on("poisoningSingle", () =>
      singleAnswer({
        target_address: clean.target,
        token_address: clean.token,
        ...echoes,
        token_address_input: token,
        ...echo,
      }),
    );

    await expect(ask(service, { token })).rejects.toMatchObject({
      code: "ANSWER_INVALID",
      message: "the answer echoes another address than was asked",
    });
  });

  test("an answer that says nothing about the token is not taken", async () => {
    const service = new FakeService().on("poisoningSingle", () =>
      singleAnswer({ target_address: clean.target, token_address: {}, ...echoes, token_address_input: token }),
    );

    await expect(ask(service, { token })).rejects.toMatchObject({
      code: "ANSWER_INVALID",
      message: "the answer says nothing about the token",
    });
  });
});

describe("with users the batch form is asked", () => {
  test("with this event's users, target and token only", async () => {
    const service = new FakeService().on("poisoningBatch", () => batchAnswer([targetItem], [tokenItem]));

    const evidence = await ask(service, { users: users(2), token });

    expect(evidence).toEqual({ target: targetItem, token: tokenItem });
    expect(service.requests).toEqual([
      {
        route: "poisoningBatch",
        request: {
          user_addresses: [
            { chain_id: "1", address: userAt(1) },
            { chain_id: "1", address: userAt(2) },
          ],
          target_addresses: [{ chain_id: "1", address: target }],
          token_addresses: [{ chain_id: "1", address: token }],
        },
      },
    ]);
  });

  test("without a token none is sent", async () => {
    const service = new FakeService().on("poisoningBatch", () => batchAnswer([targetItem]));

    const evidence = await ask(service, { users: users(1) });

    expect(evidence).toEqual({ target: targetItem });
    expect(service.sentTo("poisoningBatch")[0]).toMatchObject({ token_addresses: [] });
  });

  test("the item is found by chain and address, in any spelling of both", async () => {
    const service = new FakeService().on("poisoningBatch", () =>
      batchAnswer([{ ...targetItem, chain_id: "Ethereum", address: checksummed }]),
    );

    const { target: flags } = await ask(service, { users: users(1) });

    expect(flags).toMatchObject(clean.target);
  });

  test("the item of a token that equals the target is its own", async () => {
    const service = new FakeService().on("poisoningBatch", () =>
      batchAnswer([{ ...targetItem, mimics_user: "1" }], [{ ...tokenItem, address: target }]),
    );

    const evidence = await ask(service, { users: users(1), token: target });

    expect(evidence).toMatchObject({ target: { mimics_user: "1" }, token: { mimics_top_token: "0" } });
  });

  const missing = "the answer lacks the item that was asked";
  const extra = "the answer holds items that were not asked";
  const errorBeside = "the answer carries an error beside its data";
  const stranger = { ...targetItem, address: userAt(9) };
  test.each<[string, Batch, string]>([
    ["no target", batchAnswer([], [tokenItem]), missing],
    ["a stranger's target", batchAnswer([stranger], [tokenItem]), missing],
    ["the target on another chain", batchAnswer([{ ...targetItem, chain_id: "56" }], [tokenItem]), missing],
    ["the target on an unknown chain", batchAnswer([{ ...targetItem, chain_id: "" }], [tokenItem]), missing],
    ["an address that is none", batchAnswer([{ ...targetItem, address: "x" }], [tokenItem]), missing],
    ["the target and a stranger", batchAnswer([targetItem, stranger], [tokenItem]), extra],
    ["a stranger and the target", batchAnswer([stranger, targetItem], [tokenItem]), extra],
    ["the target twice", batchAnswer([targetItem, targetItem], [tokenItem]), extra],
    ["the target on two chains", batchAnswer([targetItem, { ...targetItem, chain_id: "56" }], [tokenItem]), extra],
    ["no token", batchAnswer([targetItem], []), missing],
    ["the token twice", batchAnswer([targetItem], [tokenItem, tokenItem]), extra],
    ["a stranger's token", batchAnswer([targetItem], [{ ...tokenItem, address: userAt(9) }]), missing],
    ["target and token swapped", batchAnswer([tokenItem], [targetItem]), missing],
    [
      "a target without its flags",
      batchAnswer([{ chain_id: "1", address: target }], [tokenItem]),
      "the item lacks its flags",
    ],
    [
      "a target with a flag of another value",
      batchAnswer([{ ...targetItem, is_poisoning: "maybe" }], [tokenItem]),
      "the item lacks its flags",
    ],
    [
      "a token with a target's flags",
      batchAnswer([targetItem], [{ ...targetItem, address: token }]),
      "the item lacks its flags",
    ],
    ["an error of another shape", batchAnswer([{ ...targetItem, error: "failed" }], [tokenItem]), errorBeside],
    ["an empty error on the token", batchAnswer([targetItem], [{ ...tokenItem, error: {} }]), errorBeside],
    ["an error beside its items", { ...batchAnswer([targetItem], [tokenItem]), error: "partial" }, errorBeside],
  ])("an answer with %s is not taken", async (_name, answer, message) => {
    const service = new FakeService().on("poisoningBatch", () => answer);

    await expect(ask(service, { users: users(1), token })).rejects.toMatchObject({ code: "ANSWER_INVALID", message });
  });

  test("an item that the service refused fails, even with flags beside the error", async () => {
    const error = { code: "invalid_address", detail: "bad checksum" };
    const refusals = [
      batchAnswer([{ chain_id: "1", address: target, error }], [tokenItem]),
      batchAnswer([{ ...targetItem, error }], [tokenItem]),
      batchAnswer([targetItem], [{ chain_id: "1", address: token, error }]),
    ];

    for (const refusal of refusals) {
      const service = new FakeService().on("poisoningBatch", () => refusal);
      await expect(ask(service, { users: users(1), token })).rejects.toMatchObject({
        code: "ITEM_FAILED",
        message: "invalid_address: bad checksum",
      });
    }
  });
});

describe("more users than fit are split over requests", () => {
  const sizes = (service: FakeService) =>
    service.sentTo("poisoningBatch").map((request) => (request as PoisoningBatchRequest).user_addresses.length);
  const answering = () =>
    new FakeService().on("poisoningBatch", (request) =>
      batchAnswer([targetItem], (request.token_addresses ?? []).length > 0 ? [tokenItem] : []),
    );

  test.each([
    [1, [1]],
    [999, [999]],
    [1000, [999, 1]],
    [1998, [999, 999]],
    [1999, [999, 999, 1]],
  ])("%i users without a token", async (count, expected) => {
    const service = answering();

    await ask(service, { users: users(count) });

    expect(sizes(service)).toEqual(expected);
  });

  test.each([
    [998, [998]],
    [999, [998, 1]],
    [1996, [998, 998]],
    [1998, [998, 998, 2]],
  ])("%i users with a token", async (count, expected) => {
    const service = answering();

    await ask(service, { users: users(count), token });

    expect(sizes(service)).toEqual(expected);
  });

  test("every user is sent once, in order", async () => {
    const service = answering();

    await ask(service, { users: users(1999) });

    const sent = service
      .sentTo("poisoningBatch")
      .flatMap((request) => (request as PoisoningBatchRequest).user_addresses.map(({ address }) => address));
    expect(sent).toEqual(users(1999));
  });

  test.each([1, 2, 3])("a flag that only answer %i raises stands", async (raising) => {
    const service = new FakeService().on("poisoningBatch", (_request, nth) =>
      nth === raising
        ? batchAnswer([{ ...targetItem, mimics_user: "1", is_poisoning: "1" }])
        : batchAnswer([targetItem]),
    );

    const evidence = await ask(service, { users: users(1999) });

    expect(evidence.target).toEqual({ ...targetItem, mimics_user: "1", is_poisoning: "1" });
  });

  test("flags of different answers are united, and so are the names of what was matched", async () => {
    const answers = [
      batchAnswer([{ ...targetItem, mimics_user: "1" }], [tokenItem]),
      batchAnswer(
        [{ ...targetItem, mimics_exchange: "1", matched_address: "0xabc" }],
        [{ ...tokenItem, mimics_top_token: "1", matched_token: "USDT", matched_address: "0xdef" }],
      ),
      batchAnswer([targetItem], [{ ...tokenItem, is_poisoning: "1" }]),
    ];
    const service = new FakeService().on("poisoningBatch", (_request, nth) => answers[nth - 1] ?? batchAnswer([]));

    const evidence = await ask(service, { users: users(1998), token });

    expect(evidence).toEqual({
      target: { ...targetItem, mimics_user: "1", mimics_exchange: "1", matched_address: "0xabc" },
      token: {
        ...tokenItem,
        mimics_top_token: "1",
        matched_token: "USDT",
        matched_address: "0xdef",
        is_poisoning: "1",
      },
    });
  });

  test("one bad answer among them fails the whole question", async () => {
    const service = new FakeService().on("poisoningBatch", (_request, nth) =>
      nth === 2 ? batchAnswer([]) : batchAnswer([targetItem]),
    );

    await expect(ask(service, { users: users(1999) })).rejects.toMatchObject({ code: "ANSWER_INVALID" });
  });
});
