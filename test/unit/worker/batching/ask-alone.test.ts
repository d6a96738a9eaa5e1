import { describe, expect, test } from "vitest";
import type { ResponseOf } from "../../../../src/api/routes.ts";
import type { CanonicalAddress } from "../../../../src/chains/address.ts";
import { AppError } from "../../../../src/kernel/errors.ts";
import type { PoisoningEvidence } from "../../../../src/messages/evidence.ts";
import { ExtraItemsError } from "../../../../src/worker/answers/service-errors.ts";
import { AloneGroup, askAlone } from "../../../../src/worker/batching/ask-alone.ts";
import { clean } from "../../../fakes/evidence.ts";
import { FakeService } from "../../../fakes/fake-service.ts";
import { addressOf, chainOf, evm, partAbout } from "../../../support/poisoning-parts.ts";

const signal = new AbortController().signal;
const target = addressOf("0xd9a1c3788d81257612e2581a6ea0ada244853a91");
const token = addressOf("0xdac17f958d2ee523a2206206994597c13d831ec7");
const checksummed = "0xd9A1C3788D81257612E2581A6ea0aDa244853a91";

const userAt = (i: number) => evm(i);
const users = (count: number) => Array.from({ length: count }, (_, i) => evm(i + 1));

type Batch = ResponseOf<"poisoningBatch">;
const batchAnswer = (targets: readonly unknown[], tokens: readonly unknown[] = []) =>
  ({ code: "0", status: "ok", data: { target_addresses: targets, token_addresses: tokens } }) as Batch;
const singleAnswer = (data: Readonly<Record<string, unknown>>) =>
  ({ code: "0", status: "ok", data }) as ResponseOf<"poisoningSingle">;

const targetItem = { chain_id: "1", address: target, ...clean.target };
const tokenItem = { chain_id: "1", address: token, ...clean.token };

/**
 * The answer to one batch entry.
 *
 * @throws the error that replaces the answer.
 */
async function ask(
  service: FakeService,
  own: { users?: readonly CanonicalAddress[]; token?: CanonicalAddress } = {},
): Promise<PoisoningEvidence> {
  const part = partAbout({ target, ...own });
  const answer = (await askAlone(new AloneGroup(part), service, signal)).get(part);
  if (answer === undefined || answer instanceof AppError) throw answer ?? new Error("no answer");
  return answer;
}

describe("an entry without users is sent in the single form", () => {
  const echoes = { target_address_input: target, user_address_input: "", token_address_input: "" };

  test("the single form without a token", async () => {
    const service = new FakeService().on("poisoningSingle", () =>
      singleAnswer({ target_address: clean.target, token_address: {}, ...echoes }),
    );

    const evidence = await ask(service);

    expect(evidence).toEqual({ target: clean.target });
    expect(service.requests).toEqual([{ route: "poisoningSingle", request: { chain_id: "1", address: target } }]);
  });

  test("the single form with a token", async () => {
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
  ])("an answer that echoes %s is rejected", async (_name, echo) => {
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

  test.each(["target_address", "token_address"])(
    "an answer of the single form with an error inside %s is rejected",
    async (field) => {
      const error = { code: "internal", detail: "half an answer" };
      const items = { target_address: clean.target, token_address: clean.token };
      const service = new FakeService().on("poisoningSingle", () =>
        singleAnswer({
          ...items,
          [field]: { ...clean.target, ...clean.token, error },
          ...echoes,
          token_address_input: token,
        }),
      );

      await expect(ask(service, { token })).rejects.toMatchObject({
        code: "ANSWER_INVALID",
        message: "the answer carries an error beside its data",
      });
    },
  );

  test.each<[string, Readonly<Record<string, string>>, number]>([
    ["a user", { user_address_input: userAt(1) }, 1],
    ["a token", { token_address_input: token }, 1],
    ["both", { user_address_input: userAt(1), token_address_input: token }, 2],
  ])("an answer that echoes an address that was not sent is rejected: %s", async (_name, echo, extra) => {
    const service = new FakeService().on("poisoningSingle", () =>
      singleAnswer({ target_address: clean.target, token_address: clean.token, ...echoes, ...echo }),
    );

    await expect(ask(service, {})).rejects.toEqual(new ExtraItemsError(extra));
  });

  test("an answer without flags of the token is rejected", async () => {
    const service = new FakeService().on("poisoningSingle", () =>
      singleAnswer({ target_address: clean.target, token_address: {}, ...echoes, token_address_input: token }),
    );

    await expect(ask(service, { token })).rejects.toMatchObject({
      code: "ANSWER_INVALID",
      message: "the answer says nothing about the token",
    });
  });
});

describe("an entry with users is sent in the batch form", () => {
  test("the batch form contains only this event's users, target and token", async () => {
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

  test("an entry without a token sends no token", async () => {
    const service = new FakeService().on("poisoningBatch", () => batchAnswer([targetItem]));

    const evidence = await ask(service, { users: users(1) });

    expect(evidence).toEqual({ target: targetItem });
    expect(service.sentTo("poisoningBatch")[0]).toMatchObject({ token_addresses: [] });
  });

  test("the item is matched by chain and address, in any spelling", async () => {
    const service = new FakeService().on("poisoningBatch", () =>
      batchAnswer([{ ...targetItem, chain_id: "Ethereum", address: checksummed }]),
    );

    const { target: flags } = await ask(service, { users: users(1) });

    expect(flags).toMatchObject(clean.target);
  });

  test("a token that equals the target has its own item", async () => {
    const service = new FakeService().on("poisoningBatch", () =>
      batchAnswer([{ ...targetItem, mimics_user: "1" }], [{ ...tokenItem, address: target }]),
    );

    const evidence = await ask(service, { users: users(1), token: target });

    expect(evidence).toMatchObject({ target: { mimics_user: "1" }, token: { mimics_top_token: "0" } });
  });

  const missing = "the answer lacks the item that was asked";
  const twice = "the answer holds the item that was asked more than once";
  const extra = "the answer holds items that were not asked";
  const errorBeside = "the answer carries an error beside its data";
  const stranger = { ...targetItem, address: userAt(9) };
  test.each<[string, Batch, string]>([
    ["no target", batchAnswer([], [tokenItem]), missing],
    ["a stranger's target", batchAnswer([stranger], [tokenItem]), extra],
    ["the target on another chain", batchAnswer([{ ...targetItem, chain_id: "56" }], [tokenItem]), extra],
    ["the target on an unknown chain", batchAnswer([{ ...targetItem, chain_id: "" }], [tokenItem]), extra],
    ["an address that is none", batchAnswer([{ ...targetItem, address: "x" }], [tokenItem]), extra],
    ["the target and a stranger", batchAnswer([targetItem, stranger], [tokenItem]), extra],
    ["a stranger and the target", batchAnswer([stranger, targetItem], [tokenItem]), extra],
    ["the target twice", batchAnswer([targetItem, targetItem], [tokenItem]), twice],
    ["the target on two chains", batchAnswer([targetItem, { ...targetItem, chain_id: "56" }], [tokenItem]), extra],
    ["no token", batchAnswer([targetItem], []), missing],
    ["the token twice", batchAnswer([targetItem], [tokenItem, tokenItem]), twice],
    ["a stranger's token", batchAnswer([targetItem], [{ ...tokenItem, address: userAt(9) }]), extra],
    ["target and token swapped", batchAnswer([tokenItem], [targetItem]), extra],
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
  ])("an answer to the batch form with %s is rejected", async (_name, answer, message) => {
    const service = new FakeService().on("poisoningBatch", () => answer);

    await expect(ask(service, { users: users(1), token })).rejects.toMatchObject({ code: "ANSWER_INVALID", message });
  });

  test("an item with an error fails, even with flags beside the error", async () => {
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

describe("entries with the same users", () => {
  const [alice, bob] = [evm(10), evm(11)];
  const part = (i: number, own: Parameters<typeof partAbout>[0] = {}) =>
    partAbout({ target: evm(100 + i), users: [alice, bob], ...own });

  test("entries with the same users share a request with distinct targets and tokens", async () => {
    const group = new AloneGroup(part(1, { token }));
    const others = [part(2, { token }), part(1), part(3, { users: [bob, alice] })];
    for (const other of others) expect(group.add(other)).toBe(true);
    const answers = [101, 102].map((i) => ({ ...targetItem, address: evm(i) }));
    const service = new FakeService().on("poisoningBatch", () => batchAnswer(answers, [tokenItem]));

    const evidence = await askAlone(group, service, signal);

    expect(service.sentTo("poisoningBatch")).toEqual([
      {
        user_addresses: [alice, bob].map((address) => ({ chain_id: "1", address })),
        target_addresses: [101, 102, 103].map((i) => ({ chain_id: "1", address: evm(i) })),
        token_addresses: [{ chain_id: "1", address: token }],
      },
    ]);
    expect(group.parts.map((each) => evidence.get(each))).toEqual([
      { target: answers[0], token: tokenItem },
      { target: answers[1], token: tokenItem },
      { target: answers[0] },
      expect.objectContaining({ code: "ANSWER_INVALID", message: "the answer lacks the item that was asked" }),
    ]);
  });

  test("an error of one item fails only the entries with that item", async () => {
    const [bad, good] = [part(1), part(2)];
    const group = new AloneGroup(bad);
    group.add(good);
    const error = { code: "unsupported_chain", detail: "1" };
    const answer = batchAnswer([
      { chain_id: "1", address: evm(101), error },
      { ...targetItem, address: evm(102) },
    ]);
    const evidence = await askAlone(
      group,
      new FakeService().on("poisoningBatch", () => answer),
      signal,
    );

    expect(evidence.get(bad)).toMatchObject({ code: "CHAIN_UNSUPPORTED", message: "1" });
    expect(evidence.get(good)).toMatchObject({ target: clean.target });
  });

  test.each([
    ["other users", { users: [alice] }],
    ["another chain", { chain: chainOf("56") }],
    ["no users", { users: [] }],
  ])("an entry joins no group with %s", (_name, own) => {
    expect(new AloneGroup(part(1)).add(part(2, own))).toBe(false);
    expect(new AloneGroup(part(2, own)).add(part(1))).toBe(false);
  });

  test("a request without users holds one target", () => {
    expect(new AloneGroup(part(1, { users: [] })).add(part(2, { users: [] }))).toBe(false);
  });

  test("a group never exceeds the limit of a request, and an item that is already in it takes no room", () => {
    const many = users(990);
    const own = (i: number, tokenAddress?: CanonicalAddress) =>
      partAbout({ target: evm(2000 + i), users: many, ...(tokenAddress === undefined ? {} : { token: tokenAddress }) });
    const group = new AloneGroup(own(0));
    for (let i = 1; i < 9; i++) expect(group.add(own(i))).toBe(true);

    expect(group.add(own(9, token))).toBe(false);
    expect(group.add(own(8, token))).toBe(true);
    expect(group.add(own(9))).toBe(false);
    expect(group.add(own(3, token))).toBe(true);
    expect(group.parts).toHaveLength(11);
  });
});
