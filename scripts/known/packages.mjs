import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** Licences under which facts may be carried over with their source. What others are called that mean one of them. */
const LICENCES = new Map([
  ["MIT", "MIT"],
  ["ISC", "ISC"],
  ["BSD-3-Clause", "BSD-3-Clause"],
  ["Apache-2.0", "Apache-2.0"],
  ["Apache", "Apache-2.0"],
]);

/** Package and version, the day it was published (as the registry says), the hash of its tarball, and the licence it names. */
const PACKAGES = Object.fromEntries(
  `
  uniswap @uniswap/sdk-core@7.19.4 2026-09-28 MIT sha512-jV9qVMMD6qvEATgfFnZ3QgrhIMv5lullzeGPWjyC4+sUctatft+1M+OtAZxxjbFm8NQfJA73hqIeFPOg4cUyoA==
  router @uniswap/universal-router-sdk@5.13.0 2026-09-22 MIT sha512-eAk5or7kZMV2ZlVr+NN0taDOm8MQs9KMfSEwXvC4ggfufVuswux/uVk2sNFx7C69f2Pj6bXLkZHoNH4xv1eqiA==
  zeroex @0x/contract-addresses@8.13.0 2024-12-13 Apache-2.0 sha512-wWqDSPYZOu2YNDRXdIY5pfzel+w9jM3DBNjVT8o9+wdySY0X09kxHVwazIi4QL4Fa79HLN86KY5sXlfhXNBG9w==
  seaport @opensea/seaport-js@4.3.0 2026-08-24 MIT sha512-rRUiqMX9Dqo7bj+UYRZtO5mOZeRTfFQpCan21qgWCWDNno+PV7KYHsGJCWsxJc5ga84+o60uAxPP6achZE6C3g==
  safe @safe-global/safe-deployments@1.37.63 2026-09-08 MIT sha512-dH4V3iHH5tZdxx3DBvvBzmnlOZpKMXUx6CBFGUwlARnUa9MEVVyg8Sbpc3DplsaPB5fLh0J97+WB5ylxhLWCRA==
  curve @curvefi/api@2.70.1 2026-09-28 MIT sha512-Ri+DqW7BISubW1pILxMFuaDKMV5I4wuEdgZy9TM9DJtO7O5CB3o3In4PuFngzw0sxoudLIzv93iCHpB6OE3qow==
  cow @cowprotocol/sdk-config@2.4.0 2026-08-10 MIT sha512-NMJOqq3LfIjlFFUHd4zbx3Rc3YJl/oCklEaAxw10VHVDNMFMqcdK3tR6W9CPTILR8zAv5DDy1C2cPErXpcrzkQ==
  beefy @beefyfinance/blockchain-addressbook@0.59.18 2026-09-22 MIT sha512-W4R2MjfqdusPurYD9kq0WhcFfZy2yKoZTyyREKqLMkWdXhs/rUqbnNoE3J3smiSkK+ccOSaoZdJvM8Fon14S3Q==
  venus @venusprotocol/venus-protocol@10.3.0 2026-09-18 BSD-3-Clause sha512-qGvjvUgYhK5REF/Cj4Lg4FNBMrEscnSSxr4sHL4WDlb2woPucvqLfGkw/f3XKFanf+lWD1G4K0Gzpdc430+BeQ==
  aave @aave-dao/aave-address-book@4.68.1 2026-09-16 MIT sha512-Tw1j/0OGN90m6cpaiNwpizxkBq4XzVgJqhz/fWdq9wF7yc2MAghVrsRWrCICBUiG+P7GKYd84mwULH0XVW3QTA==
  superfluid @superfluid-finance/metadata@1.6.4 2026-09-15 MIT sha512-lqAcodeGsO3DYN6OCx/e0AePU6yAn9wNT6cXwcED/DN+vWsQVEgVsSjY00AzDeCFFjCeomx64zZL917GV7rv2w==
  wormhole @wormhole-foundation/sdk-base@6.1.5 2026-08-22 Apache-2.0 sha512-ZKs211dUjVGc94okBmIVk/jFPtzq8a8P+OCAkxHZ9MtUyAKXnkOohe7l+Y6sQNXzpPvLuyk0QkLiaLSppDAejQ==
  axelar @axelar-network/axelar-chains-config@1.3.0 2024-12-13 MIT sha512-k633v2pJF8qPM3pDSawSqm7K4AgqmGicj2fUk0O0HwWB1jS2l/oFm+x5jB58HT64xhf8x7VB4BhdJQtMdKcOPA==
  polygon @maticnetwork/meta@2.4.59 2025-10-01 MIT sha512-iXqfSiVupiTGlF3luaOOzHL7ccHaLqS4cNTTwciG4/ycGUkTO6pZ+jPMJw5sQeFcBfpl38TqF261FFd1PhR9zw==
  viem viem@2.57.20 2026-11-15 MIT sha512-LSvREzKT7xFXpmxW2YFJ/OtcZRkSGLp5zywSgadBf0qQCeqh2+FxHHWyrS2zEG7ZfBWQQvk8HI1i4HPzSMD14g==
  arbitrum @arbitrum/sdk@4.1.0 2026-08-22 Apache-2.0 sha512-OIGxZj4DHROejCjSkaZEOcHhRktZGMhLAPA+Cyymlp1z7KdWaeN2DW85i6yd2Ks7QeZkv2EvwcBKOJnxoSI5tQ==
  hop @hop-protocol/core@0.0.1-beta.236 2025-10-02 MIT sha512-rKPdEIcychoztwHzQnsWPNgKbiocbksu7FOO6vH1lW7qK9dbet43Go6sSwcOWN8mxj7TvvKHTFQJMMKiBp+Rhg==
  hyperlane @hyperlane-xyz/registry@23.11.0 2026-08-22 MIT sha512-sbkgtxqOE1VOfLmYu19gr5pwtuSqoLsKu9drGrxRcYq+vaKZPEAszwsjgDUl9QVEyZjfjnLwJnEXYojArMANuQ==
  optimism @eth-optimism/tokenlist@10.0.1757 2026-05-15 MIT sha512-mi+SOHq9yQf5cYN4ZJkAmZYXFSmOFbNc4lS1rAeHyMrytZ1QQh/g3mosrFaJVioSb5kMj9w/iIKpVjJbbpIaoA==
  metamask @metamask/contract-metadata@2.5.0 2025-10-02 ISC sha512-+j7jEcp0P1OUMEpa/OIwfJs/ahBC/akwgWxaRTSWX2SWABvlUKBVRMtslfL94Qj2wN2xw8xjaUy5nSHqrznqDA==
  solana @solana/spl-token-registry@0.2.4574 2024-12-09 Apache sha512-JzlfZmke8Rxug20VT/VpI2XsXlsqMlcORIUivF+Yucj7tFi7A0dXG7h+2UnD0WaZJw8BrUz2ABNkUnv89vbv1A==
  lifi @lifi/data-types@7.1.0 2026-09-02 Apache-2.0 sha512-aTWdtI/pldyMK+KKfwSrn3T+gCDuapIGlcJ8L/cSpoV8+znLHuM8ocrtB3//q5QN15TBy1hcLBYhBnqb0uheBg==
  bankofai @bankofai/x402@0.5.8 2026-09-03 MIT sha512-1qFpXeQ+WxrMqjHPJ66a90b0todVAkBmSbzIo+KkDd3ybhnEL9IM3QV0TbX/iIbX/0SBQ1t3qmHyle6ecPxlAA==
  bitgo @bitgo/statics@59.16.0 2026-09-16 Apache-2.0 sha512-H83I4/YsG46ONcehqqW+pzKTgZ9XTu167o+IVWhJy7Xi7T+9OP3//I2x9RtrmTjbo3rqPFuLKaNquhUfaY5VKQ==
  ledger @ledgerhq/cryptoassets@13.16.0 2026-03-31 Apache-2.0 sha512-yyT+SMefxwB2xgfeVHZrp+0Ie3tpxSBzoW1pUyOIEf5qwX3ytJS5z2nJW1oDVSIs13Wqi92zaC25tkycTm80wg==
  `
    .trim()
    .split("\n")
    .map((line) => {
      const [key, spec, date, licence, integrity] = line.trim().split(" ");
      return [key, { spec, date, licence, integrity }];
    }),
);

/** Parts of a package that are unpacked, where the whole would be hundreds of megabytes. */
const PARTS = {
  venus: ["package/package.json", "--wildcards", "package/deployments/*mainnet_addresses.json"],
  lifi: ["package/package.json", "package/src/coins/coins.ts"],
  bankofai: ["package/package.json", "package/dist/tokens.js"],
  bitgo: ["package/package.json", "package/dist/src/allCoinsAndTokens.js"],
};

/** Packs every package into `folder` and unpacks it there. Refuses other bytes and another licence than were reviewed. */
export function fetchPackages(folder) {
  for (const [key, { spec, licence, integrity }] of Object.entries(PACKAGES)) {
    const options = { cwd: join(folder, key), stdio: ["ignore", "pipe", "ignore"], maxBuffer: 64 << 20 };
    mkdirSync(options.cwd);
    const packed = Object.values(JSON.parse(execFileSync("npm", ["pack", "--json", spec], options)))[0];
    if (packed.integrity !== integrity)
      throw new Error(`${spec}: not the bytes that were reviewed: ${packed.integrity}`);
    execFileSync("tar", ["-xzf", packed.filename, ...(PARTS[key] ?? [])], options);
    const { license } = JSON.parse(readFileSync(join(options.cwd, "package", "package.json"), "utf8"));
    if (license !== licence || !LICENCES.has(license)) throw new Error(`${spec}: another licence: ${license}`);
  }
  return new Packages(folder);
}

/** The unpacked packages. */
class Packages {
  constructor(folder) {
    this.folder = folder;
  }
  path(key, file) {
    return join(this.folder, key, "package", file);
  }
  text(key, file) {
    return readFileSync(this.path(key, file), "utf8");
  }
  json(key, file) {
    return JSON.parse(this.text(key, file));
  }
  /** Runs the module, which must need no other package. */
  module(key, file) {
    return import(pathToFileURL(this.path(key, file)).href);
  }
  require(key, file) {
    return createRequire(this.path(key, file))(this.path(key, file));
  }
}

/** The `source`, `date` and `licence` cells of what `key` published. */
export function provenance(key) {
  const { spec, date, licence } = PACKAGES[key];
  return { source: spec, date, licence: LICENCES.get(licence) };
}
