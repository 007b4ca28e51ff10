import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Io } from '@warung/cli'
import { run } from '@warung/cli'
import type { Credentials } from '../signing.ts'

// Command of integrators. Most tests run it inside their own process, which costs no start; input, output, environment
// and signals are those that the test gives it.

const WARUNG = fileURLToPath(new URL('../../../cli/bin/warung.js', import.meta.url))

export type Ran = { readonly code: number | null; readonly stdout: string; readonly stderr: string }

export type Running = {
  stdout(): string
  stderr(): string
  /** Interrupts it, as Ctrl-C does. */
  interrupt(): void
  readonly ended: Promise<Ran>
}

export type Surroundings = { readonly configDir: string; readonly env?: Readonly<Record<string, string>> }

function environmentOf({ configDir, env = {} }: Surroundings): Record<string, string | undefined> {
  return { PATH: process.env.PATH, HOME: configDir, WARUNG_CONFIG_DIR: configDir, ...env }
}

/** Starts the command inside this process. */
export function startWarung(around: Surroundings, args: readonly string[], input = ''): Running {
  const texts = { stdout: '', stderr: '' }
  const end = new AbortController()
  const io: Io = {
    env: environmentOf(around),
    input: Readable.from(input === '' ? [] : [Buffer.from(input)]),
    isInteractive: false,
    out: (text) => {
      texts.stdout += text
    },
    note: (text) => {
      texts.stderr += text
    },
    signal: end.signal,
  }
  return {
    stdout: () => texts.stdout,
    stderr: () => texts.stderr,
    interrupt: () => end.abort(),
    ended: run(args, io).then((code) => ({ code, ...texts })),
  }
}

export function runWarung(around: Surroundings, args: readonly string[], input = ''): Promise<Ran> {
  return startWarung(around, args, input).ended
}

/** Starts the installed program as a process of its own. */
export function spawnWarung(around: Surroundings, args: readonly string[]): ChildProcess {
  const env = environmentOf(around)
  return spawn(process.execPath, [WARUNG, ...args], { stdio: ['pipe', 'pipe', 'ignore'], env })
}

export function variablesOf(baseUrl: string, credentials: Credentials): Record<string, string> {
  return {
    WARUNG_BASE_URL: baseUrl,
    WARUNG_API_KEY: credentials.apiKey,
    WARUNG_SIGNING_SECRET: credentials.secretBase64,
  }
}
