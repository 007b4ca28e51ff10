import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

// Outside of the command: what it reads, prints and asks. Tests give their own.

export type Io = {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly input: Readable
  /** True: a person sits at the terminal and can be asked. */
  readonly isInteractive: boolean
  /** Prints results. */
  out(text: string): void
  /** Prints everything else: environment, progress, questions. */
  note(text: string): void
  readonly signal: AbortSignal
}

/** Readers of inputs. One reader serves all questions: a second one would lose the lines that the first has read. */
const readers = new WeakMap<Readable, AsyncIterator<string>>()

/** Asks a question on stderr, so that results stay alone on stdout. */
export async function ask(io: Io, question: string): Promise<string> {
  io.note(question)
  const known = readers.get(io.input)
  const reader = known ?? createInterface({ input: io.input, terminal: false })[Symbol.asyncIterator]()
  readers.set(io.input, reader)
  const { value, done } = await reader.next()
  if (done === true) throw new UsageError('There was no answer to the question.')
  return value.trim()
}

/** Asks for a secret. A terminal does not show it. */
export async function askSecret(io: Io, question: string): Promise<string> {
  const terminal = io.input as Readable & { setRawMode?: (isRaw: boolean) => void; isTTY?: boolean }
  if (terminal.isTTY !== true || terminal.setRawMode === undefined) return ask(io, question)
  io.note(question)
  terminal.setRawMode(true)
  try {
    return await readHidden(io.input)
  } finally {
    terminal.setRawMode(false)
    io.note('\n')
  }
}

const ENTER = '\r\n\u0004'
const INTERRUPT = '\u0003'
const BACKSPACE = '\u0008\u007f'

function readHidden(input: Readable): Promise<string> {
  return new Promise((resolve, reject) => {
    let typed = ''
    const take = (chunk: Buffer) => {
      for (const char of chunk.toString('utf8')) {
        if (char === INTERRUPT || ENTER.includes(char)) {
          input.off('data', take)
          input.pause()
          if (char === INTERRUPT) reject(new UsageError('Interrupted.'))
          else resolve(typed)
          return
        }
        typed = BACKSPACE.includes(char) ? typed.slice(0, -1) : typed + char
      }
    }
    input.on('data', take)
    input.resume()
  })
}

export async function readAll(input: Readable): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of input) chunks.push(Buffer.from(chunk as Uint8Array))
  return Buffer.concat(chunks).toString('utf8')
}

/** Mistake of the person at the keyboard, told without a stack. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
