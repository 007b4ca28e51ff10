import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { findGroup } from '../config/groups.ts'
import type { Config, Env } from '../config.ts'
import { ConfigError, describeDatabase, namesDatabase, readConfig } from '../config.ts'
import { UncertainOutcomeError } from '../db/commits/group-commit.ts'
import { isOutOfReach, isOutOfRoom, UncertainCommitError } from '../db/database.ts'
import type { FieldErrors } from '../lib/errors.ts'
import { fieldErrorsOf, RequestError } from '../lib/errors.ts'
import { nearestNames } from '../lib/input/nearest.ts'
import type { Reach, Runtime } from '../runtime.ts'
import { openRuntime, shareReach } from '../runtime.ts'
import type { Call, Command, Output, Ran } from './command.ts'
import { COMMON_OPTIONS, UsageError } from './command.ts'
import { listGroupNames, loadCommands, loadTopics } from './commands/index.ts'
import { formatCommandHelp, formatOverview } from './help.ts'
import { NotPostedError } from './money.ts'
import { refuseUnknownNames } from './names/lookup.ts'
import type { SecretInput } from './secret-input.ts'
import { askAtTerminal, secretsFrom } from './secret-input.ts'
import { describeError } from './text.ts'

const OK = 0
const FAILED = 1
const MISUSED = 2
/** Exit code for an unknown outcome; see cli/money.ts. */
const UNKNOWN = 3

const INPUT_BYTES_MAX = 10_000

/** Input and output of the command. Tests give their own. */
export type Io = SecretInput & {
  out(text: string): void
  err(text: string): void
}

/**
 * Runs one command and returns its exit code. Without `env` it uses the process's own environment. `reach`: opens the
 * database for the commands of a batch, which share its connections.
 */
export async function main(
  argv: readonly string[],
  io: Io = processIo(),
  env?: Env,
  reach?: Reach,
): Promise<number> {
  const json = argv.includes('--json')
  try {
    const [first] = argv
    if (first === '--version') {
      io.out(`${await readVersion()}\n`)
      return OK
    }
    if (first === undefined) throw new UsageError('no command is given; warungd help lists them')
    if (first === 'help' || first === '--help' || first === '-h') {
      io.out(`${await helpOn(argv.slice(1).filter((word) => !word.startsWith('-')))}\n`)
      return OK
    }
    const command = await findCommand(argv)
    const options = readOptions(command, argv.slice(command.name.split(' ').length))
    if (options.help === true) {
      io.out(`${formatCommandHelp(command)}\n`)
      return OK
    }
    const output = await runCommand(command, options, { io, env, reach })
    if (typeof output === 'number') return output
    io.out(`${json ? JSON.stringify(output.json) : output.text}\n`)
    return output.code ?? OK
  } catch (error) {
    return reportError(error, json, io)
  }
}

// ── Choice of the command ──

async function findCommand(argv: readonly string[]): Promise<Command> {
  const [first = ''] = argv
  const commands = await loadCommands(first)
  const found = commands.find(({ name }) => argv.slice(0, name.split(' ').length).join(' ') === name)
  if (found !== undefined) return found
  const group = commands.map(({ name }) => name).filter((name) => name.startsWith(`${first} `))
  throw new UsageError(
    group.length > 0
      ? `${first} what? ${suggestInGroup(first, argv[1] ?? '', group)}There is: ${group.join(', ')}`
      : `there is no command "${first.slice(0, WORD_SHOWN_MAX)}". ${suggestion(first, listGroupNames())}warungd help lists them`,
  )
}

const WORD_SHOWN_MAX = 60

/** Suggests commands of a group. The first word is left out of the comparison, because all of them share it. */
function suggestInGroup(first: string, second: string, group: readonly string[]): string {
  const seconds = group.map((name) => name.slice(first.length + 1))
  const near = nearestNames(second, seconds).map((word) => `${first} ${word}`)
  return near.length === 0 ? '' : `Did you mean ${near.join(', ')}? `
}

function suggestion(word: string, names: readonly string[]): string {
  const near = nearestNames(word, names)
  return near.length === 0 ? '' : `Did you mean ${near.join(', ')}? `
}

async function helpOn(words: readonly string[]): Promise<string> {
  if (words.length === 0) return formatOverview(await loadTopics())
  return formatCommandHelp(await findCommand(words))
}

type Values = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>

function readOptions(command: Command, args: readonly string[]): Values {
  const known = { ...command.options, ...COMMON_OPTIONS }
  const options = Object.fromEntries(
    Object.entries(known).map(([name, { value, multiple }]) => [
      name,
      { type: value === undefined ? 'boolean' : 'string', multiple: multiple === true } as const,
    ]),
  )
  const { values: named, positionals, tokens } = parse(command, args, options)
  const values = { ...named, ...placedOf(command, positionals, named) }
  const given = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []))
  const repeated = given.find((name, index) => !known[name]?.multiple && given.indexOf(name) !== index)
  if (repeated !== undefined) throw new UsageError(`--${repeated} is given twice`)
  const missing = Object.entries(known).filter(
    ([name, option]) => option.required && values[name] === undefined,
  )
  if (missing.length > 0 && values.help !== true) {
    throw new UsageError(
      `${missing.map(([name]) => `--${name}`).join(', ')} missing; see: warungd ${command.name} --help`,
    )
  }
  return values
}

/** Returns the values that were given without a name, under the names by which the command reads them. */
function placedOf({ places = [] }: Command, positionals: readonly string[], named: Values): Values {
  const another = positionals[places.length]
  if (another !== undefined) throw new UsageError(`unexpected argument "${another.slice(0, WORD_SHOWN_MAX)}"`)
  const placed = places.slice(0, positionals.length).map(({ name }) => name)
  const repeated = placed.find((name) => named[name] !== undefined)
  if (repeated !== undefined) throw new UsageError(`--${repeated} is given twice`)
  return Object.fromEntries(placed.map((name, index) => [name, positionals[index]]))
}

type ParsedOptions = Record<string, { type: 'boolean' | 'string'; multiple: boolean }>

function parse(command: Command, args: readonly string[], options: ParsedOptions) {
  try {
    const allowPositionals = command.places !== undefined
    return parseArgs({ args: [...args], options, strict: true, allowPositionals, tokens: true })
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException
    const unknown = code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' ? findUnknown(args, options) : undefined
    if (unknown === undefined) throw new UsageError(message)
    const names = Object.keys(options).map((name) => `--${name}`)
    throw new UsageError(
      `there is no option ${unknown.slice(0, WORD_SHOWN_MAX)}. ${suggestion(unknown, names)}` +
        `See: warungd ${command.name} --help`,
    )
  }
}

/** The first option that the command does not have, as it was written. */
function findUnknown(args: readonly string[], options: ParsedOptions): string | undefined {
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true })
  for (const token of tokens) {
    if (token.kind === 'option' && !Object.hasOwn(options, token.name)) return token.rawName
  }
  return undefined
}

type Surroundings = { readonly io: Io; readonly env: Env | undefined; readonly reach: Reach | undefined }

async function runCommand(
  command: Command,
  values: Values,
  { io, env, reach }: Surroundings,
): Promise<Output | number> {
  let opened: Promise<Runtime> | undefined
  let checked: Promise<void> | undefined
  const others = shareReach()
  const open = () => {
    const settings = config()
    // A default database is named here, because the caller did not name it; errors about a database always name it.
    // With --json the note is left out.
    if (!namesDatabase(env) && values.json !== true) note(`database: ${describeDatabase(settings)}`)
    return openRuntime(settings, {
      purpose: 'command',
      isLong: command.isLong,
      reach,
      ...(values.json !== true && { note }),
    })
  }
  const note = (text: string) => io.err(`${text}\n`)
  const config = () => {
    const name = find('group')
    return name === undefined ? readConfig(env) : configOf(readConfig(env), name)
  }
  const find = (name: string) => (typeof values[name] === 'string' ? values[name] : undefined)
  const call: Call = {
    find,
    text(name) {
      const value = find(name)
      if (value === undefined) throw new Error(`--${name} is no required option of ${command.name}`)
      return value
    },
    list: (name) => [values[name] ?? []].flat().map(String),
    has: (name) => values[name] !== undefined && values[name] !== false,
    note,
    readInput: io.readInput,
    readSecret: secretsFrom(io),
    runOther: (words) => capture(words, env, others.reach),
    config,
    async runtime() {
      opened ??= open()
      const runtime = await opened
      checked ??= refuseUnknownNames(command.options, {
        database: runtime.database,
        config: runtime.config,
        find,
      })
      await checked
      return runtime
    },
  }
  try {
    return await command.run(call)
  } finally {
    // A runtime that did not open has reported its error already.
    const runtime = await opened?.catch(() => undefined)
    // An error while closing must not look like a failure of the command: a deposit would be made again.
    for (const each of [runtime, others]) {
      await each?.close().catch((error) => note(`after the command: ${describeError(error)}`))
    }
  }
}

/** Returns the settings of a group. A name that is not listed must not lead to another group's money. */
function configOf(config: Config, name: string): Config {
  const found = findGroup(config, name)
  if (found !== undefined) return found
  const listed = config.groups.map((group) => group.name)
  const known = listed.length === 0 ? 'WARUNG_GROUPS lists none' : `there is: ${listed.join(', ')}`
  throw new UsageError(`there is no group "${name.slice(0, WORD_SHOWN_MAX)}"; ${known}`)
}

async function capture(words: readonly string[], env: Env | undefined, reach: Reach): Promise<Ran> {
  let out = ''
  let err = ''
  const io: Io = {
    out: (text) => {
      out += text
    },
    err: (text) => {
      err += text
    },
    readInput: async () => '',
  }
  const code = await main(words, io, env, reach)
  return { code, out, err }
}

// ── Trouble ──

type Trouble = { code: string; message: string; fields: FieldErrors }

function reportError(error: unknown, json: boolean, io: Io): number {
  const money = error instanceof NotPostedError ? error : undefined
  const trouble = troubleOf(error)
  const said = money && { reference: money.reference, outcome: money.outcome }
  if (json) io.out(`${JSON.stringify({ error: trouble, ...said })}\n`)
  else {
    io.err(`warungd: ${trouble.message}\n`)
    for (const [field, texts] of Object.entries(trouble.fields)) {
      for (const text of texts) io.err(`  ${field}: ${text}\n`)
    }
  }
  return exitCodeOf(error)
}

function exitCodeOf(error: unknown): number {
  if (error instanceof NotPostedError) return error.outcome === 'unknown' ? UNKNOWN : FAILED
  if (error instanceof UncertainCommitError || error instanceof UncertainOutcomeError) return UNKNOWN
  return error instanceof UsageError ? MISUSED : FAILED
}

function troubleOf(error: unknown): Trouble {
  if (error instanceof NotPostedError) {
    const { outcome, message, cause } = error
    if (outcome === 'not_posted' && !(cause instanceof UncertainCommitError)) return troubleOf(cause)
    return { code: outcome, message, fields: {} }
  }
  if (error instanceof UncertainCommitError || error instanceof UncertainOutcomeError) {
    const message = `${describeError(error)}. Check the present state before you repeat the command.`
    return { code: 'unknown', message, fields: {} }
  }
  if (error instanceof UsageError) return { code: 'usage', message: error.message, fields: {} }
  if (error instanceof RequestError) {
    return { code: error.code, message: error.publicText, fields: error.fields ?? {} }
  }
  if (error instanceof ConfigError) {
    return { code: 'configuration', message: error.message, fields: fieldErrorsOf(error.problems) }
  }
  const text = describeError(error)
  return { code: 'failed', message: `${databasePrefix(error, text)}${text}`, fields: {} }
}

/** Begins the text of an error that does not say by itself that it is one of the database. */
function databasePrefix(error: unknown, text: string): string {
  if (/database/i.test(text)) return ''
  if (isOutOfRoom(error)) return 'the database has no room on its disk: '
  return isOutOfReach(error) ? 'the database is out of reach: ' : ''
}

// ── The process ──

async function readVersion(): Promise<string> {
  const manifest = await readFile(new URL('../../package.json', import.meta.url), 'utf8')
  return `warungd ${(JSON.parse(manifest) as { version: string }).version}`
}

function processIo(): Io {
  return {
    ...(process.stdin.isTTY && { askSecret: askAtTerminal }),
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    async readInput() {
      const chunks: Buffer[] = []
      let bytes = 0
      for await (const chunk of process.stdin) {
        chunks.push(Buffer.from(chunk as Buffer))
        bytes += (chunk as Buffer).length
        if (bytes > INPUT_BYTES_MAX)
          throw new UsageError(`more than ${INPUT_BYTES_MAX} bytes on standard input`)
      }
      return Buffer.concat(chunks).toString('utf8')
    },
  }
}
