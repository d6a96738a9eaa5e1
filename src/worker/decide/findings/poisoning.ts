import { canonicalAddress, MAX_ADDRESS_LENGTH, parseAddress } from "../../../chains/address.ts";
import { isBurnAddress, mayBeBurnAddress } from "../../../chains/burn-addresses.ts";
import { lookalike } from "../../../chains/lookalike.ts";
import { findChain } from "../../../chains/registry.ts";
import { mimicsSystem } from "../../../chains/solana/system-addresses.ts";
import type { Imitator, PoisoningEvidence } from "../../../messages/evidence.ts";
import type { Subject } from "../../../messages/verdict.ts";
import { quoted } from "./quoted.ts";
import { type Context, type Finding, ruleFor } from "./rule.ts";

/** Each flag counts by itself, because a service may raise only the aggregate flag, or only the detailed ones. */
export const poisoningRule = ruleFor("poisoning", (evidence, context) => {
  const { subject } = context;
  const nobodys = toNobody(subject);
  const mimics = systemMimics(evidence, subject);
  const isMore = nobodys !== undefined || mimics.length > 0 || isWithoutUsers(subject);
  if (isQuiet(evidence, subject) && !isMore) return nothing;
  const severity = context.table.findings.poisoning.mimics_system;
  const found = [
    ...raised(evidence, context),
    ...mimics.map(mimicsFinding(severity)),
    ...listed(evidence, context),
    ...missing(evidence),
  ];
  if (evidence.imitators !== undefined) found.push(...ownFindings(evidence, evidence.imitators, context));
  if (found.length === 0 && isWithoutUsers(subject)) found.push(noUsers);
  if (nobodys !== undefined) found.push(nobodys);
  return found;
});

const nothing: readonly Finding[] = [];

/**
 * The worst imitation that the worker's own rule finds and the service does not report. One finding suffices, because
 * several imitators produce the same finding.
 */
function ownFindings(
  { target: told }: PoisoningEvidence,
  imitators: readonly Imitator[],
  { table, allowed }: Context,
): Finding[] {
  const { mimics_user: severity, known_address_mimics: known } = table.findings.poisoning;
  const isKnown = ({ target, is_user }: Imitator) => is_user === true || allowed?.has(target) === true;
  const worst = imitators.find((each) => !isKnown(each)) ?? imitators[0];
  if (worst === undefined) return [];
  const { target, user } = worst;
  const service = isUncompared(told) ? "does not compare users" : "says that the target does not";
  const detail = `${quoted(target)} looks like ${quoted(user)}, which the user knows; the service ${service}`;
  return isKnown(worst)
    ? [{ finding: "known_address_mimics", severity: known, detail, ...resembles(user) }]
    : [{ finding: "mimics_user", severity, detail, ...resembles(user) }];
}

/** Whether a service says that it does not compare the target with users. */
export function isUncompared(target: object): boolean {
  return "unknown" in target && [target.unknown ?? []].flat().includes("mimics_user");
}

/**
 * Addresses that look like Solana's system. The worker adds the subject's own, because a service may not report them.
 */
function systemMimics({ mimics_system = [] }: PoisoningEvidence, subject: Subject): readonly string[] {
  if (subject.type === "unreadable") return mimics_system;
  const own = [subject.address, subject.token_address].filter(
    (address): address is string => address !== undefined && mimicsSystem(address),
  );
  if (own.length === 0 || findChain(subject.chain_id)?.family !== "solana") return mimics_system;
  return [...new Set([...own, ...mimics_system])];
}

function mimicsFinding(severity: Finding["severity"]): (address: string) => Finding {
  return (address) => ({
    finding: "mimics_system",
    severity,
    detail: `${quoted(address)} was made to look like a program or an account of Solana itself, and is none`,
  });
}

/** The case of nearly every event: no flag is raised, and the question is about the target alone. */
function isQuiet({ target, token, unanswered, imitators }: PoisoningEvidence, subject: Subject): boolean {
  const { mimics_user, mimics_exchange, is_poisoning } = target;
  return (
    mimics_user === "0" &&
    mimics_exchange === "0" &&
    is_poisoning === "0" &&
    token === undefined &&
    unanswered === undefined &&
    imitators === undefined &&
    target.listed_as === undefined &&
    !("unknown" in target) &&
    (subject.type === "unreadable" || subject.token_address === undefined)
  );
}

function raised(evidence: PoisoningEvidence, context: Context): Finding[] {
  const { target, token } = evidence;
  const { subject, table } = context;
  const severity = table.findings.poisoning;
  const found: Finding[] = withoutEvidence(target, token, context);
  const known = knownTarget(evidence, context);
  if (known !== undefined) found.push(knownMimics(evidence, context, known));
  else found.push(...targetFindings(evidence, context));
  if (token === undefined)
    return subject.type !== "unreadable" && subject.token_address !== undefined ? [...found, tokenMissing] : found;
  if (token.mimics_top_token === "1") {
    found.push({
      finding: "mimics_top_token",
      severity: severity.mimics_top_token,
      detail: `the token contract looks like that of ${quoted(token.matched_token) || "a well-known token"}`,
      ...resembles(token.matched_address),
    });
  }
  if (token.is_poisoning === "1") {
    found.push({
      finding: "token_is_poisoning",
      severity: severity.token_is_poisoning,
      detail: "the service calls the token contract poisoning",
    });
  }
  return found;
}

function targetFindings({ target, flagged }: PoisoningEvidence, { subject, table }: Context): Finding[] {
  const severity = table.findings.poisoning;
  const found: Finding[] = [];
  if (target.mimics_user === "1") {
    const user = imitatedUser(subject, flagged);
    found.push({
      finding: "mimics_user",
      severity: severity.mimics_user,
      detail: user === undefined ? "looks like an address the user knows" : `looks like ${user}, which the user knows`,
      ...(user === undefined ? {} : { resembles: user }),
    });
  }
  if (target.mimics_exchange === "1") {
    found.push({
      finding: "mimics_exchange",
      severity: severity.mimics_exchange,
      detail: `looks like ${labelText(target.matched_address, target.matched_name)}`,
      ...resembles(target.matched_address),
    });
  }
  if (target.is_poisoning === "1") {
    found.push({
      finding: "is_poisoning",
      severity: severity.is_poisoning,
      detail: "the service calls the address poisoning",
    });
  }
  return found;
}

/** A service may have lists that the worker lacks. */
function listed({ target, token }: PoisoningEvidence, { table }: Context): Finding[] {
  const told = [
    { what: "it", as: target.listed_as },
    { what: "the token contract", as: token?.listed_as },
  ];
  return told.flatMap(({ what, as }): Finding[] => {
    if (as !== "sanctioned" && as !== "blocked") return [];
    const finding = `listed_${as}` as const;
    const detail = `lists of the service say that ${what} is ${as}`;
    return [{ finding, severity: table.findings.listed[finding], detail }];
  });
}

/**
 * Every flagged target, if all flagged targets are known addresses themselves. A target is known if an operator's list
 * allows it. It is also known if the event names it as a user, and it resembles only another of the same users. An
 * imitation that entered the user's address book looks the same. The flags therefore still count, with a policy row of
 * their own.
 */
function knownTarget(
  { target, flagged }: PoisoningEvidence,
  { subject, allowed }: Context,
): readonly string[] | undefined {
  const { is_poisoning, mimics_user, mimics_exchange } = target;
  if (subject.type === "unreadable" || (is_poisoning !== "1" && mimics_user !== "1" && mimics_exchange !== "1"))
    return undefined;
  const targets = flagged ?? (subject.address === undefined ? [] : [subject.address]);
  if (targets.length === 0) return undefined;
  if (targets.every((each) => allowed?.has(each))) return targets;
  const users = subject.user_addresses ?? [];
  const isOwn = mimics_user === "1" && mimics_exchange !== "1" && targets.every((each) => users.includes(each));
  return isOwn && imitatedUser(subject, flagged) !== undefined ? targets : undefined;
}

function knownMimics({ flagged }: PoisoningEvidence, { subject, table }: Context, known: readonly string[]): Finding {
  const user = imitatedUser(subject, flagged);
  const other = user === undefined ? "another known address" : user;
  return {
    finding: "known_address_mimics",
    severity: table.findings.poisoning.known_address_mimics,
    detail: `${known.join(", ")} is itself in the user's addresses or on an allow list, and looks like ${other}: one of the two may be an imitation`,
    ...resembles(user),
  };
}

/** The other answers stand, but they say nothing about the missing ones. */
function missing({ unanswered = [] }: PoisoningEvidence): Finding[] {
  return unanswered.map(({ code, detail }) => ({ finding: quoted(code), severity: "UNKNOWN", detail }));
}

/** The subject names a token and the evidence does not cover it. An audit must not read that as clean. */
const tokenMissing: Finding = {
  finding: "token_unanswered",
  severity: "UNKNOWN",
  detail: "the answer says nothing about the token",
};

/**
 * A flag without evidence (`unknown`, a documented extra of the service) is not clean. Comparisons with labels that the
 * service does not make have their own row. Comparisons with the event's users are made by the worker itself.
 */
function withoutEvidence(target: object, token: object | undefined, { table }: Context): Finding[] {
  if (!("unknown" in target) && (token === undefined || !("unknown" in token))) return [];
  const ofTarget = [Reflect.get(target, "unknown") ?? []].flat().map(String);
  const ofToken = token === undefined ? [] : [Reflect.get(token, "unknown") ?? []].flat().map(String);
  const notCompared = ofTarget.filter((name) => name === "mimics_exchange");
  const names = [...ofTarget.filter((name) => name !== "mimics_exchange" && name !== "mimics_user"), ...ofToken];
  const found: Finding[] = [];
  if (names.length > 0) {
    const detail = `the service has no evidence on ${quoted(names.join(", "))}`;
    found.push({ finding: "unknown", severity: "UNKNOWN", detail });
  }
  if (notCompared.length > 0) {
    const detail = `the service makes no comparison for ${quoted(notCompared.join(", "))}`;
    found.push({ finding: "not_compared", severity: table.findings.poisoning.not_compared, detail });
  }
  return found;
}

/** An event that lost its users on the way looks the same. The verdict says that no users were compared. */
function isWithoutUsers(subject: Subject): boolean {
  return subject.type === "address" && (subject.user_addresses === undefined || subject.user_addresses.length === 0);
}

const noUsers: Finding = {
  finding: "no_users",
  severity: "INFO",
  detail: "the event names no address that its user knows: Weir compared the address with labels and lists only",
};

/**
 * Sending to such an address is no imitation, but a loss. Minted tokens also come from the zero address, so the finding
 * only informs.
 */
function toNobody(subject: Subject): Finding | undefined {
  if (subject.type === "unreadable" || subject.address === undefined) return undefined;
  const family = findChain(subject.chain_id)?.family;
  if (family === undefined || !mayBeBurnAddress(family, subject.address)) return undefined;
  const address = parseAddress(family, subject.address);
  if (!address.ok || !isBurnAddress(family, address.value)) return undefined;
  const detail = `no key exists for ${address.value}: a payment to this address is lost`;
  return { finding: "nobodys_address", severity: "INFO", detail };
}

function resembles(address: string | undefined): { resembles?: string } {
  // The field of a reason has room for an address only, but a service may write anything there.
  return address === undefined || address.length > MAX_ADDRESS_LENGTH ? {} : { resembles: address };
}

/** The imitated label, by extras of the service. Another service may give neither address nor name. */
function labelText(address = "", name = ""): string {
  if (address === "" && name === "") return "a known exchange, bridge or protocol address";
  if (name === "") return `${quoted(address)}, a labelled address`;
  return address === "" ? `${quoted(name)} (a label)` : `${quoted(address)}, ${quoted(name)} (a label)`;
}

/** The service only says that a user is imitated. The user is looked up among the event's users. */
function imitatedUser(subject: Subject, flagged: readonly string[] = []): string | undefined {
  if (subject.type === "unreadable") return undefined;
  const family = findChain(subject.chain_id)?.family;
  if (family === undefined) return undefined;
  const targets = (subject.address === undefined ? flagged : [subject.address]).flatMap(
    (text) => canonicalAddress(family, text) ?? [],
  );
  return subject.user_addresses?.find((text) => {
    const user = canonicalAddress(family, text);
    return user !== undefined && targets.some((target) => lookalike(family, target, user) !== undefined);
  });
}
