import { readdirSync, readFileSync } from 'node:fs'

const MICROS_PER_TICK = 10_000

/** CPU time of a process in microseconds; `ended` is that of its children that ended and were waited for. */
export type Clock = { parent: number; user: number; system: number; ended: number }

/** Returns the CPU time of every process in microseconds, by its number. It is empty where there is no /proc. */
export function readProcesses() {
  const processes = new Map<number, Clock>()
  for (const pid of listNumbers('/proc')) {
    const stat = readStat(`/proc/${pid}/stat`)
    if (stat !== undefined) processes.set(pid, stat)
  }
  return processes
}

/** Returns the CPU time of each thread of a process. The main thread has the number of the process. */
export function readThreads(pid: number) {
  const threads = new Map<number, Clock>()
  for (const thread of listNumbers(`/proc/${pid}/task`)) {
    const stat = readStat(`/proc/${pid}/task/${thread}/stat`)
    if (stat !== undefined) threads.set(thread, stat)
  }
  return threads
}

/** Returns the title of a process. PostgreSQL writes there what the process does. */
export function readTitle(pid: number) {
  return (readText(`/proc/${pid}/cmdline`) ?? '').replaceAll('\0', ' ').trim()
}

function readStat(path: string): Clock | undefined {
  const text = readText(path)
  if (text === undefined) return undefined
  // The name stands in parentheses and may hold spaces; the fields after it do not.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const micros = (index: number) => Number(fields[index]) * MICROS_PER_TICK
  return {
    parent: Number(fields[1]),
    user: micros(11),
    system: micros(12),
    ended: micros(13) + micros(14),
  }
}

function listNumbers(dir: string) {
  try {
    return readdirSync(dir)
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
  } catch {
    return []
  }
}

function readText(path: string) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
