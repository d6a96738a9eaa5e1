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

/** The capabilities of a contract, read from its code alone. */
export interface CodeAnalysis {
  /** `token`: the contract moves balances. `proxy`: other code runs in its place. `empty`: there is no code. */
  readonly kind: "token" | "proxy" | "other" | "empty";
  /** Whether the bytes were creation code; the constructor was cut off. */
  readonly creation: boolean;
  readonly codeBytes: number;
  readonly functions: number;
  /** Whether a bound was reached, so that unseen findings are `unknown`. */
  readonly truncated: boolean;
  readonly findings: Readonly<Record<FindingName, CodeFinding>>;
  /** A summary of the dangers to holders. `unknown` has the same meaning as in a finding. */
  readonly capabilities: Capabilities;
  readonly balanceSlots: readonly string[];
  readonly ownerSlot: string | undefined;
  readonly proxy: ProxyTarget | undefined;
  readonly execution: CodeExecution;
}

/** How far the code was executed. */
export interface CodeExecution {
  readonly calls: number;
  /** The reason why the code was not executed, or not to the end. */
  readonly reason: string | undefined;
}

export interface Capabilities {
  /** A function creates any number of tokens for any address. */
  readonly mint: boolean | "unknown";
  /** A value that privileged accounts can change keeps users from selling. */
  readonly limit: boolean | "unknown";
  /** Tokens of other holders can be moved or destroyed without their permission. */
  readonly leak: boolean | "unknown";
}

/** Findings that do not depend on the contract being a token. */
const always: ReadonlySet<FindingName> = new Set(["self_destruct", "delegatecall", "proxy"]);

/** The most pieces of evidence per finding, enough to look it up. */
const MAX_EVIDENCE = 8;

/** Analyses runtime code or creation code. Any bytes are accepted. `alive` works as in `readContract`. */
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

/**
 * Functions that a sale needs. When a function has no successful path, for example because of an endless loop, its
 * rules were not read.
 */
const sale = [selectors.transfer, selectors.transferFrom, selectors.approve] as const;

/** View functions that every token answers. */
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

/**
 * Whether a token fails to answer its own functions, or shows other balances than it moves. In both cases the findings
 * are unclear.
 */
const isHiding = ({ failing }: Contract, token: Token | undefined): boolean =>
  token !== undefined && (!token.isShown || questions.some((selector) => failing.has(selector)));

const rules = [mintSigns, leakSigns, anythingSigns, limitSigns, callSigns, feeSigns, ownerSigns];

function slotName(contract: Contract, paths: Parameters<typeof ruler>[1], shown: Parameters<typeof ruler>[2]) {
  const field = ruler(contract, paths, shown);
  return field && (field.shift > 0 ? `${field.name}+${field.shift / 8}` : field.name);
}

/**
 * Merges signs to one finding per name. The sign with the highest confidence decides, and duplicate evidence is
 * dropped.
 */
function gathered(
  signs: readonly Sign[],
  seen: {
    readonly token: boolean;
    readonly truncated: boolean;
    /** Whether every function that a sale needs has a successful path. */
    readonly sales: boolean;
    /** Whether every place that runs other code was reached. Also true when there is no such place. */
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

/** Adds to evidence the path to its place, where a path leads there. */
function withPaths(findings: CodeAnalysis["findings"], contract: Contract): CodeAnalysis["findings"] {
  const wayTo = waysOf(contract);
  const located = (evidence: Evidence): Evidence => {
    const { selector, offset } = evidence;
    const path = offset === undefined ? undefined : wayTo(offset, selector);
    return path === undefined ? evidence : { ...evidence, path };
  };
  return forEachFinding((name) => ({ ...findings[name], evidence: findings[name].evidence.map(located) }));
}

/** A fixed wait between two sales is a cooldown, but no owner controls it. Its confidence is below this threshold. */
const SURE = 0.5;

/** Findings that each can keep holders from selling. */
export const limits: readonly FindingName[] = [
  "blacklist",
  "whitelist",
  "pausable",
  "max_transaction",
  "cooldown",
  "personal_limit",
  "external_gate_on_transfer",
];

/** Summarizes findings as capabilities. */
export function capabilitiesOf(findings: Readonly<Record<FindingName, CodeFinding>>): Capabilities {
  const any = (names: readonly FindingName[]) => {
    if (names.some((name) => findings[name].value === true && findings[name].confidence >= SURE)) return true;
    return names.some((name) => findings[name].value === "unknown") ? "unknown" : false;
  };
  return { mint: any(["unlimited_mint"]), limit: any(limits), leak: any(["moves_others_tokens"]) };
}
