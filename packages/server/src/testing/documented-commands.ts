import { parseArgs } from 'node:util'
import type { Command } from '../cli/command.ts'
import { COMMON_OPTIONS } from '../cli/command.ts'

// Reads commands as documents print them, so that tests can hold them against the commands that exist.

/** Returns the blocks of a page in one of some languages, indented ones of lists included. */
export function codeBlocks(page: string, languages: ReadonlySet<string>): string[] {
  const found = page.matchAll(/^([ \t]*)```([^\n`]*)\n([\s\S]*?)^\1```[ \t]*$/gm)
  return [...found].flatMap(([, , info = '', text = '']) =>
    languages.has(info.trim().split(/\s+/)[0] ?? '') ? [text] : [],
  )
}

/** Returns the pieces of code inside the sentences of a page. */
export function inlineCode(page: string): string[] {
  const sentences = page.replace(/^([ \t]*)```[\s\S]*?^\1```[ \t]*$/gm, '')
  return [...sentences.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)
}

const SEPARATORS = new Set(['|', '||', '&&', ';', '&', '>', '>>', '<', '2>', '2>&1'])
const WORD =
  /"((?:[^"\\]|\\.)*)"|'([^']*)'|(\|\||&&|2>&1|2>|>>|[|;&<>])|((?:\\.|\$\([^)]*\)|[^\s"'|;&<>\\])+)/g

/** Splits a shell's text into simple commands, each a list of words. Comments and continuations are understood. */
export function simpleCommands(text: string): string[][] {
  const commands: string[][] = []
  const lines = text.replaceAll('\\\n', ' ').split('\n')
  for (const line of lines) {
    let words: string[] = []
    for (const [, double, single, operator, plain] of stripComment(line).matchAll(WORD)) {
      if (operator !== undefined && SEPARATORS.has(operator)) {
        commands.push(words)
        words = []
        continue
      }
      words.push(double ?? single ?? plain ?? '')
    }
    commands.push(words)
  }
  return commands.filter((words) => words.length > 0)
}

function stripComment(line: string): string {
  const at = [...line.matchAll(/(^|\s)#/g)].find(
    ({ index }) => (line.slice(0, index).split('"').length - 1) % 2 === 0,
  )
  return at === undefined ? line : line.slice(0, at.index)
}

/** Returns the words after `warungd`, of every call in some commands. */
export function callsOf(program: string, commands: readonly (readonly string[])[]): string[][] {
  return commands.flatMap((words) => {
    const at = words.indexOf(program)
    // The name may also be an argument, as in `systemctl stop warungd`.
    const before = words.slice(0, Math.max(at, 0))
    const isCalled = before.every((word) => word === 'npx' || word === 'sudo' || /^[A-Z_]+=/.test(word))
    return at === -1 || !isCalled ? [] : [words.slice(at + 1)]
  })
}

/** Returns the problem with a call of the operator's command; undefined: the command and its options exist. */
export function problemOf(
  commands: readonly Command[],
  words: readonly string[],
  strictness: 'whole' | 'part',
): string | undefined {
  const line = words.join(' ')
  const [first = 'help'] = words
  if (['help', '--help', '--version'].includes(first) || /^[A-Z…]+$/.test(first)) return undefined
  const command = commands
    .filter(({ name }) => ` ${line} `.startsWith(` ${name} `))
    .toSorted((a, b) => b.name.length - a.name.length)[0]
  // A sentence may name a group of commands by its first word.
  const isGroup = strictness === 'part' && commands.some(({ name }) => name.startsWith(`${line} `))
  if (command === undefined) return isGroup ? undefined : `no command: ${line}`
  const args = words.slice(command.name.split(' ').length)
  try {
    const places = command.places ?? []
    const { values: named, positionals } = parseArgs({
      args: withoutEllipses(args),
      options: optionsOf(command),
      strict: true,
      allowPositionals: places.length > 0,
    })
    const values: Readonly<Record<string, unknown>> = {
      ...named,
      ...Object.fromEntries(positionals.map((value, index) => [places[index]?.name ?? 'help', value])),
    }
    if (strictness === 'part' || values.help === true) return undefined
    const missing = Object.entries(command.options).filter(
      ([name, { required }]) => required === true && values[name] === undefined,
    )
    return missing.length === 0 ? undefined : `${missing.map(([name]) => name).join(', ')} missing: ${line}`
  } catch (error) {
    const { message } = error as Error
    // A sentence names an option without its value.
    if (strictness === 'part' && message.includes('argument missing')) return undefined
    return `${message}: ${line}`
  }
}

/** Puts a value in the place of an ellipsis behind an option; any other one stands for words that were left out. */
function withoutEllipses(words: readonly string[]): string[] {
  return words.flatMap((word, index) => {
    if (word !== '…') return [word]
    return words[index - 1]?.startsWith('--') === true ? ['VALUE'] : []
  })
}

function optionsOf(command: Command) {
  const known = { ...command.options, ...COMMON_OPTIONS }
  return Object.fromEntries(
    Object.entries(known).map(([name, { value, multiple = false }]) => [
      name,
      { type: value === undefined ? 'boolean' : 'string', multiple } as const,
    ]),
  )
}
