import { rowDay } from "../../../../labels/import/row-day.ts";
import { isObject } from "./whole-document.ts";

/** An entity of FollowTheMoney, as OpenSanctions publishes them. */
export interface FtmEntity {
  readonly id: string;
  readonly schema: string;
  readonly caption: string;
  readonly datasets: readonly string[];
  /** The day on which its sources last had it, else that of its last change. Empty where neither is told. */
  readonly seenOn: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** The entity of a line; undefined: it is JSON, but no entity. @throws {SyntaxError} for text that is not JSON. */
export function ftmEntity(line: string): FtmEntity | undefined {
  return entityOf(JSON.parse(line));
}

/** What a property holds, as texts; entities that are nested in it are left out. */
export function textsOf({ properties }: FtmEntity, property: string): readonly string[] {
  return valuesOf(properties, property).filter((value) => typeof value === "string");
}

/** The entities that are nested in a property, as in targets.nested.json. */
export function nestedIn({ properties }: FtmEntity, property: string): readonly FtmEntity[] {
  return valuesOf(properties, property).flatMap((value) => entityOf(value) ?? []);
}

/** A wallet, and the entity that it stands in; undefined: it stands alone. */
export interface WalletRow {
  readonly wallet: FtmEntity;
  readonly owner: FtmEntity | undefined;
}

/** The wallets that an entity is or holds, however deep, each with the entity right around it. */
export function* walletsIn(entity: FtmEntity, owner?: FtmEntity): Generator<WalletRow> {
  if (entity.schema === "CryptoWallet") return yield { wallet: entity, owner };
  for (const property of Object.keys(entity.properties)) {
    for (const inner of nestedIn(entity, property)) yield* walletsIn(inner, entity);
  }
}

/** What an entity is called; empty where it only has a number or an address. */
export function nameOf(entity: FtmEntity): string {
  const [name = ""] = textsOf(entity, "name");
  return name === "" && !textsOf(entity, "publicKey").includes(entity.caption) ? entity.caption : name;
}

function valuesOf(properties: Readonly<Record<string, unknown>>, property: string): readonly unknown[] {
  const values = properties[property];
  return Array.isArray(values) ? values : [];
}

function entityOf(value: unknown): FtmEntity | undefined {
  if (!isObject(value)) return undefined;
  const { id, schema, caption = "", datasets = [], properties = {} } = value;
  if (typeof id !== "string" || typeof schema !== "string" || !isObject(properties)) return undefined;
  return {
    id,
    schema,
    properties,
    caption: typeof caption === "string" ? caption : "",
    seenOn: dayOf(value["last_seen"]) || dayOf(value["last_change"]),
    datasets: Array.isArray(datasets) ? datasets.filter((each) => typeof each === "string") : [],
  };
}

function dayOf(value: unknown): string {
  const day = rowDay(value);
  return day.ok ? day.value : "";
}
