import { STATUS_IN_PROGRESS, SUCCESS_CODE, success } from "../../api/envelope.ts";
import type { AdapterLater, AdapterToken } from "../../api/schemas/adapter-answers.ts";
import { isObject } from "./adapter.ts";

const flags: readonly string[] = [
  ...["basic_info.is_mintable", "basic_info.is_in_dex", "basic_info.verified", "privileges.dev_malicious"],
  ...["security_risks.is_honeypot", "security_risks.hidden_owner", "security_risks.self_destruct"],
  ...["security_risks.unlimited_mintable", "transfer_restrictions.is_anti_whale"],
  ...["transfer_restrictions.transfer_pausable", "transfer_restrictions.transfer_blacklist"],
];
const texts: readonly string[] = [
  ...["address_type", "overall_risk_level", "overall_score", "basic_info.token_name", "basic_info.token_symbol"],
  ...["basic_info.token_decimals", "basic_info.days_deployed", "privileges.owner_address", "privileges.owner_type"],
  ...["token_market.holders_count", "token_market.owner_token_percent"],
  ...["token_market.holders_concentration.top1_eoa_concentration"],
  ...["token_market.holders_concentration.top5_eoa_concentration", "trade_analysis.sell_tax"],
  ...["trade_analysis.transfer_tax", "threat_intelligence.risk_level", "threat_intelligence.trust_level"],
];

/**
 * The answer about a token. A missing field is '0' or empty, and is named in `unknown`.
 *
 * @param adapter its name, which marks the scales as those of another service.
 */
export function tokenAnswer(
  told: AdapterToken | AdapterLater,
  { chain }: { readonly chain: string },
  { adapter, nowMs }: { readonly adapter: string; readonly nowMs: number },
): object {
  if ("poll_after" in told) return { code: SUCCESS_CODE, status: STATUS_IN_PROGRESS, pollAfter: told.poll_after };
  const unknown: string[] = [];
  const data: Record<string, unknown> = { address: `${chain}:${told.address}` };
  const put = (names: readonly string[], textOf: (value: unknown) => string) => {
    for (const name of names) {
      const value = valueAt(told, name);
      if (value === undefined || value === null || value === "") unknown.push(name);
      setAt(data, name, textOf(value));
    }
  };
  put(flags, (value) => (value === true ? "1" : "0"));
  put(texts, (value) => (value === undefined || value === null ? "" : String(value)));
  return success({ ...data, scanned_time: Math.floor(nowMs / 1_000), unknown, adapter });
}

function valueAt(object: object, dotted: string): unknown {
  return dotted.split(".").reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), object);
}

function setAt(object: Record<string, unknown>, dotted: string, value: unknown): void {
  const names = dotted.split(".");
  const last = names.pop() ?? dotted;
  let at = object;
  for (const name of names) {
    at[name] ??= {};
    at = at[name] as Record<string, unknown>;
  }
  at[last] = value;
}
