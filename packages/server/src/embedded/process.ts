import { execFile } from 'node:child_process'
import { readdir, readFile, readlink } from 'node:fs/promises'
import { promisify } from 'node:util'
import { systemCode } from './errors.ts'

/**
 * Identity of a process: a pid alone is reused, a pid with its start time is not.
 *
 * Linux reads /proc. macOS and other Unixes ask `ps` (the parsing is tested on Linux; macOS itself was not tried).
 * Windows gives no start time here, so that a pid counts as alive while any process has it (not tried).
 */
export type ProcessIdentity = {
  readonly pid: number
  readonly startedAt: string
  /** Scope in which the pid and the start time are valid: this boot and this pid namespace. */
  readonly scope: string
}

/**
 * State of a process. `unknown` means written before a reboot, in another container or on another machine: the pid
 * proves nothing.
 */
export type Liveness = 'alive' | 'dead' | 'unknown'

const NO_START_TIME = 'unknown'

export async function identify(pid: number): Promise<ProcessIdentity | undefined> {
  const startedAt = await startTime(pid)
  return startedAt === undefined ? undefined : { pid, startedAt, scope: await currentScope() }
}

export async function identifySelf(): Promise<ProcessIdentity> {
  const self = await identify(process.pid)
  return self ?? { pid: process.pid, startedAt: NO_START_TIME, scope: await currentScope() }
}

export async function liveness(identity: ProcessIdentity): Promise<Liveness> {
  if (identity.scope !== (await currentScope())) return 'unknown'
  const startedAt = await startTime(identity.pid)
  // A process hidden from us (hidepid) still answers a signal with "not permitted".
  if (startedAt === undefined) return signalReaches(identity.pid) === 'forbidden' ? 'unknown' : 'dead'
  return startedAt === identity.startedAt ? 'alive' : 'dead'
}

export function isSameProcess(a: ProcessIdentity, b: ProcessIdentity): boolean {
  return a.pid === b.pid && a.startedAt === b.startedAt && a.scope === b.scope
}

export function parseIdentity(value: unknown): ProcessIdentity | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { pid, startedAt, scope } = value as Record<string, unknown>
  if (typeof pid !== 'number' || !Number.isInteger(pid) || pid <= 0) return undefined
  if (typeof startedAt !== 'string' || typeof scope !== 'string') return undefined
  return { pid, startedAt, scope }
}

/** Sends the signal; a process that is already gone is no error. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (systemCode(error) !== 'ESRCH') throw error
  }
}

function signalReaches(pid: number): 'yes' | 'no' | 'forbidden' {
  try {
    process.kill(pid, 0)
    return 'yes'
  } catch (error) {
    return systemCode(error) === 'EPERM' ? 'forbidden' : 'no'
  }
}

async function startTime(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') return linuxStartTime(pid)
  if (process.platform === 'win32') return signalReaches(pid) === 'no' ? undefined : NO_START_TIME
  return psStartTime(pid)
}

/**
 * Reads field 22 of /proc/<pid>/stat, in clock ticks since boot. A zombie has ended: only its parent has not looked.
 */
async function linuxStartTime(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  // The second field is the program's name in parentheses and may hold spaces and parentheses itself.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  const state = fields?.[0]
  return state === undefined || state === 'Z' || state === 'X' ? undefined : fields?.[19]
}

export async function psStartTime(pid: number): Promise<string | undefined> {
  const line = (await ps(['-o', 'stat=,lstart=', '-p', String(pid)])).trim()
  const [state, ...started] = line.split(/\s+/)
  return state === undefined || state === '' || state.startsWith('Z') ? undefined : started.join(' ')
}

let scopeOnce: Promise<string> | undefined

function currentScope(): Promise<string> {
  scopeOnce ??= readScope()
  return scopeOnce
}

async function readScope(): Promise<string> {
  // Other systems give the start time as a date, which does not repeat after a reboot.
  if (process.platform !== 'linux') return 'local'
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '')
  return `${boot.trim()} ${namespace}`
}

export type RunningProcess = {
  readonly pid: number
  /** Command line, or the title the process gave itself. */
  readonly command: string
  /** Working directory, where the system lets us see it. */
  readonly cwd: string | undefined
}

export async function findProcess(pid: number): Promise<RunningProcess | undefined> {
  if (process.platform === 'linux') return readProc(pid)
  if (process.platform === 'win32') {
    return signalReaches(pid) === 'no' ? undefined : { pid, command: '', cwd: undefined }
  }
  return (await listByPs(['-p', String(pid)]))[0]
}

/** Lists every process of this machine that we can see. On Windows the list is empty. */
export async function listProcesses(): Promise<RunningProcess[]> {
  if (process.platform === 'win32') return []
  if (process.platform !== 'linux') return listByPs(['-ax'])
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const found = await Promise.all(pids.map(readProc))
  return found.filter((entry) => entry !== undefined)
}

async function readProc(pid: number): Promise<RunningProcess | undefined> {
  if ((await linuxStartTime(pid)) === undefined) return undefined
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined)
  if (commandLine === undefined) return undefined
  // Root in a container without CAP_SYS_PTRACE cannot read another user's link.
  const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => undefined)
  return { pid, command: commandLine.replaceAll('\0', ' ').trim(), cwd }
}

export async function listByPs(which: readonly string[]): Promise<RunningProcess[]> {
  const lines = (await ps([...which, '-ww', '-o', 'pid=,stat=,command='])).split('\n')
  return lines.flatMap((line) => {
    const match = /^\s*(\d+)\s+(\S+)\s+(.*)$/.exec(line)
    if (match?.[1] === undefined || match[2]?.startsWith('Z')) return []
    return [{ pid: Number(match[1]), command: (match[3] ?? '').trim(), cwd: undefined }]
  })
}

async function ps(args: readonly string[]): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)('ps', args, {
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
      maxBuffer: 16 * 1024 * 1024,
    })
    return stdout
  } catch (error) {
    // Exit code 1 means that there is no such process.
    if (error instanceof Error && 'code' in error && error.code === 1) return ''
    throw error
  }
}
