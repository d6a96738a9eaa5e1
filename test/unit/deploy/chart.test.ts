/**
 * The parts of the chart and of compose that can be checked as text. tools/check/check-deploy.ts runs the tools that
 * know the formats.
 */
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { envRows } from "../../../src/cli/config/docs/env-table.ts";

const root = path.resolve(import.meta.dirname, "../../..");
const read = (file: string) => readFileSync(path.join(root, file), "utf8");
const chart = "deploy/helm/weir";
const helpers = read(`${chart}/templates/_helpers.tpl`);
const compose = read("deploy/compose/compose.yaml");
const { version } = JSON.parse(read("package.json"));
/** Keys of a YAML text with this indentation. */
const keysIn = (text: string, indent = 0) =>
  [...text.matchAll(new RegExp(`^ {${indent}}([A-Za-z][\\w-]*):`, "gm"))].map(([, key]) => key);

describe("the chart", () => {
  test("has the version of the package", () => {
    expect(read(`${chart}/Chart.yaml`)).toContain(`\nversion: ${version}\nappVersion: ${version}\n`);
  });

  test("has a value for every field of its schema, and no other value", () => {
    const { properties } = JSON.parse(read(`${chart}/values.schema.json`));
    const { global, ...own } = properties;

    expect(global).toEqual({ type: "object" });
    expect(keysIn(read(`${chart}/values.yaml`)).toSorted()).toEqual(Object.keys(own).toSorted());
  });

  test("uses every value", () => {
    const templates = globSync(`${chart}/templates/*`, { cwd: root }).map(read).join("\n");

    for (const key of keysIn(read(`${chart}/values.yaml`)))
      expect(templates, key).toMatch(new RegExp(`alues\\.${key}\\b`));
  });

  test("gives a pod no unneeded permission", () => {
    for (const line of [
      "runAsNonRoot: true",
      "runAsUser: 1000",
      "type: RuntimeDefault",
      "allowPrivilegeEscalation: false",
      "readOnlyRootFilesystem: true",
      "drop: [ALL]",
      "automountServiceAccountToken: false",
      "enableServiceLinks: false",
      "defaultMode: 0440",
    ]) {
      expect(helpers.split(line), line).toHaveLength(2);
    }
  });

  test("gives the bucket's role to the pod that archives, and to no other pod", () => {
    const [, account = ""] = /define "weir\.serviceAccount" -}}\n([\s\S]*?)\n\n/.exec(helpers) ?? [];
    const roleIsFor =
      /else if include "weir\.usesS3Keys" \. -}}\n{{- default \(include "weir\.fullname" \.root\) \$account\.name/;
    expect(account).toMatch(roleIsFor);
    expect(account).toContain('printf "%s-no-bucket"');
    expect(helpers).toContain('default (include "weir.serviceAccount" $of) .values.serviceAccountName');
    // Annotations hold the role: one template has annotations, for one account.
    const accounts = read(`${chart}/templates/serviceaccount.yaml`);
    expect(accounts).toMatch(/{{- if eq \$name \$withRole }}\n {2}{{- with \$\.Values\.serviceAccount\.annotations }}/);
    const all = globSync(`${chart}/templates/*`, { cwd: root }).map(read).join("\n");
    expect(all.split("serviceAccount.annotations")).toHaveLength(2);
  });

  test("probes the endpoints of Weir, on the default ports", () => {
    expect(helpers.match(/path: \/\w+/g)).toEqual(["path: /livez", "path: /livez", "path: /readyz"]);
    const ports = new Map(envRows().map(({ name, fallback }) => [name, fallback]));
    for (const [file, port] of [
      ["worker", ports.get("ADMIN_PORT")],
      ["archive", ports.get("ADMIN_PORT")],
      ["service", ports.get("PORT")],
    ]) {
      expect(read(`${chart}/templates/${file}.yaml`), file).toContain(`"number" ${port}`);
      expect(read(`${chart}/templates/${file}.yaml`), file).toMatch(new RegExp(`port: ${port}\\n`));
    }
  });

  test("waits longer than a worker takes to stop", () => {
    // 15 s for work in flight. Then 3 s each for the last commits, the consumers, the producer, and the archive's own.
    expect(Number(/terminationGracePeriodSeconds: (\d+)/.exec(helpers)?.[1])).toBeGreaterThan(30);
  });
});

describe("compose", () => {
  test("names every image with a version", () => {
    const images = [...compose.matchAll(/^ *image: (\S+)$/gm)].map(([, image]) => image ?? "");

    expect(new Set(images).size).toBe(5);
    for (const image of images) expect(image).toMatch(/^(weir:local|[a-z]+\/[a-z]+:v?\d+\.\d+\.\d+)$/);
  });

  test("opens ports on this machine only", () => {
    const ports = [...compose.matchAll(/^ *- (\S*\d+:\d+)$/gm)].map(([, port]) => port ?? "");

    expect(ports).toHaveLength(3);
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
  });

  test("mounts existing files", () => {
    const mounts = [...compose.matchAll(/^ *- (\.\.?\/\S+?):\//gm)].map(([, file]) => file ?? "");

    expect(mounts).toHaveLength(5);
    for (const file of mounts) expect(read(path.join("deploy/compose", file)).length).toBeGreaterThan(50);
  });
});
