import { encodeFunctionData, type Hex, parseAbi } from "viem";
import drains from "../fixtures/evm/drains.json" with { type: "json" };
import { ALL } from "../fixtures/evm-people.ts";
import { type Anvil, startAnvil } from "../servers/anvil.ts";

/** The address of each contract. */
export const at = Object.fromEntries(
  Object.keys(drains.codes).map((name, i) => [name, `0x${`c0${i.toString(16).padStart(2, "0")}`.repeat(10)}`]),
) as Record<keyof typeof drains.codes, Hex>;
const abi = parseAbi([
  "function mint(address to, uint256 amount)",
  "function mint(address to, uint256 id, uint256 amount)",
  "function approve(address spender, uint256 amount)",
  "function setApprovalForAll(address operator, bool approved)",
  "function transfer(address to, uint256 amount)",
  "function transferFrom(address from, address to, uint256 id)",
  "function claimAll(address[] coins, uint256[] amounts)",
  "function claimItem(address items, uint256 id)",
  "function claimCards(address cards, uint256 id, uint256 amount)",
  "function trade(address coin, uint256 amount, address other)",
  "function pretend(address coin, uint256 amount, address lying)",
  "function fail(string why)",
  "function burn()",
  "function shout(address lying, uint256 times)",
  "function update()",
  "function aim(address coin)",
]);
/** A transaction that calls a function of one of the contracts. */
export const call = (to: Hex, functionName: string, args: readonly unknown[] = []) => ({
  to,
  data: encodeFunctionData({ abi, functionName, args } as never) as Hex,
});

/** Anvil's first account, which is always the same. */
export const me: Hex = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";

/** A chain with the id of Ethereum. The account has some of every asset, and has given approvals to others. */
export async function startDrainWorld(): Promise<Anvil> {
  const anvil = await startAnvil(1);
  for (const [name, code] of Object.entries(drains.codes)) {
    await anvil.rpc("anvil_setCode", at[name as keyof typeof at], `0x${code}`);
  }
  const send = ({ to, data }: { readonly to: Hex; readonly data: Hex }) => anvil.send(to, data);
  for (const coin of [at.Gold, at.Chatty, at.Careless, at.Sly]) await send(call(coin, "mint", [me, 1_000n]));
  await send(call(at.Pictures, "mint", [me, 5n]));
  await send(call(at.Cards, "mint", [me, 9n, 40n]));
  for (const coin of [at.Gold, at.Chatty]) await send(call(coin, "approve", [at.Taker, ALL]));
  await send(call(at.Gold, "approve", [at.Sly, ALL]));
  await send(call(at.Sly, "aim", [at.Gold]));
  for (const coin of [at.Gold, at.Chatty]) await send(call(coin, "mint", [at.OpenSafe, 1_000n]));
  await anvil.rpc("anvil_setBalance", at.OpenSafe, "0x64");
  for (const items of [at.Pictures, at.Cards]) await send(call(items, "setApprovalForAll", [at.Taker, true]));
  await anvil.rpc("anvil_setBalance", me, "0x186a0");
  return anvil;
}
