import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { emptyFolder } from "../support/folder.ts";
import { run } from "../support/weir.ts";

const fake = "0xd9A1C3788D81257612E2581A6ea0aDa244853a91";
const real = "0xd9A1b0B1e1aE382DbDc898Ea68012FfcB2853a91";

test("weir audit --dir reads the output of weir screen and reports changes to it", async () => {
  const folder = await emptyFolder();
  const [input, out] = [path.join(folder, "events.csv"), path.join(folder, "out")];
  await writeFile(input, `chain,address,users\neth,${fake},${real}\neth,${real},${real}\nnowhere,${real},\n`);
  expect(await run(["screen", input, "--out", out])).toMatchObject({ status: 2 });

  const clean = await run(["audit", "--dir", out]);

  expect(clean).toMatchObject({
    status: 0,
    stdout:
      "1 object, 3 verdicts: 3 decided again, 0 by a policy that is not at hand, 3 compared with verdicts.ndjson; 0 findings\n",
  });
  expect(clean.stderr).toMatch(/^decided by default [0-9a-f]{12}: 3 verdicts$/m);

  const log = path.join(out, "verdicts.ndjson");
  const lines = await readFile(log, "utf8");
  await writeFile(log, lines.replace('"decision":"BLOCK"', '"decision":"ALLOW"'));
  const edited = await run(["audit", "--dir", out]);
  await rm(log);
  const alone = await run(["audit", "--dir", out]);

  expect(edited.status).toBe(2);
  expect(edited.stdout).toMatch(
    /^not_in_topic {2}v1\/verdicts\/dt=\S+ {2}line \d is not what verdicts\.ndjson has at offset \d$/m,
  );
  expect(alone.status).toBe(2);
  expect(alone.stdout).toBe(
    `log_missing  topic  ${out} holds no verdicts.ndjson: nothing shows that the archive has all that was decided\n` +
      "1 object, 3 verdicts: 3 decided again, 0 by a policy that is not at hand; 1 finding\n",
  );
});

test("weir audit --dir checks that the archive holds each set of lists that verdicts name, unchanged", async () => {
  const folder = await emptyFolder();
  const [input, out, list] = ["events.csv", "out", "own.csv"].map((name) => path.join(folder, name)) as [
    string,
    string,
    string,
  ];
  await writeFile(input, `chain,address,users\neth,${real},${real}\neth,${fake},${real}\n`);
  await writeFile(list, `chain,address,name,kind\nevm,${fake},A party,sanctioned\n`);
  await run(["screen", input, "--out", out], { LISTS_FILES: list });
  const sets = path.join(out, "archive/lists");
  const [name = ""] = await readdir(sets);
  const set = path.join(sets, name);
  const text = await readFile(set, "utf8");

  const clean = await run(["audit", "--dir", out]);
  await writeFile(set, text.replace("own.csv", "ofac.csv"));
  const edited = await run(["audit", "--dir", out]);
  await rm(sets, { recursive: true });
  const gone = await run(["audit", "--dir", out]);

  expect([clean.status, clean.stdout]).toEqual([
    0,
    expect.stringContaining(", 1 set of lists spelled out; 0 findings\n"),
  ]);
  expect([edited.status, edited.stdout]).toEqual([
    2,
    expect.stringMatching(
      `lists_changed  lists/${name}  named by 2 of the verdicts: the names and hashes in it are those of the set `,
    ),
  ]);
  expect([gone.status, gone.stdout]).toEqual([
    2,
    expect.stringContaining(
      `lists_missing  lists/${name}  named by 2 of the verdicts: nothing spells this set of lists out`,
    ),
  ]);
});

test("weir audit without a bucket or a folder names the missing setting", async () => {
  const nowhere = path.join(await emptyFolder(), "absent");

  expect(await run(["audit"])).toMatchObject({
    status: 1,
    stderr: "weir: bad settings: S3_BUCKET: must name the bucket of the archive; for the folder of a run, give --dir\n",
  });
  expect(await run(["audit", "--dir", nowhere])).toMatchObject({
    status: 1,
    stderr: `weir: --dir ${nowhere}: there is no such folder\n`,
  });
});
