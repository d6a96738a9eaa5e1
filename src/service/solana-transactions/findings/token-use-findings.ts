import { type TokenUse, tokenUsesOf } from "../../../chains/solana/acts/token-uses.ts";
import { ownChanges } from "../../../chains/solana/rules/token-changes.ts";
import { solOf } from "./account-findings.ts";
import { paymentFor, unpriced } from "./counter-value.ts";
import { type SolanaFacts, type SolanaFinding, type SolanaRule, tokenAccountAt } from "./facts.ts";
import { ownCalls } from "./transaction-findings.ts";

type Make = Extract<TokenUse, { kind: "make" }>;
type Move = Extract<TokenUse, { kind: "move" }>;
type Burn = Extract<TokenUse, { kind: "burn" }>;
type Freeze = Extract<TokenUse, { kind: "freeze" }>;

/**
 * Reports what signers do to other owners' tokens by a right as issuer or delegate. Reports signers' burnt tokens as
 * well. No balance of the signers shows the former, and no address gains by the latter.
 */
export const tokenUseFindings: SolanaRule = (facts) => {
  const uses = ownUses(facts);
  const of = <T extends TokenUse>(kind: T["kind"]) => uses.filter((use): use is T => use.kind === kind);
  const burns = of<Burn>("burn");
  return [
    ...made(of<Make>("make"), of<Move>("move"), facts),
    ...of<Move>("move").flatMap((move) => moved(move, facts)),
    ...burns.flatMap((burn) => burntOfAnother(burn, facts)),
    ...of<Freeze>("freeze").flatMap((freeze) => frozen(freeze, facts)),
    ...burnt(burns, facts),
  ];
};

/** Token uses that a signer authorizes. */
function ownUses(facts: SolanaFacts): readonly TokenUse[] {
  const uses = ownCalls(facts).flatMap(tokenUsesOf);
  return uses.filter(({ by }) => by.some((each) => facts.signers.has(each)));
}

/**
 * The owner of a token account, or the owner that it gets within the transaction. An account that is created and closed
 * again has no known owner.
 */
function ownerOf(account: string, { simulation: { before, after } }: SolanaFacts): string | undefined {
  return (tokenAccountAt(before, account) ?? tokenAccountAt(after, account))?.owner;
}

/**
 * Reports tokens that are minted for a stranger, directly or through an account of the issuer. Through an account: a
 * receiver of a transfer gains more of the token than the makers lose. The fee payer may buy tokens that another signer
 * mints. Any other signer counts as a stranger.
 */
function made(makes: readonly Make[], moves: readonly Move[], facts: SolanaFacts): readonly SolanaFinding[] {
  const { signers, feePayer, changes } = facts;
  const makers = new Map<string, Set<string>>();
  for (const { mint, by } of makes) {
    const known = makers.get(mint) ?? new Set([feePayer]);
    for (const each of by) if (signers.has(each)) known.add(each);
    makers.set(mint, known);
  }
  const isOther = (mint: string, holder: string | undefined): holder is string =>
    holder !== undefined && makers.get(mint)?.has(holder) === false;
  const straight = makes.map(({ mint, account }) => ({ mint, to: ownerOf(account, facts) }));
  const reached = new Set(moves.map(({ to }) => ownerOf(to, facts)));
  const passedOn = changes.flatMap(({ mint, changes: all }) => {
    const isOthers = ({ holder }: (typeof all)[number]) => isOther(mint, holder);
    const gaining = all.filter((each) => isOthers(each) && each.end > each.begin && reached.has(each.holder));
    const gained = gaining.reduce((total, { begin, end }) => total + end - begin, 0n);
    const own = all.filter((each) => !isOthers(each));
    const lost = own.reduce((total, { begin, end }) => total + begin - end, 0n);
    return gained > 0n && gained > lost ? gaining.map(({ holder }) => ({ mint, to: holder })) : [];
  });
  return [...straight, ...passedOn].flatMap(({ mint, to }) => {
    if (!isOther(mint, to)) return [];
    const description = `makes tokens ${mint} for ${to}, by the right of who issues them`;
    return [{ name: "minted_for_another", account: mint, gains: to, description }];
  });
}

/** A holder may get the tokens in another account of its own. */
function moved({ account, to }: Move, facts: SolanaFacts): readonly SolanaFinding[] {
  const holder = ownerOf(account, facts);
  const receiver = ownerOf(to, facts) ?? to;
  if (holder === undefined || facts.signers.has(holder) || receiver === holder) return [];
  const description = `moves tokens of ${holder} out of the account ${account} to ${receiver}, as one who may`;
  return [{ name: "moved_as_delegate", account, gains: receiver, description }];
}

function burntOfAnother({ account }: Burn, facts: SolanaFacts): readonly SolanaFinding[] {
  const holder = ownerOf(account, facts);
  if (holder === undefined || facts.signers.has(holder)) return [];
  const description = `burns tokens of ${holder} in the account ${account}, as one who may`;
  return [{ name: "moved_as_delegate", account, description }];
}

function frozen({ account, mint }: Freeze, facts: SolanaFacts): readonly SolanaFinding[] {
  if (account === undefined) {
    const description = `stops all transfers of the token ${mint}, whoever holds it`;
    return [{ name: "tokens_frozen", account: mint, description }];
  }
  const holder = ownerOf(account, facts);
  if (holder === undefined || facts.signers.has(holder)) return [];
  const description = `freezes the account ${account} of ${holder}, who cannot send the tokens ${mint} in it any more`;
  return [{ name: "tokens_frozen", account, description }];
}

/**
 * Reports a signer that burns more than half of a token and gets nothing for it. Only accounts that the transaction
 * writes count.
 */
function burnt(burns: readonly Burn[], facts: SolanaFacts): readonly SolanaFinding[] {
  const { signers, simulation } = facts;
  const amounts = new Map<string, { readonly who: string; readonly mint: string; readonly amount: bigint }>();
  for (const { account, mint, amount } of burns) {
    const who = ownerOf(account, facts);
    if (who === undefined || !signers.has(who)) continue;
    const key = `${who} ${mint}`;
    amounts.set(key, { who, mint, amount: amount + (amounts.get(key)?.amount ?? 0n) });
  }
  return [...amounts.values()].flatMap(({ who, mint, amount }): readonly SolanaFinding[] => {
    const begin = heldOf(who, mint, simulation.before);
    const gone = begin - heldOf(who, mint, simulation.after);
    // Tokens that are minted or received earlier in the transaction are no loss when they are burnt. Of a failed
    // simulation, only the instruction is known.
    const lost = simulation.error === undefined && gone < amount ? gone : amount;
    if (lost * 2n <= begin) return [];
    const sol = solOf(who, simulation, facts.derived);
    const trade = { who, own: ownChanges(who, facts.changes), solDelta: sol.end - sol.begin, assets: 1 };
    const payment = paymentFor(trade, facts);
    if (payment === "known") return [];
    if (payment !== "none")
      return [unpriced(payment, who, `${lost} of the ${begin} units of the token ${mint}, burnt,`)];
    const description = `burns ${lost} of the ${begin} units of the token ${mint} that ${who} has, and nothing of that worth comes back`;
    return [{ name: "most_of_token_burnt", account: mint, description }];
  });
}

function heldOf(who: string, mint: string, accounts: SolanaFacts["simulation"]["before"]): bigint {
  return [...accounts.keys()].reduce((total, address) => {
    const held = tokenAccountAt(accounts, address);
    return held?.owner === who && held.mint === mint ? total + held.amount : total;
  }, 0n);
}
