import { readdir, readFile } from 'node:fs/promises'

// Processes as Linux lists them.

type Process = {
  readonly pid: number
  readonly parent: number
  readonly command: string
}

async function listProcesses(): Promise<Process[]> {
  const found: Process[] = []
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    // A process may end between the listing and the reading.
    const status = await readFile(`/proc/${entry}/status`, 'utf8').catch(() => '')
    const command = await readFile(`/proc/${entry}/cmdline`, 'utf8').catch(() => '')
    found.push({ pid: Number(entry), parent: Number(/^PPid:\s+(\d+)$/m.exec(status)?.[1]), command })
  }
  return found
}

/** Lists the workers of the service whose first process has this number. */
export async function workersOf(pid: number): Promise<number[]> {
  const all = await listProcesses()
  return all
    .filter(({ parent, command }) => parent === pid && command.includes('warungd.js'))
    .map((each) => each.pid)
}

/** Tells whether a process runs; one that has ended, and that its parent has not read yet, does not. */
export async function isRunning(pid: number): Promise<boolean> {
  return /^State:\s+[^ZX]/m.test(await readFile(`/proc/${pid}/status`, 'utf8').catch(() => ''))
}
