import { selectors } from "../contract.ts";
import type { StorageField } from "../findings/slot.ts";
import type { Expr } from "../machine/expr.ts";

/** The parties and the amount in the arguments of a function on the way to a sale. */
export interface Roles {
  readonly isFrom: (expr: Expr) => boolean;
  readonly isTo: (expr: Expr) => boolean;
  readonly isAmount: (expr: Expr) => boolean;
}

const arg = (at: bigint) => (expr: Expr) => expr.op === "ARG" && expr.value === at;
const isCaller = ({ op }: Expr) => op === "CALLER" || op === "ORIGIN";
const nobody = () => false;

/** A holder that cannot approve cannot sell by `transferFrom`. The spender is no party of a transfer. */
const approval: Roles = { isFrom: isCaller, isTo: nobody, isAmount: arg(1n) };

/** The two ways to move tokens, and the approval that the second one needs. */
export const rolesOf: Readonly<Record<string, Roles>> = {
  [selectors.transfer]: { isFrom: isCaller, isTo: arg(0n), isAmount: arg(1n) },
  [selectors.transferFrom]: { isFrom: arg(0n), isTo: arg(1n), isAmount: arg(2n) },
  [selectors.approve]: approval,
  [selectors.increaseAllowance]: approval,
};

/** Whether an entry is kept for a party of the transfer. */
export const isPersonal = ({ keys }: StorageField, { isFrom, isTo }: Roles): boolean =>
  keys.some((key) => isFrom(key) || isTo(key) || isCaller(key));
