import { TYPE_URL_PREFIX } from "../../../chains/tron/message/raw-data.ts";
import type { TronRule } from "./rule.ts";

/** The protocol states the type twice. A transaction that shows one type and signs another deceives the signer. */
export const typeDiffers: TronRule = ({ type, typeUrl }) => {
  if (typeUrl === undefined || typeUrl === "") return undefined;
  // Any.pack of both libraries writes the prefix. The text before the last slash has no meaning.
  const named = typeUrl.slice(typeUrl.lastIndexOf("/") + 1);
  return named === `${TYPE_URL_PREFIX.split("/")[1]}${type}`
    ? undefined
    : `says ${type}, and its type_url another type`;
};
