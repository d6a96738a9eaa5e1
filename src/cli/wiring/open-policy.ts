import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { ConfigInvalidError, toError } from "../../kernel/errors.ts";
import { readOldPolicy } from "../../policy/old-policy.ts";
import { type PolicyChoice, policyFileHash, readPolicy } from "../../policy/policy.ts";
import { bundled } from "../program/package-root.ts";

/**
 * Opens the policy of `file`, or the bundled one.
 *
 * @param read `readOldPolicy` for the policies of earlier decisions.
 * @throws {ConfigInvalidError}
 */
export async function openPolicy(
  file = bundled.policy,
  read: typeof readPolicy | typeof readOldPolicy = readPolicy,
): Promise<{ readonly choice: PolicyChoice; readonly sha256: string }> {
  try {
    const parsed: unknown = JSON.parse(await readFile(file, "utf8"));
    return { choice: read(parsed), sha256: policyFileHash(parsed) };
  } catch (thrown) {
    if (thrown instanceof ConfigInvalidError) throw new ConfigInvalidError(`${file}: ${thrown.message}`);
    throw new ConfigInvalidError(
      `cannot read the policy file ${file}: ${toError(thrown).message}: correct it, or unset POLICY_FILE`,
    );
  }
}

/**
 * Every policy that may have decided archived verdicts: these files, the bundled policy, and its earlier versions.
 *
 * @throws {ConfigInvalidError}
 */
export async function everyPolicy(files: readonly string[]): Promise<readonly PolicyChoice[]> {
  const old = (await readdir(bundled.oldPolicies)).map((name) => path.join(bundled.oldPolicies, name));
  const opened = await Promise.all([...files, bundled.policy, ...old].map((file) => openPolicy(file, readOldPolicy)));
  return opened.map(({ choice }) => choice);
}
