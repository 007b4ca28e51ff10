import type { Command } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { GLOBAL_OPTIONS } from '../help.ts'
import { UsageError } from '../io.ts'

/** Makes the command that prints completion for a shell. It knows the others, and so is made from them. */
export function completionOf(commands: readonly Command[]): Command {
  const own: Command = {
    name: 'completion',
    summary: 'Print completion for a shell',
    args: 'bash | zsh',
    words: ['bash', 'zsh'],
    details: ['bash: source <(warung completion bash)', 'zsh: source <(warung completion zsh)'],
    async run({ io, positionals }) {
      const all = [...commands, own]
      if (positionals[0] === 'bash') io.out(bash(all))
      else if (positionals[0] === 'zsh') io.out(zsh(all))
      else throw new UsageError('completion knows bash and zsh.')
      return EXIT.ok
    },
  }
  return own
}

function wordsOf({ options = {}, words = [] }: Command): string {
  const names = Object.keys({ ...options, ...GLOBAL_OPTIONS }).map((name) => `--${name}`)
  return [...words, ...names].join(' ')
}

function bash(commands: readonly Command[]): string {
  return [
    '_warung() {',
    '  local current=$2 words',
    '  set -- $COMP_LINE',
    '  case "$2" in',
    ...commands.map((command) => `    ${command.name}) words="${wordsOf(command)}" ;;`),
    `    *) words="${['help', ...commands.map(({ name }) => name)].join(' ')}" ;;`,
    '  esac',
    `  if [ "$COMP_CWORD" -eq 1 ]; then words="${['help', ...commands.map(({ name }) => name)].join(' ')}"; fi`,
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    '}',
    'complete -o default -F _warung warung',
    '',
  ].join('\n')
}

function zsh(commands: readonly Command[]): string {
  const quoted = (text: string) => text.replaceAll("'", "'\\''").replaceAll(':', '\\:')
  return [
    '#compdef warung',
    '_warung() {',
    '  if (( CURRENT == 2 )); then',
    '    local -a commands',
    '    commands=(',
    ...commands.map(({ name, summary }) => `      '${name}:${quoted(summary)}'`),
    '    )',
    "    _describe 'command' commands",
    '    return',
    '  fi',
    '  case "$words[2]" in',
    ...commands.map((command) => `    ${command.name}) compadd -- ${wordsOf(command)} ;;`),
    '  esac',
    '}',
    'compdef _warung warung',
    '',
  ].join('\n')
}
