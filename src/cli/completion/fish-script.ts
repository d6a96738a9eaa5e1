import type { CompletionCommand, CompletionFlag } from "./completion-table.ts";
import { calledPaths, quoted, valueFlags } from "./flag-lists.ts";

/** The script for fish. Source: the fish documentation, "complete - edit command-specific tab-completions". */
export function fishScript(table: readonly CompletionCommand[]): string {
  const text = (words: string) => quoted(words, "\\'");
  const lines = table.flatMap(({ path, words, flags }) => {
    const condition = `-n ${text(`__weir_at "${path}"`)}`;
    return [
      ...words.map(([word, description]) => `complete -c weir ${condition} -f -a ${word} -d ${text(description)}`),
      ...flags.map((flag) => `complete -c weir ${condition} ${flagPart(flag)} -d ${text(flag.description)}`),
    ];
  });
  return `# Completion of weir for fish. Write it to ~/.config/fish/completions/weir.fish
function __weir_at
    set -l at ""
    set -l skip 0
    for word in (commandline -opc)[2..-1]
        if test $skip = 1
            set skip 0
            continue
        end
        if contains -- $word ${valueFlags(table).join(" ")}
            set skip 1
            continue
        end
        switch "$at $word"
            case ${calledPaths(table).map(text).join(" ")}
                set at (string trim "$at $word")
        end
    end
    test "$at" = "$argv[1]"
end
${lines.join("\n")}
`;
}

function flagPart({ names, takes, values }: CompletionFlag): string {
  const forms = names.map((name) => (name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`)).join(" ");
  if (values.length > 0) return `${forms} -x -a '${values.join(" ")}'`;
  return takes === "file" ? `${forms} -r -F` : takes === "word" ? `${forms} -x` : forms;
}
