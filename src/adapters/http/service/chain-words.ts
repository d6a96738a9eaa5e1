/** Translates chains between the decimal ids and names of Weir and the names of one service. */
export interface ChainWords {
  /** The request with the chain names of the service. */
  readonly sent: <T extends object>(request: T) => T;
  /** The answer with the chain ids of Weir. */
  readonly heard: <T extends object>(answer: T) => T;
}

/** The identity, for a service that uses the ids of the interface. Requests and answers stay the same objects. */
export const ownWords: ChainWords = { sent: (request) => request, heard: (answer) => answer };

/** Fields of a request that name a chain. Source: src/api. */
const chainFields: ReadonlySet<string> = new Set(["chain_id", "chainId"]);
/** Lists with a chain in each item: the batch of address poisoning, and its answer. */
const itemLists: ReadonlySet<string> = new Set(["user_addresses", "target_addresses", "token_addresses"]);

/**
 * @param wordById the chain name of the service by chain id. No two names are equal in lower case, since an answer
 * would then be ambiguous.
 */
export function chainWords(wordById: ReadonlyMap<string, string>): ChainWords {
  const idByWord = new Map([...wordById].map(([id, word]) => [word.toLowerCase(), id]));
  const toWord = (id: string) => wordById.get(id) ?? id;
  const toId = (word: string) => idByWord.get(word.toLowerCase()) ?? word;
  return {
    sent: (request) => changed(request, (name, value) => fieldOf(name, value, toWord)),
    heard: (answer) => {
      const { data } = answer as { readonly data?: unknown };
      if (typeof data !== "object" || data === null) return answer;
      const told = changed(data, (name, value) =>
        name === "address" ? withPrefix(value, toId) : fieldOf(name, value, toId),
      );
      return { ...answer, data: told };
    },
  };
}

function changed<T extends object>(whole: T, change: (name: string, value: unknown) => unknown): T {
  return Object.fromEntries(Object.entries(whole).map(([name, value]) => [name, change(name, value)])) as T;
}

function fieldOf(name: string, value: unknown, named: (text: string) => string): unknown {
  if (chainFields.has(name) && typeof value === "string") return named(value);
  if (!itemLists.has(name) || !Array.isArray(value)) return value;
  return value.map((item: unknown) => {
    if (typeof item !== "object" || item === null || !("chain_id" in item)) return item;
    return typeof item.chain_id === "string" ? { ...item, chain_id: named(item.chain_id) } : item;
  });
}

/** `<chain_prefix>:<address>`: an address holds no colon, but a chain name may. */
function withPrefix(value: unknown, toId: (word: string) => string): unknown {
  if (typeof value !== "string") return value;
  const end = value.lastIndexOf(":");
  return end < 0 ? value : `${toId(value.slice(0, end))}${value.slice(end)}`;
}
