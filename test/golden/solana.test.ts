import { some } from "@solana/kit";
import * as system from "@solana-program/system";
import * as token from "@solana-program/token";
import { test } from "vitest";
import { readLabelList } from "../../src/labels/label-list.ts";
import { LabelBook } from "../../src/service/labels/label-book.ts";
import * as w from "../fixtures/solana/world.ts";
import { type Expected, expectVerdicts } from "../support/golden.ts";
import { inProcessService } from "../support/in-process-service.ts";

const { user, friend, thief } = w;
const signer = w.signing(user);
/** Keeps the first five and the last five characters of the user's address. */
const imitation = `${user.slice(0, 5)}${thief.slice(5, -5)}${user.slice(-5)}` as typeof user;
const listed = w.named(61);
const labels = LabelBook.of([
  readLabelList("test", [
    { line: 2, row: { chain: "solana", address: listed, kind: "malicious", name: "drainer" } },
    { line: 3, row: { chain: "solana", address: w.mint, kind: "token", name: "GOLD" } },
  ]),
]);

const event = (id: string, transaction: unknown, more: object = {}) =>
  JSON.stringify({ id, type: "transaction", chain_id: "solana", transaction, ...more });
const pay = (destination: typeof user, amount = 1_000_000_000n) =>
  system.getTransferSolInstruction({ source: signer, destination, amount });
const send = (source: typeof user, destination: typeof user, amount: bigint) =>
  token.getTransferInstruction({ source, destination, authority: signer, amount });
const all = 2n ** 64n - 1n;

/** Events of a pipeline, each with the expected decision. */
const events: readonly Expected[] = [
  ["ALLOW", event("payment", w.serialized([pay(friend)]))],
  ["ALLOW", event("payment-structured", w.structured([pay(friend)]))],
  ["ALLOW", event("payment-to-one-known", w.serialized([pay(friend)]), { user_addresses: [friend] })],
  ["ALLOW", event("tokens", w.serialized([send(w.userTokens, w.friendTokens, 5n)]))],
  ["ALLOW", event("sequence", [w.serialized([pay(friend)]), w.serialized([pay(friend, 2_000_000_000n)])])],
  ["WARN", event("most-of-the-money", w.serialized([pay(friend, 8_000_000_000n)]))],
  ["WARN", event("not-enough-money", w.serialized([pay(friend, 80_000_000_000n)]))],
  [
    "WARN",
    event("sequence-that-overspends", [
      w.serialized([pay(friend, 4_900_000_000n)]),
      w.serialized([pay(friend, 5_200_000_000n)]),
    ]),
  ],
  ["BLOCK", event("imitated-user", w.serialized([pay(imitation)]))],
  ["BLOCK", event("imitated-friend", w.serialized([pay(imitation)]), { user_addresses: [user] })],
  ["BLOCK", event("listed-thief", w.serialized([pay(listed)]))],
  [
    "BLOCK",
    event(
      "drain",
      w.serialized([
        send(w.userTokens, w.thiefTokens, 1_000_000_000n),
        send(w.userOtherTokens, w.thiefOtherTokens, 7_000n),
        pay(thief, 9_900_000_000n),
      ]),
    ),
  ],
  [
    "BLOCK",
    event(
      "account-given-away",
      w.serialized([system.getAssignInstruction({ account: signer, programAddress: w.named(70) })]),
    ),
  ],
  [
    "BLOCK",
    event(
      "tokens-given-away",
      w.serialized([
        token.getSetAuthorityInstruction({
          owned: w.userTokens,
          owner: signer,
          authorityType: token.AuthorityType.AccountOwner,
          newAuthority: some(thief),
        }),
      ]),
    ),
  ],
  [
    "BLOCK",
    event(
      "approval",
      w.serialized([
        token.getApproveInstruction({ source: w.userTokens, delegate: thief, owner: signer, amount: all }),
      ]),
    ),
  ],
  [
    "BLOCK",
    event(
      "given-away-by-what-fails",
      w.serialized([
        system.getAssignInstruction({ account: signer, programAddress: w.named(70) }),
        pay(friend, 80_000_000_000n),
      ]),
    ),
  ],
  ["UNKNOWN", event("table-that-is-nowhere", w.serialized([pay(friend)], { tables: { [w.named(50)]: [friend] } }))],
  ["UNKNOWN", event("no-transaction", { to: friend })],
  ["UNKNOWN", event("bad-user", w.serialized([pay(friend)]), { user_addresses: ["T"] })],
];

test("Solana events get the checked-in verdicts and the expected decisions", async () => {
  const solana = { simulator: w.simulatorOver(), requestId: () => "00000000-0000-4000-8000-000000000000" };
  await expectVerdicts(events, inProcessService(labels, solana), "solana-verdicts.json");
});
