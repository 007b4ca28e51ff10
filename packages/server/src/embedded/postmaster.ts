import { spawn } from 'node:child_process'
import type { FileHandle } from 'node:fs/promises'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { failure, textOf } from './errors.ts'
import { findText, listNames, tail } from './files.ts'
import type { Location } from './location.ts'
import type { Binaries } from './platform.ts'
import type { ProcessIdentity, RunningProcess } from './process.ts'
import { findProcess, identify, listProcesses, liveness, signal } from './process.ts'
import { credentials } from './runas.ts'
import { LOG_DIR } from './settings.ts'
import type { Endpoint } from './socket.ts'
import { runTool, toolEnvironment } from './tool.ts'
import { waitUntil } from './wait.ts'

/** Running server: its main process, whose end ends all others. */
export type Postmaster = {
  readonly identity: ProcessIdentity
  /** Calls the listener once, when the process has ended, with the known reason. */
  onExit(listener: (detail: string) => void): void
}

/** Content of postmaster.pid. */
export type PidFile = { readonly pid: number; readonly endpoint: Endpoint }

const WATCH_MS = 500

export async function findPidFile(cluster: string): Promise<PidFile | undefined> {
  const [pid, , , port, socketDir, listenAddress] = ((await findText(pidFilePath(cluster))) ?? '').split('\n')
  // A server in single-user mode writes its pid as a negative number.
  const number = Math.abs(Number(pid))
  if (!Number.isInteger(number) || number === 0) return undefined
  const host = socketDir?.trim() || listenAddress?.trim() || ''
  return { pid: number, endpoint: { host, port: Number(port) } }
}

function pidFilePath(cluster: string): string {
  return join(cluster, 'postmaster.pid')
}

export async function removePidFile(cluster: string): Promise<void> {
  await rm(pidFilePath(cluster), { force: true })
}

/**
 * Finds the live server that postmaster.pid names. The pid may belong to another process by now, or to the server of
 * the directory this one was copied from: only a process that works in this very cluster counts.
 */
export async function findServer(
  cluster: string,
): Promise<(PidFile & { identity: ProcessIdentity }) | undefined> {
  const file = await findPidFile(cluster)
  if (file === undefined) return undefined
  const found = await findProcess(file.pid)
  const identity = await identify(file.pid)
  if (found === undefined || identity === undefined) return undefined
  const verdict = worksIn(found, cluster)
  if (verdict === 'unsure') {
    throw new Error(
      `${pidFilePath(cluster)} names process ${file.pid} (${found.command}), which may or may not be its server.\n` +
        'Stop that process if it is; delete the file if it is not.',
    )
  }
  return verdict === 'yes' ? { ...file, identity } : undefined
}

function worksIn({ command, cwd }: RunningProcess, cluster: string): 'yes' | 'no' | 'unsure' {
  // Windows shows neither: a live pid is the only evidence.
  if (process.platform === 'win32') return 'yes'
  if (command.endsWith(`/postgres -D ${cluster}`)) return 'yes'
  const isChild = command.startsWith('postgres:')
  const isMain = /^(\S*\/)?postgres( |$)/.test(command) || command.includes('/postgres -D ')
  if (!isChild && !isMain) return 'no'
  if (cwd !== undefined) return cwd === cluster ? 'yes' : 'no'
  // The server was started by hand, perhaps with a relative path, and its directory is hidden from us.
  return isChild || command.includes(' -D /') ? 'no' : 'unsure'
}

/**
 * Lists the processes of this cluster, whatever their parent is. On Windows they are unknown, and the list is empty.
 */
export async function listServerProcesses(cluster: string, title: string): Promise<RunningProcess[]> {
  const all = await listProcesses()
  return all.filter(
    (entry) => entry.command.startsWith(`postgres: ${title}:`) || worksIn(entry, cluster) === 'yes',
  )
}

const ORPHANS_LEAVE_MS = 2_000

/**
 * Ends the children of a killed main process. They notice and leave, but one inside a long statement may go on, and no
 * new server starts beside it. The cluster's log repairs whatever they leave undone.
 */
export async function clearOrphans(
  cluster: string,
  title: string,
  note: (text: string) => void,
): Promise<void> {
  const isClear = async () => (await listServerProcesses(cluster, title)).length === 0
  if (await waitUntil(isClear, ORPHANS_LEAVE_MS, 50)) return
  for (const name of ['SIGQUIT', 'SIGKILL'] as const) {
    const orphans = await listServerProcesses(cluster, title)
    note(`ending ${orphans.length} processes of a database server that died (${name})`)
    for (const { pid } of orphans) signal(pid, name)
    if (await waitUntil(isClear, ORPHANS_LEAVE_MS, 50)) return
  }
  const pids = (await listServerProcesses(cluster, title)).map(({ pid }) => pid)
  throw new Error(`processes of a database server that died cannot be ended: ${pids.join(', ')}`)
}

/** Watches a server that is not our child: its end is found by polling. */
export function watch(identity: ProcessIdentity): Postmaster {
  return {
    identity,
    onExit(listener) {
      const poll = async () => {
        if ((await liveness(identity)) !== 'dead') return
        clearInterval(timer)
        listener('the process is gone')
      }
      // A failed poll is followed by the next one.
      const timer = setInterval(() => poll().catch(() => {}), WATCH_MS)
      timer.unref()
    },
  }
}

export function startupLogPath(home: string): string {
  return join(home, 'postgres-startup.log')
}

/**
 * Starts the server in a session of its own: the terminal's Ctrl-C reaches us alone, and we drain first. Its first
 * output goes to a file rather than a pipe, which would break when we die.
 */
export async function launch(location: Location, binaries: Binaries): Promise<Postmaster> {
  if (process.platform === 'win32') return launchByPgCtl(location, binaries)
  // The previous start may have been by another user.
  await rm(startupLogPath(location.home), { force: true })
  const log = await open(startupLogPath(location.home), 'wx', 0o600)
  try {
    return await spawnDetached(location, binaries, log)
  } finally {
    await log.close()
  }
}

async function spawnDetached(location: Location, binaries: Binaries, log: FileHandle): Promise<Postmaster> {
  const child = spawn(binaries.postgres, ['-D', location.cluster], {
    ...toolEnvironment,
    ...credentials(location.runAs),
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  })
  child.unref()
  const exited = new Promise<string>((resolve) => {
    child.on('exit', (code, killer) => resolve(killer === null ? `exit code ${code}` : `killed by ${killer}`))
    child.on('error', (error) => resolve(textOf(error)))
  })
  const identity = child.pid === undefined ? undefined : await identify(child.pid)
  if (identity === undefined) {
    throw failure(`the database server could not be started: ${await exited}`, await readLogs(location))
  }
  return {
    identity,
    onExit(listener) {
      // `exited` never rejects.
      void exited.then(listener)
    },
  }
}

/**
 * Starts the server by pg_ctl on Windows. Only pg_ctl can give up administrator's rights, with which the server refuses
 * to run. This was not tried on Windows.
 */
async function launchByPgCtl(location: Location, binaries: Binaries): Promise<Postmaster> {
  const log = startupLogPath(location.home)
  const args = ['start', '-D', location.cluster, '-l', log, '-w', '-t', '60']
  const result = await runTool(binaries.pgCtl, args)
  const server = await findServer(location.cluster)
  if (!result.ok || server === undefined) {
    throw failure(`the database server could not be started: ${result.output}`, await readLogs(location))
  }
  return watch(server.identity)
}

const LOG_TAIL_BYTES = 4_096

/** Returns the end of the server's output: before its log existed, and in its newest log. */
export async function readLogs(location: Pick<Location, 'home' | 'cluster'>): Promise<string> {
  const logDir = join(location.cluster, LOG_DIR)
  const newest = (await listNames(logDir).catch(() => [])).sort().at(-1)
  const texts = [
    await tail(startupLogPath(location.home), LOG_TAIL_BYTES),
    newest === undefined ? '' : await tail(join(logDir, newest), LOG_TAIL_BYTES),
  ]
  return texts
    .map((text) => text.trim())
    .join('\n')
    .trim()
}

export type StopDeadlines = { readonly fastMs: number; readonly immediateMs: number }

const STOP_DEADLINES: StopDeadlines = { fastMs: 30_000, immediateMs: 10_000 }

/**
 * Ends the server: cleanly (unless no time is given for it), then without its last checkpoint, then by force. Resolves
 * when it is gone.
 */
export async function stopServer(
  { identity }: Pick<Postmaster, 'identity'>,
  location: Location,
  binaries: Binaries,
  note: (text: string) => void,
  deadlines = STOP_DEADLINES,
): Promise<void> {
  const isGone = async () => (await liveness(identity)) === 'dead'
  if (deadlines.fastMs > 0) {
    await ask(identity.pid, location, binaries, 'fast')
    if (await waitUntil(isGone, deadlines.fastMs)) return
    note(`the database server did not stop within ${deadlines.fastMs / 1000} s: stopping it at once`)
  }
  await ask(identity.pid, location, binaries, 'immediate')
  if (await waitUntil(isGone, deadlines.immediateMs)) return
  note('the database server still runs: ending its process; the next start recovers from its log')
  signal(identity.pid, 'SIGKILL')
  if (!(await waitUntil(isGone, deadlines.immediateMs))) {
    throw new Error(`the database server, process ${identity.pid}, cannot be ended`)
  }
}

async function ask(
  pid: number,
  location: Location,
  binaries: Binaries,
  mode: 'fast' | 'immediate',
): Promise<void> {
  if (process.platform !== 'win32') return signal(pid, mode === 'fast' ? 'SIGINT' : 'SIGQUIT')
  // Windows has no such signals; pg_ctl uses the server's own way.
  await runTool(binaries.pgCtl, ['stop', '-D', location.cluster, '-m', mode, '-W'])
}
