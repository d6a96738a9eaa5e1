/** The groups of pages in the sidebar. Pages that no group names follow in the last group. */
const groups = [
  { text: "Start", pages: ["index", "input", "verdicts", "reports", "glossary"] },
  { text: "Run", pages: ["kafka", "configuration", "rate-limits", "deploy", "runbook", "upgrade", "archive"] },
  {
    text: "Check",
    pages: ["lookalikes", "labels-and-lists", "sanctions-lists", "token-security", "bytecode", "classification"],
  },
  { text: "Transactions", pages: ["evm-transactions", "tron-transactions", "solana-transactions", "quality"] },
  { text: "Services", pages: ["service", "api", "other-services", "service-adapters"] },
  {
    text: "Evidence",
    pages: ["guarantees", "performance", "testing", "results/index", "results/proof", "architecture"],
  },
  { text: "Project", pages: ["contributing", "security", "changelog"] },
] as const;

interface SidebarGroup {
  readonly text: string;
  readonly collapsed: boolean;
  readonly items: readonly { readonly text: string; readonly link: string }[];
}

/** The sidebar over all pages. @param titles the title of each page, by its path without `.md`. */
export function sidebar(titles: ReadonlyMap<string, string>): readonly SidebarGroup[] {
  const grouped = new Set<string>(groups.flatMap(({ pages }) => [...pages]));
  const rest = [...titles.keys()].filter((page) => !grouped.has(page));
  const folders = Map.groupBy(rest, (page) => (page.includes("/") ? (page.split("/")[0] ?? "") : "more"));
  const item = (page: string) => ({ text: titles.get(page) ?? page, link: `/${page.replace(/(^|\/)index$/, "$1")}` });
  return [
    ...groups.map(({ text, pages }) => ({ text, collapsed: false, items: pages.map(item) })),
    ...Array.from(folders, ([folder, pages]) => ({
      text: folder.charAt(0).toUpperCase() + folder.slice(1),
      collapsed: true,
      items: pages.toSorted().map(item),
    })),
  ];
}

/** The configuration of VitePress. Dead links fail the build. */
export function siteConfig(titles: ReadonlyMap<string, string>, out: string) {
  return {
    title: "Weir",
    description: "Screens blockchain addresses and transactions before money moves.",
    outDir: out,
    cleanUrls: false,
    // Titles of VitePress's pages hold words such as `<URL>` in code only. HTML in documents is shown as text.
    markdown: { html: false },
    themeConfig: {
      search: { provider: "local" },
      sidebar: sidebar(titles),
      outline: [2, 3],
      docFooter: { prev: false, next: false },
    },
  };
}
