import type { TokenAnswer } from "../../../../messages/evidence.ts";
import type { PolicyTable } from "../../../../policy/policy.ts";
import { quoted } from "../quoted.ts";
import type { Finding } from "../rule.ts";
import { saysUnknown } from "./token-levels.ts";

type Rows = PolicyTable["findings"]["token-security"];

/** Age below which a token is new, days. Chosen. */
const NEW_DAYS = 7;
/** Number of holders below which a token has few holders. Chosen. */
const FEW_HOLDERS = 100;
/** Share of the supply from which one wallet controls the price, percent. Chosen. */
const MOST_OF_ONE = 50;
/** Share of the supply from which five wallets control the price, percent. Chosen. */
const MOST_OF_FIVE = 80;

const decimal = /^\d{1,20}(?:\.\d{1,40})?$/;
const wallet = /^(?:eoa|wallet|externally[ _]owned(?:[ _]account)?)$/i;

/** Findings from the figures of a token: its age, its holders, its owner, and the service's trust level. */
export function figureFindings(data: TokenAnswer, table: Rows, whose: string): readonly Finding[] {
  const { basic_info: info, privileges, token_market: market } = data;
  const { top1_eoa_concentration: top1, top5_eoa_concentration: top5 } = market.holders_concentration;
  const fires: readonly (readonly [keyof Rows, string, string, boolean])[] = [
    ["new_token", "basic_info.days_deployed", info.days_deployed, isBelow(info.days_deployed, NEW_DAYS)],
    ["few_holders", "token_market.holders_count", market.holders_count, isBelow(market.holders_count, FEW_HOLDERS)],
    [
      "concentrated",
      "token_market.owner_token_percent",
      market.owner_token_percent,
      isShare(market.owner_token_percent, MOST_OF_ONE, data),
    ],
    ["concentrated", "top1_eoa_concentration", top1, isShare(top1, MOST_OF_ONE, data)],
    ["concentrated", "top5_eoa_concentration", top5, isShare(top5, MOST_OF_FIVE, data)],
    ["owner_is_wallet", "privileges.owner_type", privileges.owner_type, wallet.test(privileges.owner_type.trim())],
  ];
  const found = fires
    .filter(([, , , isFired]) => isFired)
    .map(([row, path, text]) => ({
      finding: row,
      severity: table[row],
      detail: `${path}${whose} is '${quoted(text)}'`,
    }));
  return [...found, ...trustOf(data, table, whose)];
}

function isBelow(text: string, bound: number): boolean {
  return decimal.test(text.trim()) && Number(text) < bound;
}

/**
 * Weir's own service states percent. The interface shows no unit, so a share up to 1 of another service may be a
 * fraction.
 */
function isShare(text: string, percent: number, data: TokenAnswer): boolean {
  const said = text.trim();
  const bare = said.replace(/\s*%$/, "");
  if (!decimal.test(bare)) return false;
  const share = Number(bare);
  const mayBeFraction = bare === said && !saysUnknown(data) && share <= 1;
  return share >= percent || (mayBeFraction && share * 100 >= percent);
}

/**
 * The interface shows no scale of trust, and trust may count upwards. Only `trust:` entries of SERVICE_LEVELS read it.
 */
function trustOf(data: TokenAnswer, table: Rows, whose: string): readonly Finding[] {
  const { trust_level: level } = data.threat_intelligence;
  const meaning = data.read_by?.trust_level ?? (saysUnknown(data) || level.trim() === "" ? "INFO" : "UNKNOWN");
  if (meaning === "INFO") return [];
  const row = ({ BLOCK: "trust_low", WARN: "trust_medium", UNKNOWN: "trust_unknown" } as const)[meaning];
  const hint =
    row === "trust_unknown"
      ? `; say what it means in SERVICE_LEVELS, or in levels of the file of SERVICE_DIALECT, as trust:${quoted(level)}=INFO`
      : "";
  const detail = `threat_intelligence.trust_level${whose} is '${quoted(level)}'${hint}`;
  return [{ finding: row, severity: table[row], detail }];
}
