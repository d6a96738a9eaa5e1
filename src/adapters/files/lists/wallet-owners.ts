import { type FtmEntity, ftmEntity, nameOf, nestedIn, textsOf } from "./ftm-entity.ts";
import { type ListLine, lineBatches } from "./list-lines.ts";
import type { ListSource } from "./list-source.ts";

/** What entities say of a wallet or of its holder. */
export interface OwnerFacts {
  name: string;
  readonly programs: Set<string>;
  readonly topics: Set<string>;
  /** The first day of a listing, as 2018-11-28; empty where none is told. */
  listedOn: string;
}

export const WALLET_MARK = '"CryptoWallet"';
const SANCTION_MARK = '"Sanction"';

/**
 * What the entities of a file say of its wallets and their holders. Only what wallets refer to is kept: one pass over the
 * file finds their ids, another what is said of them, wherever it stands.
 *
 * @throws {Error} for a file of other lines, and for one that is cut off.
 */
export async function walletOwners(list: ListSource): Promise<ReadonlyMap<string, OwnerFacts>> {
  const owners = new Map<string, OwnerFacts>();
  let isFirst = true;
  for await (const lines of lineBatches(list)) {
    for (const line of lines) {
      if (line.text.trim() === "") continue;
      if (isFirst) checkFirst(line);
      isFirst = false;
      if (!line.isEnded) checkLast(line);
      if (!line.text.includes(WALLET_MARK)) continue;
      const entity = entityIn(line.text);
      for (const id of entity === undefined ? [] : walletIds(entity)) if (!owners.has(id)) owners.set(id, noFacts());
    }
  }
  if (owners.size === 0) return owners;
  for await (const lines of lineBatches(list)) for (const { text } of lines) learn(owners, text);
  return owners;
}

/** The entity of a line; undefined for anything else. */
export function entityIn(text: string): FtmEntity | undefined {
  try {
    return ftmEntity(text);
  } catch {
    // A line that is not JSON costs itself; of a wallet the importer says so.
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
  return entity.schema === "CryptoWallet" ? [entity.id, ...textsOf(entity, "holder")] : [];
}

/** How an entity begins, as FollowTheMoney writes it: most lines need not be parsed. */
const idAtStart = /^\s*\{\s*"id"\s*:\s*"([^"\\]*)"/;

function learn(owners: ReadonlyMap<string, OwnerFacts>, text: string): void {
  const id = idAtStart.exec(text)?.[1];
  if (id !== undefined && !owners.has(id) && !text.includes(SANCTION_MARK)) return;
  const entity = entityIn(text);
  if (entity === undefined) return;
  const own = owners.get(entity.id);
  if (own !== undefined) learnOf(own, entity);
  if (entity.schema !== "Sanction") return;
  for (const id of textsOf(entity, "entity")) {
    const owner = owners.get(id);
    if (owner !== undefined) learnSanction(owner, entity);
  }
}

/** Adds what an entity says of itself. */
export function learnOf(facts: OwnerFacts, entity: FtmEntity): void {
  if (facts.name === "") facts.name = nameOf(entity);
  for (const topic of textsOf(entity, "topics")) facts.topics.add(topic);
  learnSanction(facts, entity);
  for (const sanction of nestedIn(entity, "sanctions")) learnSanction(facts, sanction);
}

function learnSanction(facts: OwnerFacts, entity: FtmEntity): void {
  const codes = textsOf(entity, "programId");
  for (const program of codes.length > 0 ? codes : textsOf(entity, "program")) facts.programs.add(program);
  for (const day of [...textsOf(entity, "listingDate"), ...textsOf(entity, "startDate")]) {
    if (entity.schema === "Sanction" && (facts.listedOn === "" || day < facts.listedOn)) facts.listedOn = day;
  }
}

export function noFacts(): OwnerFacts {
  return { name: "", programs: new Set(), topics: new Set(), listedOn: "" };
}
