// Runs test files in directories of the run's own, with nothing left behind, however it ends.
import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findMemoryDir } from './memory-dir.ts'
import { readFailures, repeatable, unsteadyNotice } from './repeats.ts'
import { signalGroup, sweep } from './sweep.ts'
import { printTimes, ROOT, readTimes, TIER, TIMES } from './tiers.ts'

const LIGHT_HASHES = new URL('light-hashes.js', import.meta.url).href
const END_WITHIN_MS = 5_000

type Options = {
  tier?: 'every' | 'deep' | 'all'
  env?: NodeJS.ProcessEnv
  repeats?: boolean
  records?: boolean
}

/**
 * Runs vitest with these arguments over the files of a tier, and returns its exit code. `repeats`: a few failed files
 * run again (repeats.ts). `records`: the times of the files go into the table.
 */
export async function runTests(
  args: readonly string[],
  { tier = 'all', env = {}, repeats = false, records = false }: Options = {},
): Promise<number> {
  // Everything that the run makes is below one directory, and every process of it has that directory in its environment
  // or its command line, so that nothing is left behind, however the run ends.
  const runDir = makeDir(tmpdir())
  // The test databases need not survive the run: PostgreSQL makes and removes their thousands of files faster in memory.
  const memory = findMemoryDir()
  const clusterDir = memory && makeDir(memory)
  const failuresFile = join(runDir, 'failures.json')
  const timesFile = join(runDir, 'times.json')
  const settings = {
    ...process.env,
    ...env,
    TMPDIR: runDir,
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${LIGHT_HASHES}`.trim(),
    [TIER]: tier,
    WARUNG_TEST_FAILURES: failuresFile,
    WARUNG_TEST_TIMES: timesFile,
    ...(clusterDir && { WARUNG_TEST_CLUSTER_DIR: clusterDir }),
  }
  const run = startable(settings)
  let code = await run(args)
  if (records && !run.interrupted()) record(timesFile)
  const failures = code === 0 || !repeats ? [] : readFailures(failuresFile)
  const repeated = run.interrupted() ? [] : repeatable(failures)
  if (repeated.length > 0) {
    process.stdout.write(`\nAgain, one after the other: ${repeated.join(', ')}\n`)
    code = await run([...repeated, '--maxWorkers=1'])
    if (code === 0) process.stdout.write(unsteadyNotice(failures))
  }
  await sweep(runDir)
  if (clusterDir) await sweep(clusterDir)
  return run.interrupted() ? 130 : code
}

/** Returns a function that runs vitest once and resolves with its status. The first signal ends what runs then. */
function startable(env: NodeJS.ProcessEnv) {
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')
  let running: ChildProcess | undefined
  let interrupted: NodeJS.Signals | undefined
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (interrupted !== undefined) return
      interrupted = name
      const pid = running?.pid
      signalGroup(pid, 'SIGINT')
      setTimeout(() => signalGroup(pid, 'SIGKILL'), END_WITHIN_MS).unref()
    })
  }
  const run = (args: readonly string[]) => {
    // Own process group: a signal of the terminal reaches this process alone, which ends the whole group.
    const child = spawn(process.execPath, [vitest, 'run', ...args], {
      cwd: ROOT,
      stdio: 'inherit',
      env,
      detached: true,
    })
    running = child
    const { pid } = child
    return new Promise<number>((resolve) => {
      child.on('exit', (status) => {
        signalGroup(pid, 'SIGKILL')
        resolve(status ?? 1)
      })
    })
  }
  return Object.assign(run, { interrupted: () => interrupted !== undefined })
}

/** Writes the times of a run into the table. Files that did not run keep theirs; files that are gone leave it. */
function record(timesFile: string) {
  const measured = JSON.parse(readFileSync(timesFile, 'utf8')) as Record<string, number>
  const found = new Map(Object.entries(measured))
  const merged = new Map([...readTimes(), ...found])
  const kept = [...merged].filter(([path]) => existsSync(join(ROOT, path)))
  writeFileSync(TIMES, printTimes(new Map(kept)))
}

function makeDir(parent: string) {
  const dir = mkdtempSync(join(parent, 'warung-run-'))
  // Some tests run the service as another user.
  chmodSync(dir, 0o755)
  return dir
}
