import { type Contract, type ReadSignatures, readContract, selectors } from "./contract.ts";
import { type CodeFinding, type Evidence, type FindingName, forEachFinding, type Sign } from "./findings/finding.ts";
import { type Token, tokenOf } from "./findings/token.ts";
import { codeLength } from "./machine/code.ts";
import { runtimeOf } from "./machine/runtime.ts";
import { viewOf } from "./paths/view.ts";
import { waysOf } from "./paths/way.ts";
import { anythingSigns } from "./rules/anything.ts";
import { callSigns } from "./rules/calls.ts";
import { codeSigns, type ProxyTarget, proxyOf } from "./rules/code.ts";
import { feeSigns } from "./rules/fee.ts";
import { leakSigns } from "./rules/leak.ts";
import { limitSigns } from "./rules/limit.ts";
import { mintSigns } from "./rules/mint.ts";
import { ownerSigns, ruler } from "./rules/owner.ts";

/** What a contract can do, read from its code alone. */
export interface CodeAnalysis {
  /** `token`: it moves balances. `proxy`: other code runs in its place. `empty`: there is no code. */
  readonly kind: "token" | "proxy" | "other" | "empty";
  /** Whether the bytes were those of a constructor, which was cut off. */
  readonly creation: boolean;
  readonly codeBytes: number;
  readonly functions: number;
  /** Bounds were reached, so that what was not seen is `unknown`. */
  readonly truncated: boolean;
  readonly findings: Readonly<Record<FindingName, CodeFinding>>;
  /** What holders fear most; `unknown` as in a finding. */
  readonly capabilities: Capabilities;
  readonly balanceSlots: readonly string[];
  readonly ownerSlot: string | undefined;
  readonly proxy: ProxyTarget | undefined;
  readonly execution: CodeExecution;
}

/** How far the code was run. */
export interface CodeExecution {
  readonly calls: number;
  /** Why it was not run, or not to the end. */
  readonly reason: string | undefined;
}

export interface Capabilities {
  /** Some function makes any number of tokens for any address. */
  readonly mint: boolean | "unknown";
  /** Something that the privileged can change keeps users from selling. */
  readonly limit: boolean | "unknown";
  /** Tokens of others can be moved or destroyed without their permission. */
  readonly leak: boolean | "unknown";
}

/** Findings that are read off the code without knowing it for a token's. */
const always: ReadonlySet<FindingName> = new Set(["self_destruct", "delegatecall", "proxy"]);

/** At most this much evidence a finding: enough to look it up. */
const MAX_EVIDENCE = 8;

/** Analyses runtime code or creation code. Any bytes will do; `alive` as in `readContract`. */
export function analyseCode(bytes: Uint8Array, read: ReadSignatures, alive: () => boolean): CodeAnalysis {
  const { code, creation } = runtimeOf(bytes);
  const contract = readContract(code, read, alive);
  const token = tokenOf(contract);
  const view = token && viewOf(contract, token);
  const signs: Sign[] = [...codeSigns(contract)];
  if (view) for (const rule of rules) signs.push(...rule(view));
  const proxy = proxyOf(contract);
  const seen = {
    token: token !== undefined,
    truncated: contract.truncated || proxy !== undefined || token?.ledger !== undefined || isHiding(contract, token),
    sales: !sale.some((selector) => contract.failing.has(selector)),
    delegations: !contract.truncated || contract.offsets.delegatecall.length === 0,
  };
  const findings = withPaths(gathered(signs, seen), contract);
  return {
    kind: code.length === 0 ? "empty" : token ? "token" : proxy ? "proxy" : "other",
    creation,
    codeBytes: codeLength(code),
    functions: contract.functions.size,
    truncated: contract.truncated,
    findings,
    capabilities: capabilitiesOf(findings),
    balanceSlots: token ? [...token.balances] : [],
    ownerSlot: view && slotName(contract, view.paths, token?.owner),
    proxy,
    execution: { calls: 0, reason: "not asked for" },
  };
}

/** Functions without which nobody sells: what keeps them from their ends, as a loop without one, was not read as a rule. */
const sale = [selectors.transfer, selectors.transferFrom, selectors.approve] as const;

/** What every token answers. */
const questions = [
  selectors.balanceOf,
  selectors.totalSupply,
  selectors.allowance,
  selectors.owner,
  selectors.getOwner,
  selectors.name,
  selectors.symbol,
  selectors.decimals,
] as const;

/** Whether a token does not answer what it has functions for, or shows other balances than it moves: nothing is clear then. */
const isHiding = ({ failing }: Contract, token: Token | undefined): boolean =>
  token !== undefined && (!token.isShown || questions.some((selector) => failing.has(selector)));

const rules = [mintSigns, leakSigns, anythingSigns, limitSigns, callSigns, feeSigns, ownerSigns];

function slotName(contract: Contract, paths: Parameters<typeof ruler>[1], shown: Parameters<typeof ruler>[2]) {
  const field = ruler(contract, paths, shown);
  return field && (field.shift > 0 ? `${field.name}+${field.shift / 8}` : field.name);
}

/** One finding for each name: the surest sign speaks, evidence is told once. */
function gathered(
  signs: readonly Sign[],
  seen: {
    readonly token: boolean;
    readonly truncated: boolean;
    /** Every function that a sale needs ends well on some way. */
    readonly sales: boolean;
    /** Every place was reached that runs other code, or there is none. */
    readonly delegations: boolean;
  },
): Readonly<Record<FindingName, CodeFinding>> {
  const of = (name: FindingName): CodeFinding => {
    const own = signs.filter((sign) => sign.name === name).sort((a, b) => b.confidence - a.confidence);
    const evidence = new Map(
      own.map(({ name: _name, confidence: _confidence, ...rest }) => [JSON.stringify(rest), rest]),
    );
    if (own.length > 0) {
      return {
        value: true,
        confidence: own[0]?.confidence ?? 0,
        evidence: [...evidence.values()].slice(0, MAX_EVIDENCE),
      };
    }
    const sold = seen.sales || !limits.includes(name);
    const looked = name === "proxy" ? seen.delegations : always.has(name) || (seen.token && !seen.truncated && sold);
    return looked ? { value: false, confidence: 0.8, evidence: [] } : { value: "unknown", confidence: 0, evidence: [] };
  };
  return forEachFinding(of);
}

/** Evidence with the way to its place, where a path leads there. */
function withPaths(findings: CodeAnalysis["findings"], contract: Contract): CodeAnalysis["findings"] {
  const wayTo = waysOf(contract);
  const located = (evidence: Evidence): Evidence => {
    const { selector, offset } = evidence;
    const path = offset === undefined ? undefined : wayTo(offset, selector);
    return path === undefined ? evidence : { ...evidence, path };
  };
  return forEachFinding((name) => ({ ...findings[name], evidence: findings[name].evidence.map(located) }));
}

/** A fixed wait between two sales is a cooldown, but nothing that an owner holds in the hand; it is rated below this. */
const SURE = 0.5;

/** Findings of which each can keep holders from selling. */
export const limits: readonly FindingName[] = [
  "blacklist",
  "whitelist",
  "pausable",
  "max_transaction",
  "cooldown",
  "personal_limit",
  "external_gate_on_transfer",
];

/** What findings sum up to. */
export function capabilitiesOf(findings: Readonly<Record<FindingName, CodeFinding>>): Capabilities {
  const any = (names: readonly FindingName[]) => {
    if (names.some((name) => findings[name].value === true && findings[name].confidence >= SURE)) return true;
    return names.some((name) => findings[name].value === "unknown") ? "unknown" : false;
  };
  return { mint: any(["unlimited_mint"]), limit: any(limits), leak: any(["moves_others_tokens"]) };
}
