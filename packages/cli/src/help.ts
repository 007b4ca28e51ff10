import type { Command, Option } from './command.ts'
import { EXIT_TEXTS } from './exit-codes.ts'

export const GLOBAL_OPTIONS: Readonly<Record<string, Option>> = {
  profile: { type: 'string', value: 'NAME', text: 'credentials to use, as named at login' },
  json: { type: 'boolean', text: 'print JSON instead of tables' },
  help: { type: 'boolean', short: 'h', text: 'print this' },
}

export function overview(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length))
  return [
    'warung: the command of integrators for the Warung reseller API',
    '',
    'Usage: warung COMMAND [options]        warung help COMMAND',
    '',
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    'Exit codes:',
    ...EXIT_TEXTS.map(([code, meaning]) => `  ${code}  ${meaning}`),
    '',
    'Credentials are those of a profile (warung login), or WARUNG_BASE_URL, WARUNG_API_KEY and WARUNG_SIGNING_SECRET.',
    '',
  ].join('\n')
}

export function commandHelp(command: Command): string {
  const options = { ...command.options, ...GLOBAL_OPTIONS }
  const heads = Object.entries(options).map(([name, option]) => headOf(name, option))
  const width = Math.max(...heads.map((head) => head.length))
  return [
    `Usage: warung ${[command.name, command.args, '[options]'].filter((part) => part !== undefined).join(' ')}`,
    '',
    `${command.summary}.`,
    ...(command.details === undefined ? [] : ['', ...command.details]),
    '',
    'Options:',
    ...Object.values(options).map((option, at) => `  ${(heads[at] ?? '').padEnd(width)}  ${option.text}`),
    '',
  ].join('\n')
}

function headOf(name: string, { value, short }: Option): string {
  const long = `--${name}${value === undefined ? '' : ` ${value}`}`
  return short === undefined ? long : `-${short}, ${long}`
}
