import type { CompletionCommand } from "./completion-table.ts";
import { calledPaths, flagUses, quoted, valueFlags } from "./flag-lists.ts";

/** The script for zsh. Source: the zsh manual, "Completion System". */
export function zshScript(table: readonly CompletionCommand[]): string {
  const any = (patterns: readonly string[]) => patterns.map((pattern) => `"${pattern}"`).join("|");
  const item = (word: string, description: string) => quoted(`${word}:${description.replaceAll(":", "\\:")}`, `'\\''`);
  const values = flagUses(table).map(([uses, { takes, values }]) => {
    const offer = values.length > 0 ? `compadd -- ${values.join(" ")}` : takes === "file" ? "_files" : "_message value";
    return `    (${any(uses)}) ${offer}; return ;;`;
  });
  const flags = table.map(({ path, flags }) => {
    const items = flags.flatMap(({ names, description }) => names.map((name) => item(name, description)));
    return `      (${any([path])}) items=(${items.join(" ")}) ;;`;
  });
  const words = table.map(
    ({ path, words }) => `      (${any([path])}) items=(${words.map(([word, text]) => item(word, text)).join(" ")}) ;;`,
  );
  return `#compdef weir
# Completion of weir for zsh. Write it to a folder of $fpath as _weir.
_weir() {
  local at="" before="\${words[CURRENT-1]}" i
  local -a items
  for ((i = 2; i < CURRENT; i++)); do
    case "\${words[i]}" in
      (${any(valueFlags(table))}) ((i++)); continue ;;
    esac
    case "$at \${words[i]}" in
      (${any(calledPaths(table))}) at="\${at:+$at }\${words[i]}" ;;
    esac
  done
  case "$at $before" in
${values.join("\n")}
  esac
  if [[ "\${words[CURRENT]}" == -* ]]; then
    case "$at" in
${flags.join("\n")}
    esac
  else
    case "$at" in
${words.join("\n")}
    esac
  fi
  if ((\${#items})); then
    _describe weir items
  else
    _files
  fi
}
if [[ "\${funcstack[1]}" == _weir ]]; then
  _weir "$@"
else
  compdef _weir weir
fi
`;
}
