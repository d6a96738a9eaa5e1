import type { Address } from "@solana/kit";
import * as system from "@solana-program/system";
import * as token from "@solana-program/token";
import { describe, expect, test } from "vitest";
import { requestParser } from "../../../../src/api/requests/request.ts";
import {
  EvmTransactionSecurityRequest,
  TransactionSecurityRequest,
} from "../../../../src/api/schemas/transaction-security.ts";
import { readTransaction } from "../../../../src/chains/solana/message/message.ts";
import { parseExact } from "../../../../src/kernel/json.ts";
import { type AddressKind, type AddressLabel, type RiskLevel, riskLevels } from "../../../../src/labels/label.ts";
import { analyseEvmTransaction } from "../../../../src/service/evm-transactions/analyse-evm-transaction.ts";
import { judge } from "../../../../src/service/solana-transactions/judge.ts";
import { analyseTransaction } from "../../../../src/service/tron-transactions/analyse-transaction.ts";
import { callOf, withService } from "../../../fakes/solana/service-double.ts";
import { ALL, addressOf as evmAddressOf, me } from "../../../fixtures/evm-people.ts";
import * as w from "../../../fixtures/solana/world.ts";
import * as p from "../../../fixtures/tron/parts.ts";
import { bookOf, labelOf } from "../../../support/book-of.ts";
import { calldata } from "../../../support/evm-calls.ts";

const kinds = ["exchange", "bridge", "protocol", "token", "allowed"] as const;
type Kind = (typeof kinds)[number];
const risks = [undefined, ...riskLevels] as const;
/** The second row of the address: on another chain of the family if the family has one, otherwise on the same chain. */
const seconds = [
  undefined,
  { kind: "malicious" },
  { kind: "malicious", riskLevel: 0 },
  { kind: "blocked" },
  { kind: "sanctioned" },
  { kind: "sanctioned", riskLevel: 1 },
  { kind: "exchange", riskLevel: 4 },
  { kind: "protocol", riskLevel: 5 },
  { kind: "allowed", riskLevel: 5 },
  { kind: "protocol", riskLevel: 3 },
  { kind: "allowed" },
] as const satisfies readonly ({ readonly kind: AddressKind; readonly riskLevel?: RiskLevel } | undefined)[];
type Second = (typeof seconds)[number];

/** `bad`: labels accuse the address. `known`: labels vouch for the address. `stranger`: neither. */
type Standing = "bad" | "stranger" | "known";
const deeds = ["approval", "payment", "call"] as const;
type Deed = (typeof deeds)[number];
interface Case {
  readonly kind: Kind;
  readonly risk: RiskLevel | undefined;
  readonly second: Second;
}

function standingOf({ kind, risk = 0, second }: Case): Standing {
  const ofSecond = second !== undefined && "riskLevel" in second ? second.riskLevel : 0;
  const isAccusing = second !== undefined && ["malicious", "blocked", "sanctioned"].includes(second.kind);
  if (isAccusing || risk >= 4 || ofSecond >= 4) return "bad";
  return kind === "allowed" || risk >= 2 || ofSecond >= 2 ? "stranger" : "known";
}

const isService = (kind: Kind) => kind === "bridge" || kind === "protocol";

/** The findings of each service, without the finding that names the accusing label. */
const right: Readonly<
  Record<"evm" | "tron" | "solana", Readonly<Record<Deed, (s: Standing, kind: Kind, second: Second) => string>>>
> = {
  evm: {
    approval: (s, kind) => (s === "known" && isService(kind) ? "unlimited_approval_to_service" : "unlimited_approval"),
    payment: () => "",
    call: (s) => (s === "known" ? "unknown_call_of_service" : "value_to_unknown_contract unknown_call"),
  },
  tron: {
    approval: (s, kind) => (s === "known" && isService(kind) ? "unlimited_approval_to_service" : "unlimited_approval"),
    // A payment to a token's contract is lost, and a service is no wallet, whatever the risk.
    payment: (_s, kind, second) =>
      [
        ...(kind === "token" ? ["transfer_to_token"] : []),
        ...(isService(kind) || second?.kind === "protocol" ? ["paid_to_service"] : []),
      ].join(" "),
    call: (s, kind) => {
      if (s !== "known") return "value_to_unknown_contract effect_unknown unknown_call";
      return isService(kind) ? "effect_unknown" : "effect_unknown unknown_call";
    },
  },
  solana: {
    approval: (s, kind) => (s === "known" && isService(kind) ? "approval_unlimited" : "approval_unknown_delegate"),
    payment: () => "",
    call: (s) => (s === "known" ? "" : "program_unknown"),
  },
};

const accusations = ["malicious_address", "sanctioned_address", "listed_address"];

/** The labels of a case: the first row on `chain`, the second on `elsewhere`. */
function bookFor({ kind, risk, second }: Case, chain: string, elsewhere: string, address: string) {
  const withRisk = (label: AddressLabel, level: RiskLevel | undefined) =>
    level === undefined ? label : { ...label, riskLevel: level };
  const first = withRisk(labelOf(chain, address, kind, "first"), risk);
  const tokens = [labelOf("1", evmAddressOf("a token"), "token"), labelOf("tron", p.addressOf("a token"), "token")];
  if (second === undefined) return bookOf(first, ...tokens);
  const level = "riskLevel" in second ? second.riskLevel : undefined;
  return bookOf(first, ...tokens, withRisk(labelOf(elsewhere, address, second.kind, "second"), level));
}

const parseEvm = requestParser(EvmTransactionSecurityRequest);
const parseTron = requestParser(TransactionSecurityRequest);

const found = {
  async evm(deed: Deed, each: Case) {
    const party = evmAddressOf("labelled party");
    const fields = {
      approval: { to: evmAddressOf("a token"), data: calldata("approve(address,uint256)", [party, ALL]) },
      payment: { to: party, value: "1000" },
      call: { to: party, value: "1000", data: "0x12345678" },
    }[deed];
    const request = parseEvm({ chain_id: "1", from: me, ...fields });
    if (!request.ok) throw new Error(request.detail);
    const answered = await analyseEvmTransaction(request.value, bookFor(each, "1", "56", party));
    if (!answered.ok) throw new Error(answered.detail);
    return answered.body.data.security;
  },
  async tron(deed: Deed, each: Case) {
    const party = p.addressOf("labelled party");
    const transaction = {
      approval: p.call(p.addressOf("a token"), p.approveOf(party, p.MAX)),
      payment: p.tx("TransferContract", { to_address: party, amount: 1_000 }),
      call: p.call(party, "12345678", { call_value: 1_000 }),
    }[deed];
    const request = parseTron(parseExact(JSON.stringify({ tron_transactions: [transaction] })));
    if (!request.ok) throw new Error(request.detail);
    const answered = await analyseTransaction(request.value, bookFor(each, "tron", "tron", party));
    if (!answered.ok) throw new Error(answered.detail);
    return answered.body.data.security;
  },
  async solana(deed: Deed, each: Case) {
    const party = w.named(88);
    const { message, simulation } = await simulatedOnce(deed, party);
    const { findings } = judge(message, simulation, bookFor(each, "solana", "solana", party));
    return { risk_details: findings, recommended_action: undefined };
  },
};

const simulations = new Map<Deed, ReturnType<typeof simulated>>();

/** The actions of a transaction do not depend on the labels. */
function simulatedOnce(deed: Deed, party: Address) {
  const known = simulations.get(deed) ?? simulated(deed, party);
  simulations.set(deed, known);
  return known;
}

async function simulated(deed: Deed, party: Address) {
  const signer = w.signing(w.user);
  const pay = (to: Address) =>
    system.getTransferSolInstruction({ source: signer, destination: to, amount: 1_000_000n });
  const instruction = {
    approval: token.getApproveInstruction({
      source: w.userTokens,
      delegate: party,
      owner: signer,
      amount: 2n ** 64n - 1n,
    }),
    payment: pay(party),
    call: callOf(party, [pay(w.friend)]),
  }[deed];
  const message = readTransaction(w.wireOf(w.messageBytes([instruction])));
  if (!message.ok) throw new Error(message.detail);
  const machine = w.simulatorOver(w.world(deed === "call" ? [] : [[party, w.wallet(w.LAMPORTS)]]));
  const simulator = deed === "call" ? withService(machine, party, [pay(w.friend)]) : machine;
  const ran = await simulator.simulate([message.value], false);
  const [simulation] = ran.ok ? ran.simulations : [];
  if (simulation?.error !== undefined || simulation === undefined) throw new Error("no simulation");
  return { message: message.value, simulation };
}

/** Each accusation by itself, together with a label that would vouch. */
const combined: readonly Case[] = [
  { kind: "protocol", risk: 5, second: undefined },
  ...seconds.map((second): Case => ({ kind: "protocol", risk: undefined, second })),
];
const accused = combined.filter((each) => standingOf(each) === "bad");

test.each(accused)("revoking a right of an accused spender is not flagged: %j", async (each) => {
  const evm = parseEvm({
    chain_id: "1",
    from: me,
    to: evmAddressOf("a token"),
    data: calldata("approve(address,uint256)", [evmAddressOf("labelled party"), 0n]),
  });
  const revoked = p.call(p.addressOf("a token"), p.approveOf(p.addressOf("labelled party"), 0));
  const tron = parseTron(parseExact(JSON.stringify({ tron_transactions: [revoked] })));
  if (!evm.ok || !tron.ok) throw new Error("no request");
  const answers = [
    await analyseEvmTransaction(evm.value, bookFor(each, "1", "56", evmAddressOf("labelled party"))),
    await analyseTransaction(tron.value, bookFor(each, "tron", "tron", p.addressOf("labelled party"))),
  ];
  for (const answered of answers) {
    if (!answered.ok) throw new Error(answered.detail);
    expect(answered.body.data.security.recommended_action).not.toBe("BLOCK");
  }
});

const cases = kinds.flatMap((kind) => risks.flatMap((risk) => seconds.map((second): Case => ({ kind, risk, second }))));

describe.each(["evm", "tron", "solana"] as const)("on %s, the labels of an address", (family) => {
  test.each(deeds)("the labels decide on its %s, for each kind, risk and second label", async (deed) => {
    const wrong: unknown[] = [];
    for (const each of cases) {
      const { risk_details, recommended_action } = await found[family](deed, each);
      const standing = standingOf(each);
      const names = risk_details.map(({ name }): string => name);
      const others = names.filter((name) => !accusations.includes(name)).join(" ");
      const isAccused = names.some((name) => accusations.includes(name));
      const isBlocked = recommended_action === undefined || standing !== "bad" || recommended_action === "BLOCK";
      if (
        others !== right[family][deed](standing, each.kind, each.second) ||
        isAccused !== (standing === "bad") ||
        !isBlocked
      )
        wrong.push({ ...each, standing, names, recommended_action });
    }
    expect(wrong).toEqual([]);
    expect(cases).toHaveLength(kinds.length * risks.length * seconds.length);
  });
});
