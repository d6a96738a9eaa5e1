import { expect, test } from "vitest";
import type { PoisoningBatchResponse } from "../../../../src/api/schemas/address-poisoning.ts";
import { seededRandom } from "../../../../src/kernel/retry.ts";
import { ExtraItemsError, UnavailableError } from "../../../../src/worker/answers/service-errors.ts";
import { askPooled } from "../../../../src/worker/batching/ask-pooled.ts";
import { Batch } from "../../../../src/worker/batching/batch.ts";
import { clean } from "../../../fakes/evidence.ts";
import { FakeService } from "../../../fakes/fake-service.ts";
import {
  calibrated,
  chainOf,
  evm,
  evmBackCanary,
  evmCanary,
  evmMiddleCanary,
  partAbout,
} from "../../../support/poisoning-parts.ts";

const signal = new AbortController().signal;
const raised = { is_poisoning: "1", mimics_user: "1", mimics_exchange: "0" };
const target = (chain_id: string, address: string | undefined, flags: object) => ({ chain_id, address, ...flags });

/** Two entries on two chains, each chain with its canaries. */
async function answered(targets: readonly object[], tokens: readonly object[] = []) {
  const batch = new Batch(calibrated);
  const parts = [
    partAbout({ target: evm(1), users: [evm(10)] }),
    partAbout({ target: evm(2), users: [evm(11)], chain: chainOf("56") }),
  ];
  for (const part of parts) batch.add(part);
  const sealed = batch.seal(seededRandom(1));
  const answer = { code: "0", status: "ok", data: { target_addresses: targets, token_addresses: tokens } };
  const service = new FakeService().on("poisoningBatch", () => answer as PoisoningBatchResponse);
  const answered = await askPooled(sealed, service, signal);
  expect(service.sentTo("poisoningBatch")).toEqual([sealed.request]);
  return answered;
}

/** An answer with the flagged front and middle canaries added. */
const parts: readonly object[] = [
  target("1", evm(1), clean.target),
  target("56", evm(2), clean.target),
  target("1", evmCanary?.target, raised),
  target("56", evmCanary?.target, raised),
  target("1", evmMiddleCanary?.target, raised),
  target("56", evmMiddleCanary?.target, raised),
];
const canary = (chain: string, flags: object = raised) => target(chain, evmBackCanary?.target, flags);
const poisoningOnly = { ...clean.target, is_poisoning: "1" };
const likenessOnly = { ...clean.target, mimics_user: "1" };
const error = { code: "invalid_address", detail: "bad" };
const unsupported = { code: "unsupported_chain", detail: "unsupported chainId: 56" };
const refusedOn56 = (item: object) =>
  target("56", "address" in item ? String(item.address) : "", { error: unsupported });

test("each entry gets its evidence", async () => {
  expect(await answered([...parts, canary("1"), canary("56")])).toEqual({
    canaries: "sang",
    evidence: [{ target: parts[0] }, { target: parts[1] }],
    imitators: { areNamed: true, arePoisoning: true },
  });
});

test.each([
  ["sang", "all are flagged", [canary("1"), canary("56", poisoningOnly)]],
  ["sang", "all are flagged, one as its user's likeness only", [canary("1"), canary("56", likenessOnly)]],
  ["silent", "one is not", [canary("1"), canary("56", clean.target)]],
  ["silent", "one is not and another is missing", [canary("1", clean.target)]],
  ["silent", "one is missing and another is not flagged", [canary("56", clean.target)]],
  ["lost", "one is missing", [canary("1")]],
  ["lost", "all are missing", []],
  ["refused", "one was refused, beside what was answered", [canary("1"), canary("56", { error })]],
  ["lost", "one was refused and another is missing", [canary("56", { error })]],
  ["silent", "one was refused and another is not flagged", [canary("1", clean.target), canary("56", { error })]],
  ["lost", "one is there twice", [canary("1"), canary("56"), canary("56")]],
] as const)("the canaries are %s when %s", async (expected, _when, canaries) => {
  expect((await answered([...parts, ...canaries])).canaries).toBe(expected);
});

test.each([
  ["front", 2],
  ["middle", 4],
] as const)("the canary at the %s counts as much as the canary at the back", async (_place, at) => {
  const back = [canary("1"), canary("56")];
  const silent = { ...parts[at], ...clean.target };

  expect((await answered([...parts.with(at, silent), ...back])).canaries).toBe("silent");
  expect((await answered([...parts.toSpliced(at, 1), ...back])).canaries).toBe("lost");
});

test("answers on a chain with a refused canary are unproved, and answers on other chains count", async () => {
  const refused = [canary("1"), canary("56", { error })];
  const flagged = parts.with(1, target("56", evm(2), raised));
  const missing = parts.toSpliced(1, 1);

  for (const answers of [parts, flagged, missing])
    expect(await answered([...answers, ...refused])).toEqual({
      canaries: "refused",
      evidence: [{ target: parts[0] }, "unproved"],
      imitators: { areNamed: true, arePoisoning: true },
    });
});

test("the answer states which flags all canaries raised", async () => {
  const imitatorsOf = async (...flags: readonly object[]) => {
    const { imitators } = await answered([...parts, canary("1"), canary("56", ...flags)]);
    return [imitators.areNamed, imitators.arePoisoning];
  };

  expect(await imitatorsOf(raised)).toEqual([true, true]);
  expect(await imitatorsOf(poisoningOnly)).toEqual([false, true]);
  expect(await imitatorsOf(likenessOnly)).toEqual([true, false]);
});

test("an entry that is refused together with its chain's canaries gets the refusal, and the canaries are not silent", async () => {
  const refused = parts.map((item) => ("chain_id" in item && item.chain_id === "56" ? refusedOn56(item) : item));
  const answer = await answered([...refused, canary("1"), canary("56", { error: unsupported })]);

  expect(answer).toMatchObject({ canaries: "sang", evidence: [{ target: parts[0] }, { code: "CHAIN_UNSUPPORTED" }] });
});

test.each<[string, readonly object[], readonly object[], number]>([
  ["a stranger", [target("1", evm(3), clean.target)], [], 1],
  ["a part on another's chain, and a canary among the tokens", [target("56", evm(1), clean.target)], [canary("1")], 2],
  ["a canary on a chain that nobody asks about", [canary("8453")], [], 1],
])("an answer with items that the request lacks is rejected: %s", async (_name, targets, tokens, extra) => {
  const answer = answered([...parts, canary("1"), canary("56"), ...targets], tokens);

  await expect(answer).rejects.toEqual(new ExtraItemsError(extra));
  await expect(answer).rejects.toMatchObject({ code: "ANSWER_INVALID", extra, context: { extra } });
});

test("a silent canary is reported beside an extra item, and a lost canary is not", async () => {
  const stranger = target("1", evm(3), clean.target);
  const silent = canary("1", clean.target);

  expect((await answered([...parts, silent, canary("56"), stranger])).canaries).toBe("silent");
  await expect(answered([...parts, canary("56"), stranger])).rejects.toEqual(new ExtraItemsError(1));
});

test("a batch without canaries proves nothing", async () => {
  const service = new FakeService().on("poisoningBatch", () => ({
    code: "0",
    status: "ok",
    data: { target_addresses: [], token_addresses: [] },
  }));
  const batch = new Batch(calibrated);

  expect((await askPooled(batch.seal(seededRandom(1)), service, signal)).canaries).toBe("silent");
});

test("an error of the service is thrown on", async () => {
  const failure = new UnavailableError("503");
  const service = new FakeService().on("poisoningBatch", () => {
    throw failure;
  });
  const batch = new Batch(calibrated);
  batch.add(partAbout({ users: [evm(10)] }));

  await expect(askPooled(batch.seal(seededRandom(1)), service, signal)).rejects.toBe(failure);
});
