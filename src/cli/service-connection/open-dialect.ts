import { type Dialect, dialectOf, interfaceDialect } from "../../adapters/http/service/dialect.ts";
import { operations } from "../../api/operations.ts";
import { ConfigInvalidError, toError } from "../../kernel/errors.ts";
import { type ServiceReach, wholeInterface } from "../../worker/answers/service-reach.ts";
import { parseServiceLevels, type ServiceScales } from "../../worker/answers/service-scales.ts";
import type { ScreeningConfig, ServiceClientConfig } from "../config/config.ts";
import { type DialectFile, readDialect } from "./dialect-file.ts";
import { INTERFACE } from "./service-client-env.ts";

export interface OpenedDialect {
  readonly dialect: Dialect;
  readonly reach: ServiceReach;
  /** Levels and taxes of the file; undefined where the file has none. */
  readonly levels: Omit<ServiceScales, "taxes"> | undefined;
  readonly taxes: ServiceScales["taxes"];
  /** Names of the file's sections about requests. */
  readonly ofRequests: readonly string[];
}

const requestParts = ["auth", "headers", "paths", "operations", "chains"] as const;

/** The interface without changes, with the scales of the environment. */
export const noDialect: OpenedDialect = {
  dialect: interfaceDialect,
  reach: wholeInterface,
  levels: undefined,
  taxes: undefined,
  ofRequests: [],
};

/** @throws {ConfigInvalidError} naming the file and every fault in it. */
export async function openDialect({
  SERVICE_DIALECT: file,
}: Pick<ServiceClientConfig, "SERVICE_DIALECT">): Promise<OpenedDialect> {
  if (file === INTERFACE) return noDialect;
  const read = readDialect(await yamlOf(file));
  if (!read.ok) throw new ConfigInvalidError(`SERVICE_DIALECT: ${file}: ${read.detail}`);
  const { levels, taxes } = read.value;
  const text = Object.entries(levels ?? {})
    .map(([level, severity]) => `${level}=${severity}`)
    .join(",");
  const scales = parseServiceLevels(text);
  if (!scales.ok) throw new ConfigInvalidError(`SERVICE_DIALECT: ${file}: levels: ${scales.detail}`);
  return {
    dialect: dialectOf(read.value),
    reach: reachOf(read.value),
    levels: levels === undefined ? undefined : scales.value,
    taxes,
    ofRequests: requestParts.filter((part) => read.value[part] !== undefined),
  };
}

function reachOf({ operations: had = [...operations], limits = {} }: DialectFile): ServiceReach {
  const { items = wholeInterface.maxItems, transactions = wholeInterface.maxTransactions } = limits;
  const lacks = new Set(operations.filter((operation) => !had.includes(operation)));
  return { lacks, hasBatches: true, maxItems: items, maxTransactions: transactions };
}

/**
 * The scales of the file or of the environment.
 *
 * @throws {ConfigInvalidError} where both have scales, since the choice would be ambiguous.
 */
export function scalesOf(
  { levels, taxes }: OpenedDialect,
  { SERVICE_LEVELS: given, SERVICE_TAXES: unit }: Pick<ScreeningConfig, "SERVICE_LEVELS" | "SERVICE_TAXES">,
): ServiceScales {
  const isGiven = [given, given.trust, given.threat].some(
    ({ levels: words, scores }) => words.size + scores.length > 0,
  );
  if (levels !== undefined && isGiven) throw twice("SERVICE_LEVELS", "levels");
  if (taxes !== undefined && unit !== undefined) throw twice("SERVICE_TAXES", "taxes");
  return { ...(levels ?? given), taxes: taxes ?? unit };
}

function twice(setting: string, field: string): ConfigInvalidError {
  return new ConfigInvalidError(`${setting} is set, and the file of SERVICE_DIALECT has ${field}: unset one of them`);
}

async function yamlOf(file: string): Promise<unknown> {
  try {
    // Few services need a dialect, and the YAML parser is slow to load.
    const { readYaml } = await import("../../adapters/files/yaml-file.ts");
    return await readYaml(file);
  } catch (thrown) {
    throw new ConfigInvalidError(
      `SERVICE_DIALECT: cannot read ${file}: ${toError(thrown).message.split("\n", 1)[0]}: correct it, or set SERVICE_DIALECT=${INTERFACE}`,
    );
  }
}
