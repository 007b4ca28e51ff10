import type { Command, Option } from './command.ts'
import { COMMON_OPTIONS } from './command.ts'

export function formatOverview(topics: readonly (readonly [string, readonly Command[]])[]): string {
  const width = Math.max(...topics.flatMap(([, commands]) => commands.map(({ name }) => name.length)))
  return [
    'warungd: runs and manages a Warung service',
    '',
    'Usage: warungd COMMAND [OPTIONS]',
    '',
    ...topics.flatMap(([topic, commands]) => [
      `${topic[0]?.toUpperCase()}${topic.slice(1)}:`,
      ...commands.map((command) => `  ${command.name.padEnd(width)}  ${command.summary}`),
      '',
    ]),
    'warungd COMMAND --help shows the options of a command; --json, on every command, prints one JSON document.',
    'Settings come from the environment (WARUNG_…, DATABASE_URL); see docs/configuration.md.',
    'Exit code: 0 done, 1 refused or failed: nothing was changed, 2 wrong command line, 3 unknown: the database',
    'did not confirm it. A command that moves money prints its reference; repeat it with the same --reference.',
  ].join('\n')
}

export function formatCommandHelp(command: Command): string {
  const options = namedOf(command)
  const shown: readonly (readonly [string, Option])[] = [
    ...(command.places ?? []).map(({ value, help }) => [value, { help }] as const),
    ...Object.entries(options).map(([name, option]) => [headOf(name, option), option] as const),
    ...Object.entries(COMMON_OPTIONS).map(([name, option]) => [headOf(name, option), option] as const),
  ]
  const width = Math.max(...shown.map(([head]) => head.length))
  const lines = shown.map(([head, option]) => {
    const required = option.required ? ' (required)' : ''
    const multiple = option.multiple ? ' (may be repeated)' : ''
    return `  ${head.padEnd(width)}  ${option.help}${required}${multiple}`
  })
  const details = command.details === undefined ? [] : ['', command.details]
  return [
    `Usage: warungd ${command.name} ${usageOf(command)}`.trimEnd(),
    '',
    `${command.summary[0]?.toUpperCase()}${command.summary.slice(1)}.`,
    ...details,
    '',
    'Options:',
    ...lines,
  ].join('\n')
}

function headOf(name: string, option: Option): string {
  return option.value === undefined ? `--${name}` : `--${name} ${option.value}`
}

/** Options that have no place of their own. */
function namedOf({ places = [], options }: Command): Command['options'] {
  const placed = new Set(places.map(({ name }) => name))
  return Object.fromEntries(Object.entries(options).filter(([name]) => !placed.has(name)))
}

function usageOf(command: Command): string {
  const named = Object.entries(namedOf(command)).map(([name, option]) => {
    const head = headOf(name, option)
    return `${option.required ? head : `[${head}]`}${option.multiple ? '…' : ''}`
  })
  const places = (command.places ?? []).map(({ name, value }) =>
    command.options[name]?.required ? value : `[${value}]`,
  )
  return [...places, ...named].join(' ')
}
