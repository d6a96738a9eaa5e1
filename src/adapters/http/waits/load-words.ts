import type { FailureFields } from "../service/failure-text.ts";

/** Codes of 429, alone or with more digits: KuCoin has 429000, Longbridge 429002, and GoPlus 4029. */
const CODE = /^-?(?:429\d{0,3}|4029)$/;

/**
 * Words for requests that come too fast, in lower case and with single spaces. Source: the error codes that AWS, Google,
 * Tencent, Baidu, Binance, Etherscan and others publish: `TOO_MANY_REQUESTS`, `RequestLimitExceeded`, `Throttling.User`.
 */
const LOAD = [
  "too ?many ?(?:(?:pending|concurrent|simultaneous) )?(?:requests?|calls?|visits?|query|queries)",
  "(?:rate|qps|rps|tps|rpm|frequency) ?limit",
  "(?:requests?|calls?|api|concurrency|usage|daily|quota) limit (?:(?:is|was|has been) )?(?:exceeded|reached|hit)",
  "(?:concurrent|concurrency) (?:requests?|calls?) limit",
  "(?:reached|hit) (?:(?:the|your|its|current|max|maximum|allowed|api|daily) )*(?:requests?|calls?|rate|qps) limit",
  "(?:requests?|calls?) (?:(?:is|are|was|were|come|came) )?too (?:fast|often)",
  "(?:frequency|quota|qps|rate|throughput) (?:(?:is|was|has been) )?(?:exceeded|exhausted|reached|too high)",
  "exceed(?:s|ed|ing)? (?:(?:the|your|its|current|max|maximum|allowed|api) )*(?:qps|rate|request|call|frequency|quota|throughput)",
  "(?:requests?|calls?) (?:is |are )?(?:too frequent|limited)",
  "too frequent",
  "request frequency",
  "throttl",
  "slow ?down",
].join("|");
const SAYS = new RegExp(`\\b(?:${LOAD})`);

/**
 * A code or a status that holds only a general word. It does not quote the request, and may be about another kind of
 * limit.
 */
const VAGUE =
  /^(?:(?:the )?limit (?:(?:is|was|has been) )?(?:exceeded|reached)|exceeded|frequency|resource exhausted)$/;

/** A service with this message may be down. */
const BUSY = /^(?:the )?(?:system|service|server) ?(?:is )?(?:(?:too|currently|very) )?busy\b/;

/** Whether `code` or `status` reports too many requests. */
export function saysTooMany({ code = "", status = "" }: FailureFields): boolean {
  return CODE.test(code) || [code, status].some((word) => SAYS.test(plain(word)));
}

/**
 * Whether an envelope may report too many requests: by its text, which may quote the request, or by a word for other
 * limits as well. It counts like a 503: only while other requests are answered.
 */
export function maySayTooMany({ code = "", status = "", text = "" }: FailureFields): boolean {
  return SAYS.test(plain(text)) || [code, status, text].map(plain).some((word) => VAGUE.test(word) || BUSY.test(word));
}

/** `RequestLimitExceeded` and `REQUEST_LIMIT_EXCEEDED` as `request limit exceeded`, without a full stop. */
function plain(text: string): string {
  const parted = text.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ");
  return parted
    .toLowerCase()
    .replaceAll(/[ _.-]+/g, " ")
    .replaceAll(/[!\s]+$/g, "")
    .trim();
}
