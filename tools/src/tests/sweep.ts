import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'

const ATTEMPTS_MAX = 50
const PAUSE_MS = 100

/** Ends every process that belongs to the directory, then removes it. */
export async function sweep(dir: string): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const pids = listProcesses(dir)
    if (pids.length === 0) break
    // PostgreSQL's main process takes SIGQUIT as "end at once", with all of its children.
    for (const pid of pids) signal(pid, attempt < ATTEMPTS_MAX / 2 ? 'SIGQUIT' : 'SIGKILL')
    await delay(PAUSE_MS)
  }
  await rm(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: PAUSE_MS })
}

/** Lists the processes that have the directory in their command line or, on Linux, in their environment. */
function listProcesses(dir: string) {
  const found = process.platform === 'linux' ? listByProc(dir) : listByPs(dir)
  return found.filter((pid) => pid !== process.pid)
}

function listByProc(dir: string) {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids
    .filter((pid) => read(pid, 'cmdline').includes(dir) || read(pid, 'environ').includes(dir))
    .map(Number)
}

function read(pid: string, file: string) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    // The process has ended meanwhile, or belongs to another user.
    return ''
  }
}

function listByPs(dir: string) {
  const lines = execFileSync('ps', ['-axww', '-o', 'pid=,command='], { encoding: 'utf8' }).split('\n')
  return lines.filter((line) => line.includes(dir)).map((line) => Number.parseInt(line, 10))
}

/** Sends a signal to a process and its whole group; one that did not start has none. */
export function signalGroup(pid: number | undefined, name: NodeJS.Signals): void {
  if (pid !== undefined) signal(-pid, name)
}

function signal(pid: number, name: NodeJS.Signals) {
  try {
    process.kill(pid, name)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'ESRCH' && code !== 'EPERM') throw error
  }
}
