import { callsInside } from "../../../chains/tron/calls-inside.ts";
import { hexIn } from "../../../chains/tron/message-value.ts";
import type { Finds } from "./rule.ts";

/** Behind a thousand harmless calls nobody sees the one that is not. */
export const tooManyCalls: Finds = ({ operation, call, contract }) =>
  operation !== undefined && call?.is === "other" && callsInside(hexIn(operation.value, "data")).isCut
    ? `holds more calls of ${contract?.address} than were looked at`
    : undefined;
