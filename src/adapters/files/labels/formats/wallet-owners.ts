import { type FtmEntity, ftmEntity, nameOf, nestedIn, textsOf, walletsIn } from "./ftm-entity.ts";
import { type ListLine, lineBatches } from "./list-lines.ts";
import type { ListSource } from "./list-source.ts";

/** Facts that entities hold about a wallet or its holder. */
export interface OwnerFacts {
  name: string;
  programs: readonly string[];
  topics: readonly string[];
  /** The day on which the sources of the entity last listed it; empty where the file has none. */
  seenOn: string;
  /** The first day of a listing, as 2018-11-28; empty where the file has none. */
  listedOn: string;
}

export const WALLET_MARK = '"CryptoWallet"';
const SANCTION_MARK = '"Sanction"';

/**
 * Facts that the entities of a file hold about its wallets and their holders. Only entities that wallets refer to are
 * kept. One pass over the file collects their ids; another pass collects their facts from anywhere in the file.
 *
 * @throws {Error} for a file of other lines, and for a truncated file.
 */
export async function walletOwners(list: ListSource): Promise<ReadonlyMap<string, OwnerFacts>> {
  const owners = new Map<string, OwnerFacts>();
  const wanted = await idsOfWallets(list);
  if (wanted.size === 0) return owners;
  for await (const lines of lineBatches(list)) for (const { text } of lines) learn(owners, wanted, text);
  return owners;
}

/** The ids of wallets and of their holders. */
async function idsOfWallets(list: ListSource): Promise<ReadonlySet<string>> {
  const wanted = new Set<string>();
  let isFirst = true;
  for await (const lines of lineBatches(list)) {
    for (const line of lines) {
      if (line.text.trim() === "") continue;
      if (isFirst) checkFirst(line);
      isFirst = false;
      if (!line.isEnded) checkLast(line);
      if (!line.text.includes(WALLET_MARK)) continue;
      const entity = entityIn(line.text);
      for (const id of entity === undefined ? [] : walletIds(entity)) wanted.add(id);
    }
  }
  return wanted;
}

/** The entity of a line; undefined for any other text. */
export function entityIn(text: string): FtmEntity | undefined {
  try {
    return ftmEntity(text);
  } catch {
    // A line that is not JSON loses only itself. The importer reports it when it is a wallet.
    return undefined;
  }
}

function checkFirst({ text, isEnded }: ListLine): void {
  if (!isEnded) return;
  if (entityIn(text) === undefined) throw new Error("its first line is no entity: JSON with id, schema and properties");
}

function checkLast({ number, text }: ListLine): void {
  if (entityIn(text) === undefined) throw new Error(`line ${number} is cut off: get the file again in full`);
}

function walletIds(entity: FtmEntity): readonly string[] {
  return Array.from(walletsIn(entity)).flatMap(({ wallet }) => [wallet.id, ...textsOf(wallet, "holder")]);
}

/** The beginning of an entity, as FollowTheMoney writes it: most lines need not be parsed. */
const idAtStart = /^\s*\{\s*"id"\s*:\s*"([^"\\]*)"/;

function learn(owners: Map<string, OwnerFacts>, wanted: ReadonlySet<string>, text: string): void {
  const id = idAtStart.exec(text)?.[1];
  if (id !== undefined && !wanted.has(id) && !text.includes(SANCTION_MARK)) return;
  const entity = entityIn(text);
  // The facts of a wallet itself are read together with the wallet.
  if (entity === undefined || entity.schema === "CryptoWallet") return;
  if (wanted.has(entity.id)) learnOf(factsIn(owners, entity.id), entity);
  if (entity.schema !== "Sanction") return;
  for (const id of textsOf(entity, "entity")) if (wanted.has(id)) learnSanction(factsIn(owners, id), entity);
}

function factsIn(owners: Map<string, OwnerFacts>, id: string): OwnerFacts {
  const known = owners.get(id);
  if (known !== undefined) return known;
  const facts = noFacts();
  owners.set(id, facts);
  return facts;
}

/** Adds the facts that an entity holds about itself. */
export function learnOf(facts: OwnerFacts, entity: FtmEntity): void {
  if (facts.name === "") facts.name = nameOf(entity);
  if (facts.seenOn === "") facts.seenOn = entity.seenOn;
  facts.topics = joined(facts.topics, textsOf(entity, "topics"));
  learnSanction(facts, entity);
  for (const sanction of nestedIn(entity, "sanctions")) learnSanction(facts, sanction);
}

function learnSanction(facts: OwnerFacts, entity: FtmEntity): void {
  const codes = textsOf(entity, "programId");
  facts.programs = joined(facts.programs, codes.length > 0 ? codes : textsOf(entity, "program"));
  for (const day of [...textsOf(entity, "listingDate"), ...textsOf(entity, "startDate")]) {
    if (entity.schema === "Sanction" && (facts.listedOn === "" || day < facts.listedOn)) facts.listedOn = day;
  }
}

export function noFacts(): OwnerFacts {
  return { name: "", programs: [], topics: [], seenOn: "", listedOn: "" };
}

function joined(known: readonly string[], more: readonly string[]): readonly string[] {
  return more.length === 0 ? known : [...new Set([...known, ...more])];
}
