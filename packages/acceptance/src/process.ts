import type { ChildProcess } from 'node:child_process'
import { execFile, spawn } from 'node:child_process'
import { readFile, rm, rmdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { inject } from 'vitest'
import { RUNTIME, runtimeArgs } from './runtime.ts'

/** Program that `npm start` and an installation run. */
export const INSTALLED = fileURLToPath(new URL('../../server/bin/warungd.js', import.meta.url))
/** Program with the same code that starts faster; see program.ts. */
export const WARUNGD = inject('program')

function warungdArgs(...args: readonly string[]): string[] {
  return [...runtimeArgs(), WARUNGD, ...args]
}

/** Process of the service, ready or not. */
export type Launched = {
  readonly pid: number
  /** Returns everything printed so far. */
  output(): string
  hasEnded(): boolean
  readonly ended: Promise<Ended>
  signal(name: NodeJS.Signals): void
}

export type Ended = { readonly code: number | null; readonly signal: NodeJS.Signals | null }

export type LaunchOptions = {
  /** Program that runs the process; by default the runtime of the service. */
  executable?: string | undefined
  /** Arguments of the runtime; by default `warungd serve`. */
  args?: readonly string[] | undefined
  cwd?: string | undefined
  user?: { readonly uid: number; readonly gid: number } | undefined
  /** True: the process has its own process group, and a signal reaches every member, as a terminal's Ctrl-C does. */
  group?: boolean | undefined
  /** True: the process outlives the test file that launched it, and ends with this process. */
  isKept?: boolean | undefined
}

const launched: Launched[] = []

export function launch(environment: NodeJS.ProcessEnv, options: LaunchOptions = {}): Launched {
  const child = spawn(options.executable ?? RUNTIME, [...(options.args ?? warungdArgs('serve'))], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: options.group === true,
    ...(options.cwd !== undefined && { cwd: options.cwd }),
    ...options.user,
  })
  const output = collect(child)
  // `close` comes after `exit`, when the last of the output has arrived.
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal }))
    child.once('error', () => resolve({ code: null, signal: null }))
  })
  const { pid } = child
  if (pid === undefined) throw new Error('the process could not be started')
  const started: Launched = {
    pid,
    output,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    ended,
    signal: (name) => sendSignal(options.group === true ? -pid : pid, name),
  }
  if (options.isKept === true) endWithThisProcess(started)
  else launched.push(started)
  return started
}

function endWithThisProcess(started: Launched): void {
  const end = () => started.signal('SIGKILL')
  process.once('exit', end)
  process.once('disconnect', end)
  process.once('SIGTERM', () => {
    end()
    process.exit()
  })
}

const END_DEADLINE_MS = 45_000

/** Sends SIGTERM to all running processes. One that does not end in time is killed, and fails the tests of its file. */
export async function endLaunched(): Promise<void> {
  const stuck = await Promise.all(launched.splice(0).map(endOne))
  const outputs = stuck.filter((each) => each !== undefined)
  if (outputs.length > 0) throw new Error(`did not end when asked to:\n${outputs.join('\n')}`)
}

async function endOne(one: Launched): Promise<string | undefined> {
  if (one.hasEnded()) return undefined
  one.signal('SIGTERM')
  const late = Symbol('late')
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<typeof late>((resolve) => {
    timer = setTimeout(() => resolve(late), END_DEADLINE_MS)
  })
  const first = await Promise.race([one.ended, deadline])
  clearTimeout(timer)
  if (first !== late) return undefined
  one.signal('SIGKILL')
  await one.ended
  return one.output()
}

function sendSignal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function collect(child: ChildProcess): () => string {
  const chunks: Buffer[] = []
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk))
  return () => Buffer.concat(chunks).toString('utf8')
}

// ── Commands ──

export type CommandResult = { code: number; stdout: string; stderr: string }

/** Runs `warungd` to its end, with any result. Code -1: it was killed. */
export function runWarungd(
  environment: NodeJS.ProcessEnv,
  args: readonly string[],
  input = '',
  options: Pick<LaunchOptions, 'cwd' | 'user'> = {},
): Promise<CommandResult> {
  return new Promise((resolve) => {
    const child = execFile(
      RUNTIME,
      warungdArgs(...args),
      { env: environment, ...(options.cwd !== undefined && { cwd: options.cwd }), ...options.user },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1
        resolve({ code, stdout, stderr })
      },
    )
    // A command that does not read its input may end before it is written.
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
  })
}

/** One place for all commands of a service: starting a process for each would take longer than the tests. */
export type Batch = { run(args: readonly string[]): Promise<CommandResult>; end(): Promise<void> }

export function startBatch(environment: NodeJS.ProcessEnv): Batch {
  const child = spawn(RUNTIME, warungdArgs('batch'), {
    env: environment,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const waiting: ((result: CommandResult) => void)[] = []
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { code, out, err } = JSON.parse(line) as { code: number; out: string; err: string }
    waiting.shift()?.({ code, stdout: out, stderr: err })
  })
  child.stdin.on('error', () => {})
  child.once('close', () => {
    for (const resolve of waiting.splice(0)) resolve({ code: -1, stdout: '', stderr: 'the batch ended' })
  })
  return {
    run: (args) =>
      new Promise((resolve) => {
        waiting.push(resolve)
        child.stdin.write(`${JSON.stringify(args)}\n`)
      }),
    end: async () => void child.stdin.end(),
  }
}

/** Starts a command without waiting, for tests that kill it; `result` then has code -1. */
export function startWarungd(
  environment: NodeJS.ProcessEnv,
  args: readonly string[],
): { kill9(): void; result: Promise<CommandResult> } {
  const child = spawn(RUNTIME, warungdArgs(...args), {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => {
    output.stdout += chunk.toString('utf8')
  })
  child.stderr.on('data', (chunk: Buffer) => {
    output.stderr += chunk.toString('utf8')
  })
  const result = new Promise<CommandResult>((resolve) => {
    child.once('close', (code) => resolve({ code: code ?? -1, ...output }))
  })
  return { kill9: () => void child.kill('SIGKILL'), result }
}

// ── The embedded database server, seen from outside ──

/** Finds the main process of the server on this data directory by its pid file. */
export async function findPostmaster(dataDir: string): Promise<number | undefined> {
  try {
    const [pid] = (await readFile(await pidFileOf(dataDir), 'utf8')).split('\n')
    return isRunning(Number(pid)) ? Number(pid) : undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Returns the path of the pid file, which PostgreSQL removes at a normal stop. */
export async function pidFileOf(dataDir: string): Promise<string> {
  const pointer = await readFile(join(dataDir, 'postgres-location.json'), 'utf8').catch(() => undefined)
  const home = pointer === undefined ? dataDir : (JSON.parse(pointer) as { home: string }).home
  return join(home, 'postgres', 'postmaster.pid')
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

export async function killPostmaster(dataDir: string, name: NodeJS.Signals): Promise<void> {
  const pid = await findPostmaster(dataDir)
  if (pid !== undefined) sendSignal(pid, name)
}

/** Ends the server that a killed service left behind, and removes its socket. It is called at the end of a test. */
export async function clearPostmaster(dataDir: string): Promise<void> {
  const path = await pidFileOf(dataDir)
  const [, , , port, socketDir = ''] = (await readFile(path, 'utf8').catch(() => '')).split('\n')
  const pid = await findPostmaster(dataDir)
  if (pid !== undefined) {
    sendSignal(pid, 'SIGQUIT')
    while (isRunning(pid)) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  if (!/^warung-[0-9a-f-]+$/.test(basename(socketDir))) return
  for (const file of [`.s.PGSQL.${port}`, `.s.PGSQL.${port}.lock`]) {
    await rm(join(socketDir, file), { force: true })
  }
  await rmdir(socketDir).catch(() => {})
}

/** Connects to the embedded server, as an operator with the password does. The caller ends the connection. */
export async function connectEmbedded(dataDir: string): Promise<pg.Client> {
  const [, , , port, host] = (await readFile(await pidFileOf(dataDir), 'utf8')).split('\n')
  const password = (await readFile(join(dataDir, 'postgres-password'), 'utf8')).trim()
  const client = new pg.Client({ host, port: Number(port), user: 'warung', password, database: 'warung' })
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Returns a user that is not root; undefined, which means the present user, unless the tests run as root. */
export function plainUser(): { uid: number; gid: number } | undefined {
  return process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined
}

/**
 * Returns true if a user that is not root can run the service from this checkout. It is false below a directory that
 * only root may enter; then only a run by that user, or from another place, can test what such a user sees.
 */
export async function canRunAsPlainUser(): Promise<boolean> {
  if (plainUser() === undefined) return true
  for (let path = dirname(INSTALLED); ; path = dirname(path)) {
    if (((await stat(path)).mode & 0o001) === 0) return false
    if (path === dirname(path)) return true
  }
}
