import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const HZ = 499
const SHOWN = 12
const LINE_MAX = 100

/** Tells whether `perf` is installed and may sample the CPU clock here. */
export function hasPerf() {
  try {
    execFileSync('perf', ['record', '-e', 'cpu-clock', '-o', '/dev/null', 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/**
 * Samples processes by their CPU time while `work` runs, the kernel included. Returns the hottest functions of native
 * code, each with its share, and leaves the samples in `path`. Where JavaScript is compiled, `perf` sees no names.
 */
export async function withPerf(groups, dir, work) {
  const recorders = Object.entries(groups).map(([name, pids]) => {
    const path = join(dir, `${name}.perf`)
    const options = ['record', '-e', 'cpu-clock', '-F', String(HZ), '-o', path, '-p', pids.join(',')]
    return { name, path, child: spawn('perf', options, { stdio: 'ignore' }) }
  })
  await work()
  const found = {}
  for (const { name, path, child } of recorders) {
    const ended = once(child, 'exit')
    child.kill('SIGINT')
    await ended
    found[name] = readReport(path)
  }
  return found
}

function readReport(path) {
  const options = ['report', '-i', path, '--stdio', '--sort', 'dso,symbol']
  const text = execFileSync('perf', options, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  return text
    .split('\n')
    .filter((line) => /^\s+[\d.]+%/.test(line))
    .slice(0, SHOWN)
    .map((line) =>
      line
        .trim()
        .replaceAll(/\s+/g, ' ')
        .replace(/( -)+$/, '')
        .slice(0, LINE_MAX),
    )
}
