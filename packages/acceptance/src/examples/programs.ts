import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { until } from '../service.ts'
import type { Credentials } from '../signing.ts'
import { TOOLS_PATH } from '../tools/installed.ts'

// Programs of examples/, started as their READMEs say.

export type Program = {
  /** Returns everything printed so far. */
  output(): string
  /** Waits until a text was printed; returns everything printed. */
  untilPrinted(text: string | RegExp): Promise<string>
  /** Writes a line to the program's input. */
  type(line: string): void
  /** Kills it at once, as a power cut does. */
  cutPower(): Promise<void>
  /** Ends its input; resolves with the exit code. */
  end(): Promise<number | null>
}

const running = new Set<() => Promise<unknown>>()

/** Returns the path of a file in examples/. */
export function exampleFile(path: string): string {
  return fileURLToPath(new URL(`../../../../examples/${path}`, import.meta.url))
}

export function startProgram(
  command: string,
  args: readonly string[],
  environment: Record<string, string>,
): Program {
  const child = spawn(command, [...args], { env: { PATH: TOOLS_PATH, ...environment } })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      printed += chunk.toString('utf8')
    })
  }
  child.stdin.on('error', () => {})
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', resolve)
    child.once('error', () => resolve(null))
  })
  const cutPower = async () => {
    child.kill('SIGKILL')
    await ended
  }
  running.add(cutPower)
  return {
    output: () => printed,
    untilPrinted: (text) =>
      until(`${command} prints ${text}`, async () => {
        if (typeof text === 'string' ? printed.includes(text) : text.test(printed)) return printed
        if (child.exitCode !== null) throw new Error(`${command} ended with ${child.exitCode}:\n${printed}`)
        return undefined
      }),
    type: (line) => void child.stdin.write(`${line}\n`),
    cutPower,
    async end() {
      child.stdin.end()
      return ended
    },
  }
}

/** Ends all programs, in afterAll. */
export async function endPrograms(): Promise<void> {
  await Promise.all([...running].map((end) => end()))
  running.clear()
}

/** Makes the environment in which an example finds its account. */
export function accountOf(baseUrl: string, { apiKey, secretBase64 }: Credentials): Record<string, string> {
  return { WARUNG_BASE_URL: baseUrl, WARUNG_API_KEY: apiKey, WARUNG_SIGNING_SECRET: secretBase64 }
}
