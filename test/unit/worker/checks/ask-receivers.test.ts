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
  own: [],
  candidates: [friend],
  gainers: [],
  programs: [],
  signers: [],
  named: [],
  usesLookupTables: false,
  users: [user],
} as const satisfies ReceiversQuestion;

/** The comparisons that follow from a simulation with these changes. `flagged` is an imitation. */
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

test("only the receiver is compared with the users", async () => {
  expect((await compared({}, { [user]: "-5", [friend]: "5" })).asked).toEqual([[friend, [user]]]);
  expect((await compared({ candidates: [thief] }, {})).asked).toEqual([[thief, [user]]]);
});

test("an address that gains a right is compared, and without a receiver in the balances every written account is", async () => {
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

  test("every address that the instructions pay is compared, whatever the balances show", async () => {
    const { asked, outcome } = await compared(given, { [user]: "-5", [`${user}x`]: "5" }, thief, { isExact: true });
    expect(asked.map(([target]) => target)).toEqual([thief, wallet, friend]);
    expect(JSON.stringify(outcome)).toContain('"mimics_user":"1"');
    const shown = await compared(given, { [user]: "-5", [wallet]: "5" }, undefined, { isExact: true });
    expect(shown.asked.map(([target]) => target)).toEqual([wallet, thief, friend]);
  });

  test("every signer is a user, whatever the balances show", async () => {
    const { asked } = await compared(given, { [thief]: "5" }, undefined, { isExact: true });
    expect(asked[0]).toEqual([thief, [user, friend]]);
    expect((await compared(given, { [thief]: "5" })).asked).toEqual([
      [thief, [user]],
      [friend, [user]],
    ]);
  });
});

test("a lookalike that pays the fee is compared with the addresses that the event names", async () => {
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

test("a fee payer and another signer with a lower balance are compared with each other", async () => {
  const signers = [thief, user];

  expect((await compared({ signers, users: [thief] }, { [thief]: "5", [user]: "-5" })).asked).toEqual([
    [friend, [thief, user]],
    [thief, [user]],
    [user, [thief]],
  ]);
});

test("a signer that receives is compared, although no account of others is written", async () => {
  const given = { candidates: [], signers: [user, thief], users: [user] };

  expect((await compared(given, { [user]: "-5", [thief]: "5" })).asked).toEqual([[thief, [user]]]);
  expect((await compared(given, { [user]: "-5" })).asked).toEqual([[thief, [user]]]);
});

test("if lookup tables hide the receiver no answer is clean, and a flag stands", async () => {
  const given = { candidates: [], usesLookupTables: true };
  const signed = { ...given, signers: [user, thief] };

  expect((await compared(given, {})).outcome).toMatchObject({ ok: false, error: { code: "ANSWER_INVALID" } });
  expect((await compared(signed, {})).outcome).toMatchObject({ ok: false, error: { code: "ANSWER_INVALID" } });
  expect((await compared(signed, {}, thief)).outcome).toMatchObject({ ok: true });
});

test("an address that is written, paid or given a right is reported when it looks like the system", async () => {
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

  test("such an address is compared and reported when a message calls it", async () => {
    const given = { candidates: [], programs: [mimic], named: [user, mimic] };
    const { asked, outcome } = await compared(given, { [user]: "-5" });

    expect(asked).toEqual([[mimic, [user]]]);
    expect(mimics(outcome)).toEqual([mimic]);
  });

  test("such an address is reported when a program calls it, or when it is the token that moves", async () => {
    const deltas = { [user]: "-5", [friend]: "5" };

    expect(mimics((await compared({}, deltas, undefined, { called: [mimic] })).outcome)).toEqual([mimic]);
    expect(mimics((await compared({}, deltas, undefined, { token: mimic })).outcome)).toEqual([mimic]);
  });

  test("such an address is ignored when a message only reads it, for example as a block builder's marker", async () => {
    const { asked, outcome } = await compared({ named: [mimic] }, { [user]: "-5", [friend]: "5" });

    expect(asked).toEqual([[friend, [user]]]);
    expect(mimics(outcome)).toBe(undefined);
  });

  test("such an address is ignored when the user knows it", async () => {
    const { outcome } = await compared({ users: [user, mimic], programs: [mimic] }, { [user]: "-5", [friend]: "5" });

    expect(mimics(outcome)).toBe(undefined);
  });
});

test("a receiver that imitates a user is reported, although the service answers '0'", async () => {
  const imitation = canonical(`${friend.slice(0, 6)}${thief.slice(6, -6)}${friend.slice(-6)}`);
  const { outcome } = await compared({ users: [user, friend] }, { [user]: "-5", [imitation]: "5" });

  expect(outcome).toMatchObject({ value: { imitators: [{ target: imitation, user: friend }] } });
});
