import type { CompletionCommand } from "./completion-table.ts";
import { calledPaths, flagUses, valueFlags } from "./flag-lists.ts";

/**
 * The script for bash, of version 3.2 too. Where the script offers nothing, bash offers files.
 * Source: the bash manual, "Programmable Completion".
 */
export function bashScript(table: readonly CompletionCommand[]): string {
  const any = (patterns: readonly string[]) => patterns.map((pattern) => `"${pattern}"`).join("|");
  const values = flagUses(table).map(([uses, { values }]) =>
    values.length === 0
      ? `    ${any(uses)}) return ;;`
      : `    ${any(uses)}) COMPREPLY=($(compgen -W "${values.join(" ")}" -- "$word")); return ;;`,
  );
  const words = table.map(({ path, words }) => `    "${path}") words="${words.map(([word]) => word).join(" ")}" ;;`);
  const flags = table.map(
    ({ path, flags }) => `      "${path}") words="${flags.flatMap(({ names }) => names).join(" ")}" ;;`,
  );
  return `# Completion of weir for bash. Load it with: source <(weir completion bash)
_weir() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" at="" words="" i
  COMPREPLY=()
  # Bash splits --flag=value into three words.
  if [[ "$word" == "=" ]]; then
    word=""
  elif [[ "$before" == "=" ]]; then
    before="\${COMP_WORDS[COMP_CWORD-2]}"
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "\${COMP_WORDS[i]}" in
      ${any(valueFlags(table))}) i=$((i + 1)); continue ;;
    esac
    case "$at \${COMP_WORDS[i]}" in
      ${any(calledPaths(table))}) at="\${at:+$at }\${COMP_WORDS[i]}" ;;
    esac
  done
  case "$at $before" in
${values.join("\n")}
  esac
  if [[ "$word" == -* ]]; then
    case "$at" in
${flags.join("\n")}
    esac
  else
    case "$at" in
${words.map((line) => `  ${line}`).join("\n")}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _weir weir
`;
}
