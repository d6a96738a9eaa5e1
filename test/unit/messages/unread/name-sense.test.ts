import { describe, expect, test } from "vitest";
import { directionOf, senseOf } from "../../../../src/messages/unread/name-sense.ts";

const words = [
  ...["from", "to", "source", "src", "destination", "dest", "dst", "receiver", "owner", "holder", "account", "origin"],
  ...["peer", "target", "payer", "party", "originator", "debtor", "creditor", "initiator", "spender", "signer"],
  ...["sender", "recipient", "contact", "beneficiary", "payee", "counterparty", "wallet", "user", "customer"],
];
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

describe("a name of parties or directions is telling, and means users", () => {
  test.each(words)("%s, in every spelling", (word) => {
    const spellings = [
      ...[word, word.toUpperCase(), capital(word), `${word}_address`, `${word}Address`, `${word.toUpperCase()}_ADDR`],
      ...[`${capital(word)} (Address)`, `tx_${word}`, `tx${capital(word)}`, `tx-${word}`, `Tx ${capital(word)}`],
      ...[`[${word}]`, `${word}.id`, `${word}/other`, `${word}:1`, `${word}2`, `token ${word}`, `${word}_contract`],
    ];
    for (const name of spellings) expect([name, senseOf(name)]).toEqual([name, { isTelling: true, meant: "users" }]);
  });

  // Names from exports of explorers (From_PrivateTag is from Etherscan), and names that people write.
  test.each([
    ...["From", "To", "From_PrivateTag", "To_Nametag", "paidTo", "sentFrom", "Sender/Receiver", "feePayer"],
    ...["SourceOwner", "SourceTokenAccount", "DestOwner", "Owner Address", "tx_from", "initiator_address", "reciever"],
    ...["tokenholder_account", "acount", "accounts", "knownrecipients", "AllowList"],
  ])("%s", (name) => {
    expect(senseOf(name)).toEqual({ isTelling: true, meant: "users" });
  });
});

test.each([
  "token_addr",
  "contract_adress",
  "ContractAddr",
  "tokenaddresses2",
  "Asset Address",
  "mint_addr",
  "contractaddress",
])("%s refers to addresses, and means a token's", (name) => {
  expect(senseOf(name)).toEqual({ isTelling: true, meant: "token" });
});

test.each(["contract", "tokenContracts", "token_x", "Mint", "coin"])(
  "%s is not telling, and means a token's",
  (name) => {
    expect(senseOf(name)).toEqual({ isTelling: false, meant: "token" });
  },
);

test.each([
  ...["tok", "total", "today", "stop", "tool", "customs", "platform", "fromage", "resource", "datasource", "sourced"],
  ...["stakeholderless", "placeholder", "folder", "original", "speer", "memo", "Counter", "x1", "note", "method"],
  ...[
    "Txhash",
    "hash",
    "amount",
    "count",
    "power",
    "tower",
    "",
    "42",
    "no. 3",
    "__proto__",
    "constructor",
    "use",
    "new",
  ],
])("%j is not telling", (name) => {
  expect(senseOf(name)).toEqual({ isTelling: false, meant: "users" });
});

test.each([
  ["From", "from"],
  ["TO", "to"],
  ["from_address", "from"],
  ["To (Address)", "to"],
  ["toAddr", "to"],
  ["token", undefined],
  ["from_name_tag", undefined],
  ["valid_to", undefined],
  ["address", undefined],
])("%s is a column of the direction %s", (name, direction) => {
  expect(directionOf(name)).toBe(direction);
});
