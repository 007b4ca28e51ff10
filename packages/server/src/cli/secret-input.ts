import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

export type SecretInput = {
  readInput(): Promise<string>
  /** Prompts at a terminal without showing the input. Undefined elsewhere. */
  askSecret?: ((prompt: string) => Promise<string>) | undefined
}

/** Reads secrets one after the other: at the terminal, or from the lines of standard input. */
export function secretsFrom(io: SecretInput): (prompt: string) => Promise<string> {
  let lines: Promise<string[]> | undefined
  return async (prompt) => {
    if (io.askSecret !== undefined) return io.askSecret(prompt)
    lines ??= io.readInput().then((input) => input.split(/\r?\n/))
    return (await lines).shift() ?? ''
  }
}

/** Shows the prompt alone: the terminal's echo goes to a stream that discards it. */
export async function askAtTerminal(prompt: string): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const stop = new AbortController()
  process.stderr.write(prompt)
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true })
  terminal.once('SIGINT', () => stop.abort())
  try {
    return await terminal.question('', { signal: stop.signal })
  } finally {
    terminal.close()
    process.stderr.write('\n')
  }
}
