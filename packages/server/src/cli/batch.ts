import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import type { Call, Command, Ran } from './command.ts'

export const batchCommand: Command = {
  name: 'batch',
  summary: 'run many commands in one process, one after the other',
  details: `Each line of standard input is a command as a JSON array of its words, without warungd:

  ["deposit", "--reseller", "1000", "--amount", "50", "--remarks", "Bank transfer 4711", "--json"]

For each, one line is printed: { "code", "out", "err" }, with the exit code and the output of the command. A command that
fails does not stop the others. Ends with the input; with 3 if the outcome of any command is unknown, else with 1 if any
failed. For scripts: a process for each of a
thousand deposits would take minutes to start them all.`,
  options: {},
  run: (call) => runBatch(call, process.stdin, (text) => void process.stdout.write(text)),
}

const UNKNOWN = 3

/** Commands that cannot run in a batch: they run until they are stopped, or read the same input. */
const UNFIT = new Set(['serve', 'simulator', 'batch'])

export async function runBatch(
  call: Pick<Call, 'runOther'>,
  input: Readable,
  print: (text: string) => void,
): Promise<number> {
  let worst = 0
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue
    const result = await runLine(call, line)
    if (result.code !== 0) worst = Math.max(worst, result.code === UNKNOWN ? UNKNOWN : 1)
    print(`${JSON.stringify(result)}\n`)
  }
  return worst
}

async function runLine(call: Pick<Call, 'runOther'>, line: string): Promise<Ran> {
  const args = readArguments(line)
  if (args === undefined) return misused('each line must be a JSON array of texts; nothing was run')
  if (UNFIT.has(args[0] ?? '')) return misused(`${args[0]} does not run in a batch`)
  return call.runOther(args)
}

function readArguments(line: string): string[] | undefined {
  try {
    const args: unknown = JSON.parse(line)
    const isCommand = Array.isArray(args) && args.length > 0 && args.every((word) => typeof word === 'string')
    return isCommand ? args : undefined
  } catch {
    return undefined
  }
}

function misused(text: string): Ran {
  return { code: 2, out: '', err: `warungd: ${text}\n` }
}
