import { isAddress } from "../../../../chains/unscreened-chains.ts";
import { InputUnreadableError } from "../../../../kernel/errors.ts";
import { NO_KIND } from "../../../../labels/import/label-row.ts";
import { type ListEntry, listEntry } from "../../../../labels/import/list-entry.ts";
import { type FtmEntity, nestedIn, textsOf, type WalletRow, walletsIn } from "../formats/ftm-entity.ts";
import { lineBatches } from "../formats/list-lines.ts";
import type { ListSource, Unsaid } from "../formats/list-source.ts";
import { entityIn, learnOf, noFacts, type OwnerFacts, WALLET_MARK, walletOwners } from "../formats/wallet-owners.ts";

/** The kind of a wallet by topic; the first match counts. Source: the topics of OpenSanctions. */
const kindByTopic: readonly (readonly [topic: RegExp, kind: string])[] = [
  [/^sanction(\.|$)/, "sanctioned"],
  [/^(crime(\.|$)|wanted$)/, "malicious"],
];

/**
 * OpenSanctions' entities.ftm.json, or targets.nested.json: an entity a line. Wallets stand before, behind or within
 * the entities that hold them. So the file is read three times, in constant memory.
 */
export async function* openSanctions(list: ListSource, unsaid: Unsaid): AsyncGenerator<ListEntry> {
  if (!list.isRepeatable) throw new InputUnreadableError("opensanctions is read three times: name a file, no pipe");
  const owners = await walletOwners(list);
  for await (const lines of lineBatches(list)) {
    for (const { number, text } of lines) {
      if (!text.includes(WALLET_MARK)) continue;
      const entity = entityIn(text);
      if (entity === undefined) yield { line: number, unreadable: "row: is no entity in JSON" };
      else for (const placed of walletsIn(entity)) yield* walletEntries(number, placed, owners, unsaid);
    }
  }
}

function* walletEntries(
  line: number,
  { wallet, owner }: WalletRow,
  owners: ReadonlyMap<string, OwnerFacts>,
  unsaid: Unsaid,
): Generator<ListEntry> {
  const facts = [...(owner === undefined ? [] : [factsOfItself(owner)]), ...factsOn(wallet, owners)];
  const topics = facts.flatMap((each) => each.topics);
  const kind = kindOf(topics) ?? unsaid.kind;
  const addresses = addressesOf(wallet);
  if (addresses.length === 0) yield { line, unreadable: "row: a wallet without an address in publicKey or accountId" };
  const currency = [...new Set([...textsOf(wallet, "currency"), ...textsOf(wallet, "currencySymbol")])].join(", ");
  // The name of the holder names a wallet. The name of the wallet itself is mostly its address.
  const [name = unsaid.name ?? `${kind ?? "listed"} wallet`] = facts
    .map((each) => each.name)
    .filter((each) => each !== "");
  const [listedOn = ""] = facts
    .map((each) => each.listedOn)
    .filter((each) => each !== "")
    .sort();
  const remarks = [
    `OpenSanctions ${wallet.id}`,
    currency,
    listedOn === "" ? "" : `listed ${listedOn}`,
    wallet.datasets.join(", "),
  ];
  const [date = ""] = [wallet.seenOn, ...facts.map((each) => each.seenOn)].filter((each) => each !== "");
  const programs = facts.flatMap((each) => each.programs);
  for (const address of addresses) {
    const entry = listEntry(line, address, { currency }, { name, kind: kind ?? "", programs, remarks, date });
    yield kind === undefined && "row" in entry ? { line, unreadable: missingKind(topics) } : entry;
  }
}

/** A text that looks like a number only is an account number at an exchange, not an address. */
function addressesOf(wallet: FtmEntity): readonly string[] {
  const keys = textsOf(wallet, "publicKey");
  return [...new Set([...keys, ...textsOf(wallet, "accountId").filter(isAddress)])];
}

/** Facts about the holders first, then about the wallet itself. */
function factsOn(wallet: FtmEntity, owners: ReadonlyMap<string, OwnerFacts>): readonly OwnerFacts[] {
  const nested = nestedIn(wallet, "holder").map(factsOfItself);
  const known = [...textsOf(wallet, "holder"), wallet.id].flatMap((id) => owners.get(id) ?? []);
  return [...nested, ...known, factsOfItself(wallet)];
}

function factsOfItself(entity: FtmEntity): OwnerFacts {
  const facts = noFacts();
  learnOf(facts, entity);
  return facts;
}

function kindOf(topics: readonly string[]): string | undefined {
  return kindByTopic.find(([form]) => topics.some((topic) => form.test(topic)))?.[1];
}

function missingKind(topics: readonly string[]): string {
  return topics.length === 0 ? NO_KIND : `kind: none of the topics tells it: ${topics.join(", ").slice(0, 80)}`;
}
