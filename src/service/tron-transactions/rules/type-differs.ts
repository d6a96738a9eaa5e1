import { TYPE_URL_PREFIX } from "../../../chains/tron/message/raw-data.ts";
import type { TronRule } from "./rule.ts";

/** The protocol names the type twice. Who shows one and signs the other deceives. */
export const typeDiffers: TronRule = ({ type, typeUrl }) => {
  if (typeUrl === undefined || typeUrl === "") return undefined;
  // Any.pack of both libraries writes the prefix; what stands in front of the last slash has no meaning.
  const named = typeUrl.slice(typeUrl.lastIndexOf("/") + 1);
  return named === `${TYPE_URL_PREFIX.split("/")[1]}${type}`
    ? undefined
    : `says ${type}, and its type_url another type`;
};
