// An adapter for a service of another shape: one address a request, other paths, other words. docs/service-adapters.md
// walks through it. It makes requests and reads responses; Weir sends them.

/** What the service calls the chains that it knows. Any other chain is said to be unsupported. */
const chainWords = { 1: "ethereum", 56: "bsc", 137: "polygon", tron: "tron" };

/** Categories of the service, and whether each accuses. A category that is not listed is not known, and clears nothing. */
const categories = { phishing: true, address_poisoning: true, scam: true, exchange: false, defi: false, wallet: false };

/** The service scores from 0 to 100: up to 30 it finds nothing, from 70 on it accuses, and between them it does not say. */
const HARMLESS_TO = 30;
const HARMFUL_FROM = 70;

const actions = { safe: "ALLOW", caution: "WARN", danger: "BLOCK" };

/** @type {import("./weir-adapter.d.ts").AdapterFactory} */
export function adapter() {
  return {
    schema: "weir.adapter/1",
    name: "example",
    operations: {
      "address-poisoning": { request: riskRequest, answer: riskAnswer },
      "token-security": { request: tokenRequest, answer: tokenAnswer },
      "evm-transaction-security": { request: simulationRequest, answer: simulationAnswer },
    },
    refusal,
  };
}

function riskRequest({ chain, address, users, token }, { key }) {
  const word = chainWords[chain];
  if (word === undefined) return unsupported(chain);
  const query = { compare: users.length === 0 ? undefined : users.join(","), token };
  return { path: `/risk/${word}/${encodeURIComponent(address)}`, query, headers: authorized(key) };
}

function riskAnswer({ body }, { chain, users, token }) {
  if (body.chain !== chainWords[chain]) return { failure: "unknown", detail: "the answer is about another chain" };
  return {
    address: body.address,
    is_poisoning: accused(body),
    // Without users nothing is compared, and Weir expects no answer.
    mimics_user: users.length === 0 ? undefined : isNamed(body.similar?.to_known),
    mimics_exchange: isNamed(body.similar?.to_exchange),
    ...(token === undefined ? {} : { token: aboutToken(body.token) }),
  };
}

/** True, false, or null where the service does not say. */
function accused({ score, categories: found }) {
  if (typeof score !== "number" || score < 0 || score > 100 || !Array.isArray(found)) return null;
  if (score >= HARMFUL_FROM || found.some((each) => categories[each] === true)) return true;
  return score <= HARMLESS_TO && found.every((each) => categories[each] === false) ? false : null;
}

/** The service writes null where it compared and found nothing, and leaves the field out where it did not compare. */
function isNamed(similar) {
  if (similar === null) return false;
  return typeof similar === "string" ? true : null;
}

/** Undefined where the answer has no token: then Weir says that the token is not answered. */
function aboutToken(token) {
  if (token === undefined || token === null) return undefined;
  return {
    address: token.address,
    is_poisoning: typeof token.fake === "boolean" ? token.fake : null,
    mimics_top_token: isNamed(token.imitates),
    matched_token: token.imitates ?? undefined,
  };
}

function tokenRequest({ chain, address }, { key }) {
  const word = chainWords[chain];
  if (word === undefined) return unsupported(chain);
  return { path: `/tokens/${word}/${encodeURIComponent(address)}`, headers: authorized(key) };
}

function tokenAnswer({ body }) {
  if (body.state === "pending") return { poll_after: body.retry_seconds ?? 5 };
  const { flags = {}, tax = {} } = body;
  return {
    address: body.address,
    // A word of the service: SERVICE_LEVELS says what it means.
    overall_risk_level: body.risk,
    basic_info: { token_name: body.name, token_symbol: body.symbol, verified: flags.verified },
    privileges: { dev_malicious: flags.bad_creator },
    security_risks: {
      is_honeypot: flags.honeypot,
      hidden_owner: flags.hidden_owner,
      self_destruct: flags.can_destroy,
      unlimited_mintable: flags.can_mint,
    },
    // In percent: SERVICE_TAXES says so.
    trade_analysis: { sell_tax: tax.sell_percent, transfer_tax: tax.transfer_percent },
    transfer_restrictions: { transfer_pausable: flags.can_pause, transfer_blacklist: flags.has_blacklist },
  };
}

function simulationRequest({ chain, from, to, value, data }, { key }) {
  const word = chainWords[chain];
  if (word === undefined || chain === "tron") return unsupported(chain);
  return { path: "/simulate", headers: authorized(key), body: { chain: word, from, to, value, data } };
}

function simulationAnswer({ body }) {
  // A verdict that is not listed is not known: without an action the check is UNKNOWN.
  const action = actions[body.verdict];
  return {
    // An estimate without a simulation clears no transaction.
    action: action === "ALLOW" && body.simulated !== true ? undefined : action,
    level: body.verdict,
    findings: body.reasons.map(({ code, text }) => ({ name: code, description: text })),
  };
}

/** The service answers 404 for an address that it has never seen, and 400 for a chain. All else Weir reads by its status. */
function refusal({ status, body }) {
  if (status === 404 && body?.error === "unknown_address") return { failure: "unknown", detail: "address never seen" };
  if (status === 400 && body?.error === "unsupported_chain") return { failure: "chain_unsupported" };
  return undefined;
}

function authorized(key) {
  return { authorization: `Bearer ${key}` };
}

function unsupported(chain) {
  return { failure: "chain_unsupported", detail: `chain ${chain}` };
}
