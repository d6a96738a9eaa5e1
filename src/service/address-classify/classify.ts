import type { ClassifyRequest, ClassifyResponse } from "../../contract/address-classify.ts";
import type { Answer } from "../answer.ts";
import { subjectOf, unsupported } from "../subject.ts";

/** Classification needs an EVM node. No chain has one configured yet, so every valid request names an unsupported chain. */
export function classify(request: ClassifyRequest): Answer<ClassifyResponse> {
  const subject = subjectOf(request.chain_id, request.address, ["evm"]);
  return "value" in subject ? unsupported(request.chain_id) : subject;
}
