import { expect, test } from "vitest";
import { addressOf } from "../../../../src/chains/evm/abi/abi-reader.ts";
import { findChain } from "../../../../src/chains/registry.ts";
import type { PoisoningEvidence } from "../../../../src/messages/evidence.ts";
import { NOT_SENT, type Outcome } from "../../../../src/worker/answers/outcome.ts";
import { type PartialGathering, PartialResult, TOO_LATE } from "../../../../src/worker/answers/partial-result.ts";
import { AnswerInvalidError } from "../../../../src/worker/answers/service-errors.ts";
import { mergeOutcomes } from "../../../../src/worker/batching/replies/merge-results.ts";
import { askParties } from "../../../../src/worker/checks/ask-parties.ts";
import type { PoisoningQuestion } from "../../../../src/worker/plan/question.ts";

const chain =
  findChain("1") ??
  (() => {
    throw new Error("Ethereum is known");
  })();
const [me, first, second, token] = ["a1", "b2", "c3", "d4"].map((byte) => addressOf(byte.repeat(20))) as [
  ReturnType<typeof addressOf>,
  ReturnType<typeof addressOf>,
  ReturnType<typeof addressOf>,
  ReturnType<typeof addressOf>,
];
const clean = { is_poisoning: "0", mimics_user: "0", mimics_exchange: "0" } as const;
const cleanToken = { is_poisoning: "0", mimics_top_token: "0", matched_token: "" } as const;
const ok = (value: PoisoningEvidence): Outcome<PoisoningEvidence> => ({ ok: true, value, trace: NOT_SENT });
const failure: Outcome<PoisoningEvidence> = { ok: false, error: new AnswerInvalidError("none"), trace: NOT_SENT };
const question = {
  check: "poisoning" as const,
  chain,
  parties: [
    { target: first, token },
    { target: second, token: undefined },
  ],
  users: [me],
};

async function asked(of: (target: string) => Outcome<PoisoningEvidence>) {
  const questions: PoisoningQuestion[] = [];
  const pool = {
    ask: async (each: PoisoningQuestion) => {
      questions.push(each);
      return of(each.target);
    },
  };
  return { outcome: await askParties(question, { lane: "backfill", tenant: "" }, pool), questions };
}

test("each counterparty is sent with its own token, and a token of only one counterparty is kept", async () => {
  const { outcome, questions } = await asked((target) =>
    ok(target === first ? { target: clean, token: cleanToken } : { target: clean }),
  );

  expect(questions).toEqual(question.parties.map((party) => ({ check: "poisoning", chain, users: [me], ...party })));
  expect(outcome).toEqual(ok({ target: clean, token: cleanToken }));
});

test("a '1' about any counterparty stands without the other answers, and names its counterparty", async () => {
  const { outcome } = await asked((target) =>
    target === second ? ok({ target: { ...clean, mimics_user: "1" } }) : failure,
  );

  const unanswered = [{ code: "ANSWER_INVALID", detail: "none" }];
  expect(outcome).toEqual(ok({ target: { ...clean, mimics_user: "1" }, unanswered, flagged: [second] }));
});

test("a '1' about a token names the counterparty that gets the token", async () => {
  const { outcome } = await asked((target) =>
    ok(target === first ? { target: clean, token: { ...cleanToken, is_poisoning: "1" } } : { target: clean }),
  );

  expect(outcome).toMatchObject({ value: { token: { is_poisoning: "1" }, flagged: [first] } });
});

test("without a '1' one missing answer fails the check", async () => {
  const { outcome } = await asked((target) => (target === first ? failure : ok({ target: clean })));

  expect(outcome).toEqual(failure);
});

test("until all questions are answered the known part names each flagged counterparty, also with partial answers", async () => {
  type Answer = Outcome<PoisoningEvidence>;
  const never = new Promise<Answer>(() => {});
  const flagged = ok({ target: { ...clean, is_poisoning: "1" } });
  const soFar = new PartialResult<Answer>();
  const pool = {
    ask: (each: PoisoningQuestion, _claim: unknown, known: PartialGathering<Answer> = new PartialResult()) => {
      if (each.target === first) return never;
      return known.gather([Promise.resolve(flagged), never], mergeOutcomes, () => TOO_LATE);
    },
  };

  void askParties(question, { lane: "realtime", tenant: "" }, pool, soFar);
  expect(soFar.known).toMatchObject({ ok: false, error: { code: "NOT_READY" } });
  await Promise.resolve();

  const unanswered = [{ code: "SERVICE_NOT_READY", detail: "no answer in time" }];
  expect(soFar.known).toEqual(ok({ target: { ...clean, is_poisoning: "1" }, unanswered, flagged: [second] }));
});

test("a counterparty that imitates a user is reported, although the service answers '0' or flags another counterparty", async () => {
  const known = addressOf("0123456789abcdef0123456789abcdef01234567");
  const imitation = addressOf("0123456700000000000000000000000001234567");
  const parties = [
    { target: first, token: undefined },
    { target: imitation, token: undefined },
  ];
  const ask = (flagged?: string) => {
    const answerOf = (target: string) => ok({ target: target === flagged ? { ...clean, mimics_user: "1" } : clean });
    const pool = { ask: async ({ target }: PoisoningQuestion) => answerOf(target) };
    return askParties({ ...question, parties, users: [me, known] }, { lane: "backfill", tenant: "" }, pool);
  };
  const imitators = [{ target: imitation, user: known }];

  expect(await ask()).toMatchObject({ value: { imitators } });
  expect(await ask(first)).toMatchObject({ value: { flagged: [first], imitators } });
  expect(await ask(imitation)).toMatchObject({ value: { flagged: [imitation] } });
});
