import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import type { Command } from './command.ts'
import { main } from './main.ts'

export const batchCommand: Command = {
  name: 'batch',
  summary: 'run many commands in one process, one after the other',
  details: `Each line of standard input is a command as a JSON array of its words, without warungd:

  ["deposit", "--reseller", "1000", "--amount", "50", "--remarks", "Bank transfer 4711", "--json"]

For each, one line is printed: { "code", "out", "err" }, with the exit code and what the command printed. A command that
fails does not stop the others. Ends with the input; with 1 if any command failed. For scripts: a process for each of a
thousand deposits would take minutes to start them all.`,
  options: {},
  run: () => runBatch(process.stdin, (text) => void process.stdout.write(text)),
}

/** Commands that run until they are told to stop, or read the same input. */
const UNFIT = new Set(['serve', 'simulator', 'batch'])

type Result = { readonly code: number; readonly out: string; readonly err: string }

export async function runBatch(input: Readable, print: (text: string) => void): Promise<number> {
  let worst = 0
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue
    const result = await runLine(line)
    if (result.code !== 0) worst = 1
    print(`${JSON.stringify(result)}\n`)
  }
  return worst
}

async function runLine(line: string): Promise<Result> {
  const words = readWords(line)
  if (words === undefined) return misused('each line is a JSON array of words')
  if (UNFIT.has(words[0] ?? '')) return misused(`${words[0]} does not run in a batch`)
  let out = ''
  let err = ''
  const code = await main(words, {
    out: (text) => {
      out += text
    },
    err: (text) => {
      err += text
    },
    readInput: async () => '',
  })
  return { code, out, err }
}

function readWords(line: string): string[] | undefined {
  try {
    const words: unknown = JSON.parse(line)
    const isCommand =
      Array.isArray(words) && words.length > 0 && words.every((word) => typeof word === 'string')
    return isCommand ? words : undefined
  } catch {
    return undefined
  }
}

function misused(text: string): Result {
  return { code: 2, out: '', err: `warungd: ${text}\n` }
}
