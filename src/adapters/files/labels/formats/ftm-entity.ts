import { rowDay } from "../../../../labels/import/row-day.ts";
import { isObject } from "./whole-document.ts";

/** An entity of FollowTheMoney, in the form that OpenSanctions publishes. */
export interface FtmEntity {
  readonly id: string;
  readonly schema: string;
  readonly caption: string;
  readonly datasets: readonly string[];
  /**
   * The day on which the sources of the entity last listed it, else the day of its last change. Empty where the file
   * has neither.
   */
  readonly seenOn: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** The entity of a line. Undefined for JSON that is no entity. @throws {SyntaxError} for text that is not JSON. */
export function ftmEntity(line: string): FtmEntity | undefined {
  return entityOf(JSON.parse(line));
}

/** The values of a property, as texts. Entities that are nested in the property are left out. */
export function textsOf({ properties }: FtmEntity, property: string): readonly string[] {
  return valuesOf(properties, property).filter((value) => typeof value === "string");
}

/** The entities that are nested in a property, as in targets.nested.json. */
export function nestedIn({ properties }: FtmEntity, property: string): readonly FtmEntity[] {
  return valuesOf(properties, property).flatMap((value) => entityOf(value) ?? []);
}

/** A wallet, and the entity that contains it. Undefined: no entity contains the wallet. */
export interface WalletRow {
  readonly wallet: FtmEntity;
  readonly owner: FtmEntity | undefined;
}

/** The wallets that an entity is or holds, at any depth, each with the entity directly around it. */
export function* walletsIn(entity: FtmEntity, owner?: FtmEntity): Generator<WalletRow> {
  if (entity.schema === "CryptoWallet") return yield { wallet: entity, owner };
  for (const property of Object.keys(entity.properties)) {
    for (const inner of nestedIn(entity, property)) yield* walletsIn(inner, entity);
  }
}

/** The name of an entity; empty where it only has a number or an address. */
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
