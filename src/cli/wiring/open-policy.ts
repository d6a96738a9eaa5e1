import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { ConfigInvalidError, toError } from "../../kernel/errors.ts";
import { type PastPolicy, pastPolicies, readOldPolicy } from "../../policy/old-policy.ts";
import { type PolicyChoice, policyFileHash, readPolicy } from "../../policy/policy.ts";
import { bundled } from "../program/package-root.ts";

/**
 * Opens the policy of `file`, or the bundled one.
 *
 * @param read `readOldPolicy` for the policies of earlier decisions.
 * @param setting The setting or flag that names the file.
 * @throws {ConfigInvalidError}
 */
export async function openPolicy(
  file = bundled.policy,
  read: typeof readPolicy | typeof readOldPolicy = readPolicy,
  setting = "POLICY_FILE",
): Promise<{ readonly choice: PolicyChoice; readonly sha256: string }> {
  try {
    const parsed: unknown = JSON.parse(await readFile(file, "utf8"));
    return { choice: read(parsed), sha256: policyFileHash(parsed) };
  } catch (thrown) {
    if (thrown instanceof ConfigInvalidError) throw new ConfigInvalidError(`${file}: ${thrown.message}`);
    throw new ConfigInvalidError(
      `cannot read the policy file ${file}: ${toError(thrown).message}: correct it, or change ${setting}`,
    );
  }
}

/**
 * Every table that may have decided archived verdicts, by its hash: of these files, of the bundled policy, and of its
 * earlier versions.
 *
 * @throws {ConfigInvalidError}
 */
export async function pastTables(files: readonly string[]): Promise<ReadonlyMap<string, PastPolicy>> {
  const tables = new Map<string, PastPolicy>();
  for (const file of await policyFiles(files)) {
    await openPolicy(file, readOldPolicy);
    for (const policy of pastPolicies(JSON.parse(await readFile(file, "utf8")))) tables.set(policy.sha256, policy);
  }
  return tables;
}

/**
 * Every policy that may have decided archived verdicts: these files, the bundled policy, and its earlier versions.
 *
 * @throws {ConfigInvalidError}
 */
export async function everyPolicy(files: readonly string[]): Promise<readonly PolicyChoice[]> {
  const opened = await Promise.all((await policyFiles(files)).map((file) => openPolicy(file, readOldPolicy)));
  return opened.map(({ choice }) => choice);
}

async function policyFiles(files: readonly string[]): Promise<readonly string[]> {
  const old = (await readdir(bundled.oldPolicies)).map((name) => path.join(bundled.oldPolicies, name));
  return [...files, bundled.policy, ...old];
}
