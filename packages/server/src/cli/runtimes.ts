import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { UsageError } from './command.ts'

// Runtimes of the service. Node is the one it is made for; record 38 has the differences of Bun.

const RUNTIMES = ['node', 'bun'] as const
export type RuntimeName = (typeof RUNTIMES)[number]

const PROGRAM = fileURLToPath(new URL('../../bin/warungd.js', import.meta.url))
/** First version of Bun with which the acceptance tests were run. */
const BUN_AT_LEAST = [1, 4] as const
const BUN_INSTALL = 'npm install --global bun'

/** Runtime of this process. */
export function currentRuntime(): RuntimeName {
  return process.versions.bun === undefined ? 'node' : 'bun'
}

export function readRuntimeName(value: string): RuntimeName {
  const name = RUNTIMES.find((each) => each === value)
  if (name !== undefined) return name
  throw new UsageError(`--runtime must be one of ${RUNTIMES.join(', ')}, not "${value.slice(0, 60)}"`)
}

/** Finds the program of a runtime: npm's package in a folder above the service, then PATH. */
export async function findRuntime(name: RuntimeName): Promise<string> {
  const places = [...installedNear(dirname(PROGRAM), name), name]
  const found = await Promise.all(places.map(async (path) => ({ path, version: await versionOf(path) })))
  const usable = found.find(({ version }) => version !== undefined && isNewEnough(name, version))
  if (usable !== undefined) return usable.path
  const old = found.find(({ version }) => version !== undefined)
  const problem =
    old === undefined
      ? `there is no ${name} on PATH or in node_modules`
      : `${old.path} is version ${old.version}`
  const wanted = name === 'bun' ? `Bun ${BUN_AT_LEAST.join('.')} or newer: ${BUN_INSTALL}` : 'Node.js'
  throw new UsageError(`--runtime ${name}: ${problem}. Install ${wanted}`)
}

/** Lists the places where npm installs a runtime for a checkout or for a package that has the service. */
function installedNear(folder: string, name: RuntimeName): string[] {
  // npm's package has the program under this name on every system.
  const path = join(folder, 'node_modules', 'bun', 'bin', 'bun.exe')
  const here = name === 'bun' && existsSync(path) ? [path] : []
  return folder === dirname(folder) ? here : [...here, ...installedNear(dirname(folder), name)]
}

/** Returns the version that a program prints; undefined when it does not run. */
async function versionOf(program: string): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(program, ['--version'], { timeout: 30_000 })
    return stdout.trim()
  } catch {
    return undefined
  }
}

function isNewEnough(name: RuntimeName, version: string): boolean {
  if (name !== 'bun') return true
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [wantedMajor, wantedMinor] = BUN_AT_LEAST
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)
}

/**
 * Runs the service on another runtime, in a process of its own, until that ends; returns its exit code. This process
 * passes signals on, and nothing else.
 */
export async function serveOn(name: RuntimeName): Promise<number> {
  const program = await findRuntime(name)
  return new Promise((resolve, reject) => {
    const child = spawn(program, [PROGRAM, 'serve'], { stdio: 'inherit' })
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => void child.kill(signal))
    }
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(code ?? codeOf(signal)))
  })
}

/** Returns the exit code with which a shell reports a process that a signal ended. */
function codeOf(signal: NodeJS.Signals | null): number {
  return signal === null ? 1 : 128 + constants.signals[signal]
}

/** Returns the warning that a start prints; undefined on Node. */
export function runtimeWarning(): string | undefined {
  const { bun } = process.versions
  if (bun === undefined) return undefined
  return `EXPERIMENTAL: Bun ${bun} runs the service. docs/adr/0038 says what differs from Node.`
}

/**
 * Makes V8 create every object among its young ones. By default it creates objects among the old ones where most of
 * them survived the first collections. During a start and under many connections that is true of requests, and V8 does
 * not change its mind: from then on each request is kept, with everything it points to, until the next full collection.
 * To be called before the service begins; later it would not undo what V8 has decided.
 */
export function keepObjectsYoung(): void {
  // Bun has another engine.
  if (process.versions.bun === undefined) setFlagsFromString('--no-allocation-site-pretenuring')
}
