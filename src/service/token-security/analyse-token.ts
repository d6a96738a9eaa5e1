import type { TokenSecurityRequest, TokenSecurityResponse } from "../../contract/token-security.ts";
import type { Answer } from "../answer.ts";
import { subjectOf, unsupported } from "../subject.ts";

/** Token security needs an EVM node. No chain has one configured yet, so every valid request names an unsupported chain. */
export function analyseToken(request: TokenSecurityRequest): Answer<TokenSecurityResponse> {
  const subject = subjectOf(request.chainId, request.address, ["evm"]);
  return "value" in subject ? unsupported(request.chainId) : subject;
}
