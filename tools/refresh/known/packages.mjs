import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { programFiles } from "./solana-programs.mjs";

/** Licences under which facts may be copied with their source, and other names of these licences. */
const LICENCES = new Map([
  ["MIT", "MIT"],
  ["ISC", "ISC"],
  ["BSD-3-Clause", "BSD-3-Clause"],
  ["Apache-2.0", "Apache-2.0"],
  ["Apache", "Apache-2.0"],
]);

/** Package and version, the day of its publication (from the registry), the hash of its tarball, and its licence. */
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
  dexparser solana-dex-parser@2.6.7 2026-06-24 MIT sha512-aamHuoe9asvYOHT3B6C7+16Z/6bUtdsywbelL2E394Ihsv6D7T7Bsejb2jaMRsG/BWNHNCjwopxWXDh0iKW6qQ==
  jupiterparser @jup-ag/instruction-parser@6.0.28 2026-06-24 ISC sha512-WHT7DCHXsu6xdhq5o1pbMbCrFOCk5TeECAf79aW9Mn8urhR5kT9cGSjM7tBIV/HSeD8xUv1iFHCBc7UrD99Sag==
  jupiter @jup-ag/common@6.1.0 2026-05-03 MIT sha512-OqPSRBOPBmCG38AE/t4IEWWcM/T1ouZIy9XD5nAd3pzsdrvhOer3AryCr+k7EmQ8i/17xaPWZL+axrQK633ndw==
  jupiterdca @jup-ag/dca-sdk@3.0.1 2026-05-07 ISC sha512-Bu0SAGoj/PDJdSmpK1ZzdqHn4t543f2bspYd6r6wYeW/yLhd6fJgCd20NrGxkXPE3K/HitXqd0f+ArzFsZV/Pg==
  jupiterlimit @jup-ag/limit-order-sdk@0.1.10 2025-10-04 ISC sha512-ucnkDtabsrB/Nt/Fq5JA9Cf7WQmmzbxiYWUW7GMIyX48QaI+pX+yj9eP94xerz9rLYbQ9mvJ1/qHoCqK2UK0hQ==
  jupiterlend @jup-ag/lend@0.0.107 2026-05-17 MIT sha512-ys4Ge3Ahr173cE2/dfWyo9vXgcFxf5StHVxJLF3NqKNgVrYAiUF3sHZjFLlo2DFb02rilMsE5nkAswHLB4lAHQ==
  jupiterreferral @jup-ag/referral-sdk@0.3.0 2026-05-07 ISC sha512-XV/xRVIz+cs+Cjh0m4is/8cMgJWt7PU58f9w99tmt4frNagxAbhV5pA0XP9iLTQ1S1mP7oFBPLyDlpGKxMRmnA==
  dlmm @meteora-ag/dlmm@1.9.14 2026-08-09 ISC sha512-3xJGBaYgkHWSZ7sjfaMYTuCUE9/FGibIwhoNKSaP3iXX3kZck4b3qrtFwDl/1+JaflTeiZQY4zO25e+u2V/9ug==
  damm @meteora-ag/dynamic-amm-sdk@1.4.1 2026-04-11 MIT sha512-BBHcgC4MWcQi5KqkbXaoV8aCcS03d8JQiQ+4rIidSJPgDYzLqoylD9xjQOIMXGr8dM46qawPVoFPNXrm8ZciQA==
  dammv2 @meteora-ag/cp-amm-sdk@1.5.0 2026-09-28 MIT sha512-1gnrNn8U+T/M82lkA5aBwr89RRjnG8ERA0GTu9l1Q8D44P1Dde7jT5xC0lprV2zqZbx1HsZwYu4dHmPlw2NikA==
  dbc @meteora-ag/dynamic-bonding-curve-sdk@1.5.12 2026-09-11 MIT sha512-xMtzUXriajNtNwYgNwk5T9IKxjfj6QP1I4yUKAe9JiGrVgpqoLkwvB2mKy8824nSWrVNVX5CAufHW5Kvjz/FNA==
  m3m3 @meteora-ag/m3m3@1.0.10 2026-04-11 ISC sha512-dIpnXqjGj8DNfYDWOVsPlQn8LVR6C6pFwC76G0koy0hrvMrvAilFOR8q3NCtl6ru/ZY0FGFUaF0cgLzS0Zicag==
  alphavault @meteora-ag/alpha-vault@1.1.16 2026-04-11 ISC sha512-tm0bJNc3P+JGELrAnDgoaXLQjDq4BfX/D+16SRVODjNdXPyi6vTXETPnDFOF6bHqjYnTHB+C8ONVTIurTKT2rg==
  klend @kamino-finance/klend-sdk@8.0.2 2026-08-24 MIT sha512-ukWAHbW8/YY5Y/l2Gk912mXAChCTlK1VAnpwnEAp4R7KiVgk8w9gaFWCQ3yZEvOF/BIefVmSFHnYqJh8OunFYQ==
  kliquidity @kamino-finance/kliquidity-sdk@8.5.10 2026-05-04 MIT sha512-E+e4TR4JWdolivMsA956eamfcG5rd1+Wtr1N/iJRmdqrN5cKVln9xX2JAGmw0yGmcwOgxcJfe1joG16AnwKx3A==
  kfarms @kamino-finance/farms-sdk@4.0.1 2026-09-23 Apache-2.0 sha512-xMy67GC4q714iI3AOC3imMGyD+QShDGkGX/eKOBCOHpfxqKuXNSCnhT/DwcoZsNkmpQoSfeohks85rJMPKO7/g==
  klimo @kamino-finance/limo-sdk@3.1.0 2026-09-23 Apache-2.0 sha512-8D0m96UpA+LhWK1Bbqxo8O3CQmzoIgODxHfFmW2fRbsgF5RbC2fxEdtP2MzVmVl+7Wcn8Bw1Vony5q27MnowNw==
  marginfi @mrgnlabs/mrgn-common@2.0.7 2026-05-08 MIT sha512-sSB9jGgRJISBKG5Fh2SL7Ltn85FCnp74Hxoo8TrMq2FYsrh+mZQfEQW82CVVy939EDL8EHNpxqoDb/nlD0VGRQ==
  marinade @marinade.finance/marinade-ts-sdk@6.0.0 2026-08-24 ISC sha512-XYY3+cxvXS//zFmPPtA2sestNVZD6bpEOEcZTTeangf5J5JofpIEk10E8+00NKnc3wCr4anuTMMdRbLTrAypcA==
  solend @solendprotocol/solend-sdk@0.14.27 2026-06-29 MIT sha512-8NoE7xuPAwi8wZtZYTvqxYJEeLldg+3XuIJIty4EIhUDNGw4WEusvmM/JKvN1QXsYUuV4Mxx4eOIWPjfWHNRBQ==
  squads @sqds/multisig@2.1.4 2026-03-19 MIT sha512-5w+NmwHOzl96nI50R/fjSD6uFydRLNUquhoEmmWbGepS4D9DnQyF2TKcUBfTyxV3sgJt00ypBt7SXB3y8WOzUQ==
  mplcore @metaplex-foundation/mpl-core@1.10.0 2026-04-24 Apache-2.0 sha512-jnbJN/ZZQOoYLRDB4+euFAQ7hDv7/PRQ+t8Txs3WKRLJhvk8k5yhC0YdElSur4a2uX78f9F6JwKSf1XonIHN7A==
  bubblegum @metaplex-foundation/mpl-bubblegum@5.1.0 2026-08-23 Apache-2.0 sha512-nr2JAIXV8fIcc04pnnQJWVRr1+XG0eRJkQYcg/iVAgN46waJZrX643PwTBpFx3X/r2iCMOmqBEF8S4l94bV99Q==
  candymachine @metaplex-foundation/mpl-candy-machine@6.1.0 2025-10-04 Apache-2.0 sha512-Y58wVkK9kU3ur22xnmYG/IOzJfo450dlUMl8FSuSRThV82IJte11ggtw5fEWIQQO/jhLWsjlkRHn4vd5RGmeGg==
  auctionhouse @metaplex-foundation/mpl-auction-house@2.5.1 2024-12-09 Apache-2.0 sha512-O+IAdYVaoOvgACB8pm+1lF5BNEjl0COkqny2Ho8KQZwka6aC/vHbZ239yRwAMtJhf5992BPFdT4oifjyE0O+Mw==
  authrules @metaplex-foundation/mpl-token-auth-rules@3.0.3 2026-04-11 Apache-2.0 sha512-zpUpSNoHbcTO0w98s0E6rbkYi0UbEKK0x7qGwOz7ngMIqKRqOKT/Qovv+fDYVaRt//ijyUBbku1rnt4wS6hzrw==
  drift @drift-labs/sdk@2.156.0 2026-04-01 Apache-2.0 sha512-LLdahH3a0lsU2queWT98m5AarRR07M0n4TLcaSP31ejO7J7rlQgw7uruEf7h8EA0DGLxJijbay9Vqv4TYkzbiw==
  openbook @openbook-dex/openbook@0.0.9 2024-12-13 MIT sha512-tJPqHS7Tp/Gu3MC/MAZQBUm62WhdBPLzCcId3p62eHV6cRwNqflr0j+eKDh0Lfd5CAnkB1a9wZoVte074+zB5A==
  saber @saberhq/stableswap-sdk@3.0.0 2026-04-09 Apache-2.0 sha512-0I6/igsgVXAbwBFAfoB4vuVcEWeehpI0e4oNeCIiFF+f9J3JM/SrF2vkgfkn3hKBjxX3jXlCvdo6SqnDB9CAxQ==
  pump @pump-fun/pump-sdk@2.0.0 2026-09-13 MIT sha512-qDtUx/1eHJl4uMof3bxTJ/YqKNp+HtXoIWfmOArQD11Vp+Zb0AZHLod0ktii7tc3uAwRtg1GoteouT0ynM58YQ==
  pyth @pythnetwork/pyth-solana-receiver@0.14.0 2026-05-04 Apache-2.0 sha512-OE4K9glx3Jxrpm2n+GoshReKUoww/NoFgG/XtwbZFnUWEspkNBa0WRxDcZrf5Nb4KUCUbyU6UsK/yKmli2dm4A==
  switchboard @switchboard-xyz/sbv2-lite@0.2.4 2024-12-13 ISC sha512-rJNwMalZ26D4bxtrxneZ6gBIwwtQ0KiSy8jY4c81KPEad/USMyl0iGPyhKKOr6dNRDKy5BgOslnU8xnZF+rnuQ==
  tensoramm @tensor-foundation/amm@1.0.3 2026-03-24 Apache-2.0 sha512-zLuVjZ50h8ZsKuWz03N5TLqrFY0wPs+AwgeSSRCJxr2/J/tgWALRg2QCy/LkZKgW8q/5FdzBgDTK+dNgsTNGYg==
  tensormarket @tensor-foundation/marketplace@0.5.0 2026-03-24 Apache-2.0 sha512-uxtDP3zZDLGrVsTOYvn3Cmie9x3eVmoKkn6F2dORm8OSuFsV/WoOyG0pYJfhMeWzYGoYyUsMprQ4X180MoXJ4w==
  tensorswap @tensor-oss/tensorswap-sdk@4.5.0 2026-03-24 MIT sha512-eNM6k1DT5V/GadxSHm8//z2wlLl8/EcA0KFQXKaxRba/2MirNySsoVGxDXO2UdOI4eZMse8f+8Et3P63WWjsIw==
  mayan @mayanfinance/swap-sdk@12.2.5 2026-03-30 MIT sha512-ZPk4QF3eDdh/jv3h+2J7XUNZaT5i5ix9UeH6QX9GkBEG6NqQmdSqRapZx52Z6JZi3BR0ixMBMjsIiGZ1KdjkkA==
  sns @bonfida/spl-name-service@3.0.26 2026-08-07 MIT sha512-WT8AlOnvTtaF+Iqo6jlwLZzmxF+5/qElrXniHJsXD7p806r1EBScoRwS/7YkaqRv821q0wj2LzJyFfUsxoe6Yw==
  stakepool @solana/spl-stake-pool@1.1.8 2026-03-22 ISC sha512-g/d8pFPI9NI1QWObSCkzMz4QpEUepWRLSERGV3gaAwfxWb3mG5I0KQqDW5UgZ8iT9srhzg7me+gG4ad9toQsNg==
  tokenswap @solana/spl-token-swap@0.4.4 2026-05-07 MIT sha512-cDRQb00X9/y2GTQTvaM62lGXgutcSV6VN98ZFLf6Ygdg02SGlZHO3YkG4xvP+W/CyDe/DZcqivg4VfU/8DcZHA==
  compression @solana/spl-account-compression@0.4.1 2026-04-01 Apache-2.0 sha512-5qEkV1mwOzNXe4NMmdsHi6J7aCf16zd0OsVcf1EV6aeynqv0js5AOBRIrf0/VBpV5fSjN8U6I2bV9Q3+dW3lgg==
  flash flash-sdk@15.17.2 2026-06-29 MIT sha512-B+wK/sQDM489VFTaRkM9nkknBYZZOZmxE3tPxQMvvL/pHDHQMENp+K6XBYtboOGYbQJT1pz40mvqGM3OXY6j/A==
  ntt @wormhole-foundation/sdk-solana-ntt@4.0.17 2026-05-07 Apache-2.0 sha512-nVIJ4GBz8WJotOSq+SWgikyMiD1Xf51TIh/hlDzN9aXFlnMW++cp+y/VOZH1RHnRLfEgSU5IX/0g5hASgIivfw==
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
  ...Object.fromEntries(
    Object.entries(programFiles).map(([key, parts]) => [
      key,
      ["package/package.json", ...new Set(parts.map(({ file }) => `package/${file}`))],
    ]),
  ),
};

/**
 * Packs every package into `folder` and unpacks it there. Refuses bytes and licences that differ from the reviewed
 * ones.
 */
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

/** The `source`, `date` and `licence` cells of the package `key`. */
export function provenance(key) {
  const { spec, date, licence } = PACKAGES[key];
  return { source: spec, date, licence: LICENCES.get(licence) };
}
