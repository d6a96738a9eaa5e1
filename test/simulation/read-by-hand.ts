import type { RouteName } from "../../src/api/routes.ts";
import { clean } from "../fakes/evidence.ts";
import type { LoggedItem } from "./service-log.ts";
import type { Item } from "./truth.ts";
import type { Wire } from "./wire.ts";

/** The full contents of a response. */
export interface Said {
  readonly targets: readonly LoggedItem[];
  readonly tokens: readonly LoggedItem[];
  readonly data: unknown;
}

type Members = Readonly<Record<string, unknown>>;

const MAX_BYTES = 10 * 1024 * 1024;
const MAX_DEPTH = 32;
const MAX_VALUES = 200_000;
const targetFlags = ["is_poisoning", "mimics_user", "mimics_exchange"];
const changeTexts = ["address", "amount_change", "begin_value", "delta_value", "end_value", "value_usd"];
const tokenTexts = ["token_address", "tokenName", "symbol", "divisor", "tokenPriceUSD"];
const tokenFlags = ["is_poisoning", "mimics_top_token"];

/**
 * Reads a response by the interface, without code of the worker: simple, slow, and all or nothing.
 * @returns undefined for an incomplete or invalid answer, and for an analysis in progress.
 */
export function saidIn(route: RouteName, wire: Wire, asked: readonly Item[]): Said | undefined {
  const value = jsonIn(wire);
  if (!isObject(value) || !isWithoutError(value)) return undefined;
  const { code, status, data } = value;
  if (code !== "0" || status !== "ok" || !isObject(data) || !isWithoutError(data)) return undefined;
  switch (route) {
    case "poisoningBatch":
      return saidOfMany(data);
    case "poisoningSingle":
    case "poisoningQuery":
      return saidOfOne(data, asked);
    case "tokenSecurity":
      return isLike(clean.tokenSecurity, data) ? { targets: [], tokens: [], data } : undefined;
    case "solanaEmulate":
      return isSimulation(data) ? { targets: [], tokens: [], data } : undefined;
    case "transactionSecurity":
    case "evmTransactionSecurity":
      return isRecommendation(data["security"]) ? { targets: [], tokens: [], data } : undefined;
    default:
      return isLike(clean.classification, data) ? { targets: [], tokens: [], data } : undefined;
  }
}

function jsonIn({ status, headers, body, isCut }: Wire): unknown {
  const isJson = headers["content-type"] === "application/json" && headers["content-encoding"] === undefined;
  const size = body.reduce((sum, { length }) => sum + length, 0);
  if (status !== 200 || !isJson || isCut || size > MAX_BYTES) return undefined;
  try {
    const text = Buffer.concat(body).toString("utf8");
    // No text of a simulated answer contains more than a few commas.
    if (text.split(",").length > MAX_VALUES) return undefined;
    const value: unknown = JSON.parse(text);
    const isTooMuch = isTooDeep(value, MAX_DEPTH) || valuesIn(value) > MAX_VALUES;
    return isTooMuch || keysOf(value) < keysIn(text) ? undefined : value;
  } catch {
    // Text that is no JSON has no contents.
    return undefined;
  }
}

function isTooDeep(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isTooDeep(member, levels - 1));
}

function valuesIn(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  let values = 1;
  for (const member of Object.values(value)) values += valuesIn(member);
  return values;
}

function keysOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const members: readonly unknown[] = Object.values(value);
  let keys = Array.isArray(value) ? 0 : members.length;
  for (const member of members) keys += keysOf(member);
  return keys;
}

/** Colons outside of strings. */
function keysIn(text: string): number {
  return text.replaceAll(/"(?:[^"\\]|\\.)*"/g, "").split(":").length - 1;
}

function saidOfMany(data: Members): Said | undefined {
  const [targets, tokens] = [data["target_addresses"], data["token_addresses"]];
  if (!Array.isArray(targets) || !Array.isArray(tokens)) return undefined;
  const said = { targets: targets.map((item) => itemOf(item)), tokens: tokens.map((item) => itemOf(item, true)) };
  const [saidOfTargets, saidOfTokens] = [said.targets.filter(isThere), said.tokens.filter(isThere)];
  if (saidOfTargets.length < targets.length || saidOfTokens.length < tokens.length) return undefined;
  return { targets: saidOfTargets, tokens: saidOfTokens, data };
}

/** An item with its flags, or a failed item. Undefined for any other value. */
function itemOf(item: unknown, isToken = false): LoggedItem | undefined {
  if (!isObject(item)) return undefined;
  const { chain_id, address, error, ...flags } = item;
  if (!isText(chain_id) || !isText(address)) return undefined;
  if (error === undefined) return hasFlags(flags, isToken) ? { chain_id, address, flags } : undefined;
  const isError = isObject(error) && isText(error["code"]) && isText(error["detail"]);
  return isError ? { chain_id, address, flags: undefined } : undefined;
}

function saidOfOne(data: Members, asked: readonly Item[]): Said | undefined {
  const { target_address: target, token_address: token, target_address_input: echo } = data;
  const { user_address_input: user, token_address_input: tokenEcho } = data;
  const [first] = asked;
  if (first === undefined || !isText(echo) || !isText(user) || !isText(tokenEcho)) return undefined;
  if (!isObject(target) || !hasFlags(target, false) || !isObject(token)) return undefined;
  const isAboutToken = Object.keys(token).length > 0;
  if (isAboutToken && !hasFlags(token, true)) return undefined;
  const { chain_id } = first;
  return {
    targets: [{ chain_id, address: echo, flags: target }],
    tokens: isAboutToken ? [{ chain_id, address: tokenEcho, flags: token }] : [],
    data,
  };
}

function hasFlags(flags: Members, isToken: boolean): boolean {
  if (isToken && !isText(flags["matched_token"])) return false;
  return (isToken ? tokenFlags : targetFlags).every((name) => isFlag(flags[name]));
}

/** Absent members of a result are unknown. Present members must be valid. */
function isSimulation({ exec_summary: summary, results }: Members): boolean {
  if (!isObject(summary) || !isText(summary["result_code"]) || !isText(summary["result_description"])) return false;
  const { error_data } = summary;
  if (!(isText(error_data) || error_data === null) || !Array.isArray(results)) return false;
  const isRisk = (risk: unknown) => isObject(risk) && isText(risk["address"]) && isIntegerIn(risk["risk_level"], -1, 5);
  const isChange = (change: unknown) => isObject(change) && changeTexts.every((name) => isText(change[name]));
  const isOfToken = (token: unknown) => {
    if (!isObject(token) || !tokenTexts.every((name) => isText(token[name]))) return false;
    const { change_list: list } = token;
    return Array.isArray(list) && list.every(isChange);
  };
  const isResult = (result: unknown) => {
    if (!isObject(result)) return false;
    const { from, name = "", error, request_id: id = "", involved_addresses_risks: risks } = result;
    const { compute_units_consumed: units = 0, balance_changes: changes = [] } = result;
    const { called_addresses: called = [], involved_addresses: involved = [] } = result;
    return (
      [from ?? "", name, error ?? "", id].every(isText) &&
      Number.isSafeInteger(units) &&
      [called, involved].every((texts) => Array.isArray(texts) && texts.every(isText)) &&
      Array.isArray(changes) &&
      changes.every(isOfToken) &&
      (risks === undefined || (Array.isArray(risks) && risks.every(isRisk)))
    );
  };
  return results.every(isResult);
}

function isRecommendation(security: unknown): boolean {
  if (!isObject(security) || !isText(security["overall_risk_level"])) return false;
  const { overall_score: score, recommended_action: action, risk_details: details } = security;
  return isIntegerIn(score, 0, 5) && /^(?:ALLOW|WARN|BLOCK)$/.test(String(action)) && Array.isArray(details);
}

function isIntegerIn(value: unknown, least: number, most: number): boolean {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= least && value <= most;
}

/** Whether a value has the members of the example: of the same type, and flags where the example has flags. */
function isLike(example: unknown, value: unknown): boolean {
  if (isFlag(example)) return isFlag(value);
  if (typeof example === "number") return Number.isSafeInteger(value);
  if (!isObject(example)) return typeof value === typeof example;
  return isObject(value) && Object.entries(example).every(([name, each]) => isLike(each, value[name]));
}

function isWithoutError(value: Members): boolean {
  return (value["error"] ?? null) === null;
}

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isFlag(value: unknown): boolean {
  return value === "0" || value === "1";
}

function isThere<T>(item: T | undefined): item is T {
  return item !== undefined;
}
