import { STATUS_OK } from "../../api/envelope.ts";
import type { ResponseOf, RouteName, SentTo } from "../../api/routes.ts";
import type { TokenSecurityData } from "../../api/schemas/token-security.ts";
import { fail, ok, type Result } from "../../kernel/result.ts";
import { type Severity, severities } from "../../messages/decision.ts";
import type { TokenAnswer } from "../../messages/evidence.ts";
import type { SecurityService } from "../ports.ts";

interface ScoreRange {
  readonly from: number;
  readonly to: number;
  readonly meaning: Severity;
}

/** The meaning of a service's words and numbers. */
export interface Scale {
  /** By level in lower case. INFO means harmless. */
  readonly levels: ReadonlyMap<string, Severity>;
  readonly scores: readonly ScoreRange[];
}

/**
 * How a service writes levels, scores and taxes where the interface leaves it open. Source: settings of the operator.
 */
export interface ServiceScales extends Scale {
  /** For trust levels, which may count upwards: 1 can be the least trust. */
  readonly trust: Scale;
  /** For `threat_intelligence.risk_level`, which need not use the scale of `overall_score`. */
  readonly threat: Scale;
  /** Unit of taxes. Undefined when it is not known. */
  readonly taxes: "percent" | "fraction" | undefined;
}

/** What the operator's scales make of an answer. Stored in the evidence, so that an audit uses the same scales. */
type ReadBy = NonNullable<TokenAnswer["read_by"]>;

const range = /^(-?\d+(?:\.\d+)?)-(-?\d+(?:\.\d+)?)$/;
const number = /^-?\d+(?:\.\d+)?$/;

/** Prefixes of entries about `trust_level` and `threat_intelligence.risk_level`. */
const prefixes = ["trust", "threat"] as const;

/**
 * Reads `low=INFO,critical=BLOCK,0-30=INFO,30-100=BLOCK,trust:low=WARN,threat:5=BLOCK`. A failure names the invalid
 * entry.
 */
export function parseServiceLevels(text: string): Result<Omit<ServiceScales, "taxes">> {
  const empty = () => ({ levels: new Map<string, Severity>(), scores: [] as ScoreRange[] });
  const [risk, of] = [empty(), { trust: empty(), threat: empty() }];
  for (const part of text.split(",").map((each) => each.trim())) {
    if (part === "") continue;
    const at = part.lastIndexOf("=");
    const named = part.slice(0, Math.max(at, 0)).trim().toLowerCase();
    const prefix = prefixes.find((each) => named.startsWith(`${each}:`));
    const level = prefix === undefined ? named : named.slice(prefix.length + 1).trim();
    const { levels, scores } = prefix === undefined ? risk : of[prefix];
    const meaning = severities.find(
      (known) =>
        known ===
        part
          .slice(at + 1)
          .trim()
          .toUpperCase(),
    );
    if (level === "" || meaning === undefined)
      return fail(`"${part}": write LEVEL=SEVERITY or FROM-TO=SEVERITY, and one of ${severities.join(", ")}`);
    const bounds = range.exec(level) ?? (number.test(level) ? [level, level, level] : undefined);
    if (bounds === undefined) {
      if (levels.has(level)) return fail(`"${part}": the level is given twice, in whatever letters`);
      levels.set(level, meaning);
      continue;
    }
    const [from, to] = [Number(bounds[1]), Number(bounds[2])];
    if (from > to) return fail(`"${part}": the range ends before it begins`);
    scores.push({ from, to, meaning });
  }
  return ok({ ...risk, ...of });
}

/**
 * The answer with the meaning of its levels by the scales. Unchanged where the scales give no meaning.
 *
 * @param isAdapted Whether an adapter made the answer. Only then its mark `adapter` counts.
 */
export function withScales(answer: TokenSecurityData, scales: ServiceScales, isAdapted = false): TokenSecurityData {
  // Only the worker may set `read_by`, and only an adapter may set `adapter`.
  const { read_by: _theirs, adapter, ...rest } = answer as TokenAnswer;
  const data = isAdapted && adapter !== undefined ? { ...rest, adapter } : rest;
  const overall = meaningOf(data.overall_risk_level, scales);
  const score = meaningOf(data.overall_score, scales);
  const threat = meaningOfThreat(data.threat_intelligence.risk_level, scales);
  const trust = meaningOf(data.threat_intelligence.trust_level, scales.trust);
  const readBy: ReadBy = {
    ...(overall === undefined ? {} : { overall_risk_level: overall }),
    ...(score === undefined ? {} : { overall_score: score }),
    ...(threat === undefined ? {} : { threat_risk_level: threat }),
    ...(trust === undefined ? {} : { trust_level: trust }),
    ...(scales.taxes === undefined ? {} : { taxes: scales.taxes }),
  };
  if (Object.keys(readBy).length > 0) return { ...data, read_by: readBy };
  return "read_by" in answer || ("adapter" in answer && !isAdapted) ? data : answer;
}

/**
 * The service, with the meaning by the scales added to each answer about a token.
 *
 * @param isAdapted as for `withScales`.
 */
export function scaledService(service: SecurityService, scales: ServiceScales, isAdapted = false): SecurityService {
  return {
    async ask<N extends RouteName>(route: N, request: SentTo<N>, signal: AbortSignal): Promise<ResponseOf<N>> {
      const answer = await service.ask(route, request, signal);
      if (route !== "tokenSecurity") return answer;
      const { status, data } = answer as ResponseOf<"tokenSecurity"> & { readonly data?: TokenSecurityData };
      return status === STATUS_OK && data !== undefined
        ? { ...answer, data: withScales(data, scales, isAdapted) }
        : answer;
    },
  };
}

/** Words mean the same as in levels. A number has a scale of its own: 5 may be the most of 5. */
function meaningOfThreat(text: string, scales: ServiceScales): Severity | undefined {
  const own = meaningOf(text, scales.threat);
  return own === undefined && !number.test(text.trim()) ? meaningOf(text, scales) : own;
}

/** The meaning of one text by the scales: a word, or a number within a range. The most severe matching range counts. */
function meaningOf(text: string, { levels, scores }: Scale): Severity | undefined {
  const word = text.trim().toLowerCase();
  const named = levels.get(word);
  if (named !== undefined || !number.test(word)) return named;
  const value = Number(word);
  const found = scores.filter(({ from, to }) => from <= value && value <= to).map(({ meaning }) => meaning);
  return severities.findLast((severity) => found.includes(severity));
}
