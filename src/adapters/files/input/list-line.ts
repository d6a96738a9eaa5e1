import { parseAddress } from "../../../chains/address.ts";
import type { Chain } from "../../../chains/chain.ts";
import { chainByForm } from "../../../chains/chain-by-form.ts";
import { findChain } from "../../../chains/registry.ts";
import { unscreenedByForm } from "../../../chains/unscreened-chains.ts";
import { accountIdIn, writtenChain } from "../../../chains/written-chain.ts";
import { ConfigInvalidError } from "../../../kernel/errors.ts";
import { fail, type Result } from "../../../kernel/result.ts";
import type { ScreeningEvent } from "../../../messages/event.ts";
import { readEvent } from "../../../messages/parse-event.ts";
import { eventFields } from "./csv/csv-event.ts";
import type { Defaults } from "./format.ts";

const ADD_CHAIN = "add --chain, for example --chain eth";

/**
 * Reads the lines of a bare list. The form of an address tells TRON, Solana and Bitcoin; the chain of an EVM address
 * comes from `--chain`. Users and token of another family do not apply to an address.
 *
 * @param firstLine a list that begins with an address without a chain is refused as a whole.
 * @throws {ConfigInvalidError}
 */
export function addressReader(defaults: Defaults, firstLine: string): (line: string) => Result<ScreeningEvent> {
  const given = defaults.chain === undefined ? undefined : writtenChain(defaults.chain);
  const chain = given?.ok === true ? given.value : undefined;
  if (defaults.chain === undefined && chainOf(firstLine, undefined) === undefined) {
    throw new ConfigInvalidError(`a bare list of addresses needs their chain: ${ADD_CHAIN}`);
  }
  return (line) => {
    const own = chainOf(line, chain);
    if (own === undefined && chain === undefined && defaults.chain === undefined) return fail(faultOf(line));
    if (own === undefined || own.family === chain?.family) return readEvent(eventFields(["address"], [line], defaults));
    const fits = (address: string) => parseAddress(own.family, address).ok;
    const fitting: Defaults = {
      chain: own.id,
      users: defaults.users.filter(fits),
      token: defaults.token !== undefined && fits(defaults.token) ? defaults.token : undefined,
    };
    return readEvent(eventFields(["address"], [line], fitting));
  };
}

/** The chain that the text itself tells. Undefined for an EVM address, since all EVM chains share its form. */
function chainOf(text: string, given: Chain | undefined): Chain | undefined {
  const account = accountIdIn(text);
  if (account !== undefined) {
    const stated = writtenChain(account.chain);
    return stated.ok ? stated.value : undefined;
  }
  const form = chainByForm(text);
  const byForm = form.ok ? findChain(form.value) : undefined;
  if (byForm === undefined || byForm.family === given?.family) return given;
  return byForm.family === "evm" ? given : byForm;
}

function faultOf(text: string): string {
  const currency = unscreenedByForm(text);
  if (currency !== undefined) return `an address of ${currency}, which Weir does not screen`;
  const form = chainByForm(text);
  return form.ok ? `an address of EVM chains does not tell its chain: ${ADD_CHAIN}` : form.detail;
}
