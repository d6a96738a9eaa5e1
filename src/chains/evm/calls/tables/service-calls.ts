import { accountCalls } from "./account-calls.ts";
import { bridgeCalls } from "./bridge-calls.ts";
import { descriptorCalls } from "./descriptor-calls.generated.ts";
import { exchangeCalls } from "./exchange-calls.ts";
import { vaultCalls } from "./vault-calls.ts";

/** The functions of services. A row replaces an earlier row with the same selector. */
export const serviceCalls: readonly string[] = [
  ...descriptorCalls.map(([, text]) => text),
  ...exchangeCalls,
  ...vaultCalls,
  ...bridgeCalls,
  ...accountCalls,
];
