import type { CanonicalAddress } from "../../address.ts";
import type { EvmAct } from "../act.ts";
import type { RoleValues } from "./argument-roles.ts";
import { addresses, integers } from "./role-values.ts";
import { ALL, type Called, ZERO_ADDRESS } from "./token-calls.ts";

/** The rights that a call gives, revokes or weakens, by the roles of its arguments. */
export function rightsIn(roles: RoleValues, { by, contract }: Called): readonly EvmAct[] {
  const token = addresses(roles, "token").at(-1) ?? contract;
  const amount = integers(roles, "amount").at(-1) ?? ALL;
  const isGranted = !(roles.byRole.get("granted") ?? []).includes(false);
  const revoke = (spender: CanonicalAddress): EvmAct => ({ does: "revoke", token, of: by, spender });
  const modules = addresses(roles, "module");
  const isWeaker = integers(roles, "threshold").some((owners) => owners <= 1n) || modules.includes(ZERO_ADDRESS);
  return [
    ...addresses(roles, "spender").map(
      (spender): EvmAct =>
        amount === 0n || !isGranted
          ? revoke(spender)
          : { does: "approve", token, of: by, spender, amount, adds: false, by: "call" },
    ),
    ...addresses(roles, "operator").map(
      (spender): EvmAct => (isGranted ? { does: "approve_all", token, of: by, spender } : revoke(spender)),
    ),
    ...addresses(roles, "admin").map((to): EvmAct => ({ does: "give_ownership", contract, to })),
    ...modules.filter((to) => to !== ZERO_ADDRESS).map((to): EvmAct => ({ does: "add_module", contract, to })),
    ...(isWeaker ? [{ does: "weaken", contract } as const] : []),
  ];
}
