/**
 * Imports of sanctions lists with 200,000 wallets: `node bench/import-lists.ts`. It prints rows for each second of
 * processor time, and the peak memory (RSS) of the importing process. Generated lists; seeded. `node
 * bench/import-lists.ts 2000 500` makes 2,000 wallets, and 500 parties without a wallet for each party with wallets.
 */

import { execFile } from "node:child_process";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { seededRandom } from "../src/kernel/retry.ts";

const WALLETS = Number(process.argv[2] ?? 200_000);
/** Wallets of one party: exchanges and mixers have many. */
const WALLETS_A_PARTY = 4;
/** Parties without a wallet for each party with wallets. They are most of a real list. */
const OTHERS_A_PARTY = Number(process.argv[3] ?? 3);
const random = seededRandom(20_261_128);
const evmAddress = () =>
  `0x${Array.from({ length: 5 }, () =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, "0"),
  ).join("")}`;
const parties = Math.ceil(WALLETS / WALLETS_A_PARTY);
const wallets = () => Array.from({ length: WALLETS_A_PARTY }, evmAddress);

function party(id: number, addresses: readonly string[]): string {
  const features = addresses.map(
    (address, i) => `
        <Feature ID="${id * 10 + i}" FeatureTypeID="345">
          <FeatureVersion ID="${id * 10 + i}" ReliabilityID="1560">
            <Comment />
            <VersionDetail DetailTypeID="1432">${address}</VersionDetail>
          </FeatureVersion>
          <IdentityReference IdentityID="${id}" IdentityFeatureLinkTypeID="1" />
        </Feature>`,
  );
  return `
    <DistinctParty FixedRef="${id}">
      <Comment />
      <Profile ID="${id}" PartySubTypeID="3">
        <Identity ID="${id}" FixedRef="${id}" Primary="true" False="false">
          <Alias FixedRef="${id}" AliasTypeID="1403" Primary="true" LowQuality="false">
            <DocumentedName ID="${id}" FixedRef="${id}" DocNameStatusID="1">
              <DocumentedNamePart><NamePartValue NamePartGroupID="${id}" ScriptID="215">PARTY ${id}</NamePartValue></DocumentedNamePart>
            </DocumentedName>
          </Alias>
        </Identity>${features.join("")}
      </Profile>
    </DistinctParty>`;
}

function entry(id: number): string {
  return `
    <SanctionsEntry ID="${id}" ProfileID="${id}" ListID="1550">
      <EntryEvent ID="${id}" EntryEventTypeID="1" LegalBasisID="1828">
        <Comment />
        <Date CalendarTypeID="1"><Year>2022</Year><Month>5</Month><Day>6</Day></Date>
      </EntryEvent>
      <SanctionsMeasure ID="${id}" SanctionsTypeID="1"><Comment>CYBER2</Comment></SanctionsMeasure>
    </SanctionsEntry>`;
}

const ids = () => Array.from({ length: parties * (1 + OTHERS_A_PARTY) }, (_, i) => i + 1);
const hasWallets = (id: number) => id % (1 + OTHERS_A_PARTY) === 0;

function* advanced(): Generator<string> {
  yield `<?xml version="1.0" encoding="utf-8"?>
<Sanctions xmlns="https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports/ADVANCED_XML">
  <ReferenceValueSets><FeatureTypeValues><FeatureType ID="345">Digital Currency Address - ETH</FeatureType></FeatureTypeValues>
  <SanctionsTypeValues><SanctionsType ID="1">Program</SanctionsType></SanctionsTypeValues></ReferenceValueSets>
  <DistinctParties>`;
  for (const id of ids()) yield party(id, hasWallets(id) ? wallets() : []);
  yield "</DistinctParties><SanctionsEntries>";
  for (const id of ids()) yield entry(id);
  yield "</SanctionsEntries></Sanctions>\n";
}

function* sdnCsv(): Generator<string> {
  for (const id of ids()) {
    const remarks = hasWallets(id) ? wallets().map((address) => `Digital Currency Address - ETH ${address}`) : ["none"];
    yield `${id},"PARTY ${id}",-0- ,"CYBER2",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,"${remarks.join("; alt. ")}."\r\n`;
  }
}

function* entities(): Generator<string> {
  for (const id of ids()) {
    if (hasWallets(id)) {
      for (const [i, address] of wallets().entries()) {
        const properties = { publicKey: [address], currency: ["ETH"], holder: [`NK-${id}`], topics: ["sanction"] };
        yield line({ id: `w-${id}-${i}`, caption: address, schema: "CryptoWallet", datasets: ["d"], properties });
      }
    }
    const properties = { name: [`Party ${id}`], topics: ["sanction"], notes: ["x".repeat(800)] };
    yield line({ id: `NK-${id}`, caption: `Party ${id}`, schema: "Organization", datasets: ["d"], properties });
    const sanction = { entity: [`NK-${id}`], programId: ["US-CYBER2"], listingDate: ["2022-05-06"] };
    yield line({ id: `s-${id}`, caption: "x", schema: "Sanction", datasets: ["d"], properties: sanction });
  }
}

function line(entity: object): string {
  return `${JSON.stringify(entity)}\n`;
}

function* addresses(): Generator<string> {
  for (let i = 0; i < WALLETS; i++) yield `${evmAddress()} Wallet ${i}\n`;
}

const lists = {
  "ofac-xml": advanced,
  "ofac-csv": sdnCsv,
  opensanctions: entities,
  "address-list": addresses,
} as const satisfies Record<string, () => Generator<string>>;

/** Runs the command as a child, which prints its own peak at its end. */
const run = promisify(execFile);
const main = path.join(import.meta.dirname, "../src/cli/main.ts");
const tellsPeak = `data:text/javascript,process.on("exit",()=>{const u=process.resourceUsage();console.error("peak "+u.maxRSS+" cpu "+(u.userCPUTime+u.systemCPUTime))})`;

const folder = await mkdtemp(path.join(tmpdir(), "weir-import-"));
try {
  for (const [format, make] of Object.entries(lists)) {
    const [list, out] = [path.join(folder, format), path.join(folder, `${format}.csv`)];
    await pipeline(Readable.from(make()), createWriteStream(list));
    const { size } = await stat(list);
    const began = performance.now();
    const args = ["--import", tellsPeak, main, "labels", "import", list, "--format", format, "--out", out];
    const { stderr } = await run(process.execPath, args);
    const seconds = (performance.now() - began) / 1000;
    const [, rows = "?"] = /: (\d+) rows/.exec(stderr) ?? [];
    const [, peakKib = "?", cpuUs = "?"] = /^peak (\d+) cpu (\d+)/m.exec(stderr) ?? [];
    const cpuSeconds = Number(cpuUs) / 1e6;
    const told = [
      `${(size / 2 ** 20).toFixed(0)} MiB`,
      `${rows} rows in ${seconds.toFixed(1)} s`,
      `${cpuSeconds.toFixed(1)} s of processor time`,
      `${Math.round(Number(rows) / cpuSeconds)} rows for each second of it`,
      `peak ${Math.round(Number(peakKib) / 1024)} MiB`,
    ];
    process.stdout.write(`${format}: ${told.join(", ")}\n`);
  }
} finally {
  await rm(folder, { recursive: true });
}
