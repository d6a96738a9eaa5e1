/** The permissions on the deployment page equal the requests of the code to a store, and the advice in its failures. */
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const root = path.resolve(import.meta.dirname, "../../..");
const page = readFileSync(path.join(root, "docs/deploy.md"), "utf8");
const source = globSync(path.join(root, "src/adapters/s3/*.ts"))
  .map((file) => readFileSync(file, "utf8"))
  .join("\n");

interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
}
const [role = [], bucket = []] = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(
  ([, text = ""]): readonly Statement[] => JSON.parse(text).Statement,
);
const actionsOf = (statements: readonly Statement[]) => statements.flatMap(({ Action }) => Action);

/** The permission for each call of the SDK. Source: Amazon's "Required permissions for Amazon S3 API operations". */
const rightOf: Readonly<Record<string, string>> = {
  GetObject: "s3:GetObject",
  HeadBucket: "s3:ListBucket",
  HeadObject: "s3:GetObject",
  ListObjectVersions: "s3:ListBucketVersions",
  ListObjectsV2: "s3:ListBucket",
  PutObject: "s3:PutObject",
};

test("the role's policy allows the calls, and the needs of lock and key, and the table names the same permissions", () => {
  const calls = new Set([...source.matchAll(/new (\w+)Command\(/g)].map(([, call = ""]) => call));
  expect([...calls].toSorted()).toEqual(Object.keys(rightOf));
  const needed = new Set([...Object.values(rightOf), "s3:PutObjectRetention", "kms:GenerateDataKey", "kms:Decrypt"]);

  expect(actionsOf(role).toSorted()).toEqual([...needed].toSorted());
  expect(role.map(({ Effect }) => Effect)).toEqual(["Allow", "Allow", "Allow"]);
  expect([...page.matchAll(/^\| `([\w:]+)` \|/gm)].map(([, right]) => right).toSorted()).toEqual(
    [...needed].toSorted(),
  );
});

test("every permission in the advice of a failure is in the policy", () => {
  const advised = [...source.matchAll(/\b(?:s3|kms):[A-Z]\w+/g)].map(([right]) => right);

  expect(advised.length).toBeGreaterThan(3);
  expect(advised.filter((right) => !actionsOf(role).includes(right))).toEqual([]);
});

test("the bucket's policy only denies, and denies nothing that the role's policy allows without a condition", () => {
  expect(bucket.map(({ Effect }) => Effect)).toEqual(["Deny", "Deny", "Deny"]);
  const unconditional = actionsOf(bucket.filter((statement) => !("Condition" in statement)));
  expect(unconditional).toEqual(["s3:DeleteObject", "s3:DeleteObjectVersion", "s3:BypassGovernanceRetention"]);
});
