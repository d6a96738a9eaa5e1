import { describe, expect, test } from "vitest";
import { type CanonicalAddress, parseAddress } from "../../../../src/chains/address.ts";
import { findChain } from "../../../../src/chains/registry.ts";
import type { EvidenceOf, PoisoningEvidence } from "../../../../src/messages/evidence.ts";
import { NOT_SENT, type Outcome } from "../../../../src/worker/answers/outcome.ts";
import { askReceivers } from "../../../../src/worker/checks/ask-receivers.ts";
import type { PoisoningQuestion, ReceiversQuestion } from "../../../../src/worker/plan/question.ts";
import * as w from "../../../fixtures/solana/world.ts";

const chain =
  findChain("solana") ??
  (() => {
    throw new Error("Solana is known");
  })();
const canonical = (text: string): CanonicalAddress => {
  const parsed = parseAddress("solana", text);
  if (!parsed.ok) throw new Error(parsed.detail);
  return parsed.value;
};
const [user, friend, thief] = [w.user, w.friend, w.thief].map(canonical) as [
  CanonicalAddress,
  CanonicalAddress,
  CanonicalAddress,
];
const clean = { is_poisoning: "0", mimics_user: "0", mimics_exchange: "0" } as const;
const question = {
  check: "poisoning",
  chain,
  receiversOf: [],
  candidates: [friend],
  gainers: [],
  programs: [],
  signers: [],
  named: [],
  usesLookupTables: false,
  users: [user],
} as const satisfies ReceiversQuestion;

/** Whom a simulation with these changes has compared, and with whom; `flagged` is an imitation. */
async function compared(
  given: Partial<ReceiversQuestion>,
  deltas: Readonly<Record<string, string>>,
  flagged?: CanonicalAddress,
  shown: {
    readonly findings?: readonly { name: string; description: string; gains: string }[];
    readonly called?: readonly string[];
    readonly token?: string;
    /** Whether the service gives no findings, so that the worker judged. */
    readonly isExact?: boolean;
  } = {},
) {
  const { findings = [], called = [], token = "native", isExact = false } = shown;
  const asked: (readonly [CanonicalAddress, readonly CanonicalAddress[]])[] = [];
  const pool = {
    ask: async ({ target, users }: PoisoningQuestion): Promise<Outcome<PoisoningEvidence>> => {
      asked.push([target, users]);
      return {
        ok: true,
        value: { target: { ...clean, mimics_user: target === flagged ? "1" : "0" } },
        trace: NOT_SENT,
      };
    },
  };
  const change_list = Object.entries(deltas).map(([address, delta_value]) => ({
    address,
    amount_change: "",
    begin_value: "",
    delta_value,
    end_value: "",
    value_usd: "",
  }));
  const native = { token_address: token, tokenName: "", symbol: "", divisor: "9", tokenPriceUSD: "", change_list };
  const value: EvidenceOf<"solana-simulation"> = {
    exec_summary: { result_code: "000000000", result_description: "", error_data: null },
    results: [
      { balance_changes: [native], called_addresses: [...called], ...(isExact ? {} : { findings: [...findings] }) },
    ],
    ...(isExact ? { worker_findings: [] } : {}),
  };
  const simulated = Promise.resolve({ ok: true, value, trace: NOT_SENT } as const);
  const outcome = await askReceivers({ ...question, ...given }, simulated, { lane: "backfill", tenant: "" }, pool);
  return { asked, outcome };
}

test("who receives is compared with the users, and nobody else", async () => {
  expect((await compared({}, { [user]: "-5", [friend]: "5" })).asked).toEqual([[friend, [user]]]);
  expect((await compared({ candidates: [thief] }, {})).asked).toEqual([[thief, [user]]]);
});

test("who may act afterwards is compared, and where no balance says who receives, whatever is written", async () => {
  const finding = { name: "nonce_authority_changed", description: "", gains: thief };

  expect((await compared({}, {}, undefined, { findings: [finding] })).asked).toEqual([
    [thief, [user]],
    [friend, [user]],
  ]);
  expect((await compared({ candidates: [] }, { [friend]: "5" }, undefined, { findings: [finding] })).asked).toEqual([
    [friend, [user]],
    [thief, [user]],
  ]);
});

describe("behind a service that gives no findings", () => {
  const wallet = canonical(w.named(40));
  const given = { candidates: [thief], gainers: [wallet], signers: [friend], users: [user] };

  test("whoever the instructions pay is compared, whatever the balances show", async () => {
    const { asked, outcome } = await compared(given, { [user]: "-5", [`${user}x`]: "5" }, thief, { isExact: true });
    expect(asked.map(([target]) => target)).toEqual([thief, wallet, friend]);
    expect(JSON.stringify(outcome)).toContain('"mimics_user":"1"');
    const shown = await compared(given, { [user]: "-5", [wallet]: "5" }, undefined, { isExact: true });
    expect(shown.asked.map(([target]) => target)).toEqual([wallet, thief, friend]);
  });

  test("whoever signs is a user, whatever the balances show", async () => {
    const { asked } = await compared(given, { [thief]: "5" }, undefined, { isExact: true });
    expect(asked[0]).toEqual([thief, [user, friend]]);
    expect((await compared(given, { [thief]: "5" })).asked).toEqual([
      [thief, [user]],
      [friend, [user]],
    ]);
  });
});

test("a lookalike that pays the fee is compared with whom the event names", async () => {
  const { asked, outcome } = await compared(
    { signers: [thief], users: [thief, user] },
    { [thief]: "-5", [friend]: "5" },
    thief,
  );

  expect(asked).toEqual([
    [friend, [thief, user]],
    [thief, [user]],
  ]);
  expect(outcome).toMatchObject({ ok: true, value: { target: { mimics_user: "1" } } });
});

test("a fee payer is compared with whoever signs beside him and has less afterwards, and the other way round", async () => {
  const signers = [thief, user];

  expect((await compared({ signers, users: [thief] }, { [thief]: "5", [user]: "-5" })).asked).toEqual([
    [friend, [thief, user]],
    [thief, [user]],
    [user, [thief]],
  ]);
});

test("who signs and receives is compared, though no account of anybody else is written", async () => {
  const given = { candidates: [], signers: [user, thief], users: [user] };

  expect((await compared(given, { [user]: "-5", [thief]: "5" })).asked).toEqual([[thief, [user]]]);
  expect((await compared(given, { [user]: "-5" })).asked).toEqual([[thief, [user]]]);
});

test("where tables hide who receives nothing is clean, and what is flagged stands", async () => {
  const given = { candidates: [], usesLookupTables: true };
  const signed = { ...given, signers: [user, thief] };

  expect((await compared(given, {})).outcome).toMatchObject({ ok: false, error: { code: "ANSWER_INVALID" } });
  expect((await compared(signed, {})).outcome).toMatchObject({ ok: false, error: { code: "ANSWER_INVALID" } });
  expect((await compared(signed, {}, thief)).outcome).toMatchObject({ ok: true });
});

test("whoever is written, paid or given a right, and looks like the system, is told, whatever the service says", async () => {
  const mimic = canonical("Vote9mmwjrD9UCCkEXyqXp9iJBr6rrtvVgKmpsEBvQW");
  const vote = canonical("Vote111111111111111111111111111111111111111");
  const toldIn = async (given: Partial<ReceiversQuestion>, deltas: Readonly<Record<string, string>> = {}) =>
    (await compared(given, deltas)).outcome;
  const told = { ok: true, value: { mimics_system: [mimic] } };

  expect(await toldIn({ candidates: [mimic] })).toMatchObject(told);
  expect(await toldIn({ gainers: [mimic] })).toMatchObject(told);
  expect(await toldIn({ signers: [mimic] })).toMatchObject(told);
  expect(await toldIn({}, { [user]: "-5", [mimic]: "5" })).toMatchObject(told);
  expect(await toldIn({ gainers: [vote] })).toMatchObject({ ok: true, value: { target: clean } });
  expect(JSON.stringify(await toldIn({ gainers: [vote] }))).not.toContain("mimics_system");
  expect(JSON.stringify(await toldIn({ signers: [mimic], users: [mimic, user] }))).not.toContain("mimics_system");
});

describe("an address that looks like an account of Solana's system", () => {
  const mimic = "ComputeBudgetEqSP1oUBXq5fwsQYUBEjGWBX7111111" as CanonicalAddress;
  const mimics = (outcome: Outcome<PoisoningEvidence>) => outcome.ok && outcome.value.mimics_system;

  test("is asked about and told where a message calls it", async () => {
    const given = { candidates: [], programs: [mimic], named: [user, mimic] };
    const { asked, outcome } = await compared(given, { [user]: "-5" });

    expect(asked).toEqual([[mimic, [user]]]);
    expect(mimics(outcome)).toEqual([mimic]);
  });

  test("is told where a program calls it, or it is the token that moves", async () => {
    const deltas = { [user]: "-5", [friend]: "5" };

    expect(mimics((await compared({}, deltas, undefined, { called: [mimic] })).outcome)).toEqual([mimic]);
    expect(mimics((await compared({}, deltas, undefined, { token: mimic })).outcome)).toEqual([mimic]);
  });

  test("is passed over where a message only reads it, as a marker of a block builder", async () => {
    const { asked, outcome } = await compared({ named: [mimic] }, { [user]: "-5", [friend]: "5" });

    expect(asked).toEqual([[friend, [user]]]);
    expect(mimics(outcome)).toBe(undefined);
  });

  test("is passed over where the user knows it", async () => {
    const { outcome } = await compared({ users: [user, mimic], programs: [mimic] }, { [user]: "-5", [friend]: "5" });

    expect(mimics(outcome)).toBe(undefined);
  });
});

test("a receiver that looks like an address of the user is told, though the service says '0'", async () => {
  const imitation = canonical(`${friend.slice(0, 6)}${thief.slice(6, -6)}${friend.slice(-6)}`);
  const { outcome } = await compared({ users: [user, friend] }, { [user]: "-5", [imitation]: "5" });

  expect(outcome).toMatchObject({ value: { imitators: [{ target: imitation, user: friend }] } });
});
