import type { TronRule } from "./rule.ts";

/** Behind a thousand harmless calls nobody sees the one that is not. */
export const tooManyCalls: TronRule = ({ calls, contract }) =>
  calls?.call.is === "other" && calls.isCut
    ? `holds more calls of ${contract?.address} than were looked at`
    : undefined;
