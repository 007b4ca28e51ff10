import { parseArgs } from 'node:util'
import type { Command, Context, Option } from './command.ts'
import { flag, text } from './command.ts'
import { COMMANDS } from './commands.ts'
import { connect } from './connect.ts'
import { readEnvironment } from './environment.ts'
import { describeError, EXIT, exitCodeOf } from './exit-codes.ts'
import { commandHelp, GLOBAL_OPTIONS, overview } from './help.ts'
import type { Io } from './io.ts'
import { UsageError } from './io.ts'
import { printable, printerFor } from './output.ts'

export type { Io } from './io.ts'

export const VERSION = '0.1.0'

/** Runs the command of this process. */
export async function main(): Promise<void> {
  const end = new AbortController()
  process.once('SIGINT', () => end.abort())
  process.once('SIGTERM', () => end.abort())
  const io: Io = {
    env: readEnvironment(),
    input: process.stdin,
    isInteractive: process.stdin.isTTY === true,
    out: (line) => void process.stdout.write(line),
    note: (line) => void process.stderr.write(line),
    signal: end.signal,
  }
  process.stdout.on('error', () => end.abort())
  process.exitCode = await run(process.argv.slice(2), io)
  // A connection that is kept alive, or an input that is open, must not hold the process.
  process.stdin.unref?.()
}

/** Runs one command. Returns its exit code. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  const [name, ...rest] = argv
  if (name === '--version' || name === 'version') {
    io.out(`warung ${VERSION}\n`)
    return EXIT.ok
  }
  try {
    if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
      const about = rest.find((word) => !word.startsWith('-'))
      io.out(about === undefined ? overview(COMMANDS) : commandHelp(getCommand(about)))
      return EXIT.ok
    }
    return await runCommand(getCommand(name), rest, io)
  } catch (error) {
    const lines = describeError(error).split('\n').map(printable)
    io.note(`warung: ${lines.join('\n')}\n`)
    return exitCodeOf(error)
  }
}

function getCommand(name: string): Command {
  const command = COMMANDS.find((each) => each.name === name)
  if (command === undefined) throw new UsageError(`There is no command ${name}. See: warung help`)
  return command
}

async function runCommand(command: Command, argv: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parse(command, argv)
  if (flag(values, 'help')) {
    io.out(commandHelp(command))
    return EXIT.ok
  }
  const profileName = text(values, 'profile')
  const isJson = flag(values, 'json')
  const context: Context = {
    io,
    print: printerFor(io, isJson),
    isJson,
    values,
    positionals,
    profileName,
    connect: () => connect(io, profileName),
  }
  return command.run(context)
}

function parse(command: Command, argv: readonly string[]) {
  const declared = Object.entries({ ...GLOBAL_OPTIONS, ...command.options })
  const options = Object.fromEntries(declared.map(([name, option]) => [name, plain(option)]))
  try {
    return parseArgs({ args: [...argv], allowPositionals: true, options })
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException
    const unknown = code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' ? findUnknown(argv, options) : undefined
    const text = unknown === undefined ? message.replace(/\w$/, '$&.') : `There is no option ${unknown}.`
    throw new UsageError(`${text} See: warung help ${command.name}`)
  }
}

/** Returns the first option that the command does not have, as it was written. */
function findUnknown(argv: readonly string[], options: Record<string, ParsedOption>): string | undefined {
  const { tokens } = parseArgs({ args: [...argv], options, strict: false, tokens: true })
  for (const token of tokens) {
    if (token.kind === 'option' && !Object.hasOwn(options, token.name)) return token.rawName
  }
  return undefined
}

type ParsedOption = ReturnType<typeof plain>

function plain({ type, multiple, short }: Option) {
  return { type, ...(multiple !== undefined && { multiple }), ...(short !== undefined && { short }) }
}
