// Runs a harness of tests that is a command of its own (faults, fuzzing, pictures): in directories of its own, and with nothing left
// behind, however it ends.
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findMemoryDir } from './memory-dir.ts'
import { signalGroup, sweep } from './sweep.ts'

/** Settings of a run; one that is undefined is left to the harness. */
type Settings = Readonly<Record<string, string | undefined>>

/**
 * Runs `vitest.NAME.config.ts` with these settings, each given as NAME_SETTING, and returns its exit status. Without a
 * seed the clock chooses one; the seed is printed, so that a run can be repeated.
 */
export function runHarness(name: string, { seed = seedOfClock(), ...settings }: Settings): Promise<number> {
  process.stdout.write(`seed ${seed}\n`)
  return runBody(name, { seed, ...settings })
}

/** Does the same for a harness that leaves nothing to chance. */
export async function runBody(name: string, settings: Settings = {}): Promise<number> {
  const runDir = makeDir(tmpdir(), name)
  const memory = findMemoryDir()
  const clusterDir = memory && makeDir(memory, name)
  const given = Object.entries(settings).filter(([, value]) => value !== undefined)
  const vitest = fileURLToPath(new URL('../../../node_modules/vitest/vitest.mjs', import.meta.url))
  const child = spawn(process.execPath, [vitest, 'run', '--config', `vitest.${name}.config.ts`], {
    cwd: fileURLToPath(new URL('../../..', import.meta.url)),
    stdio: 'inherit',
    // Own process group: a signal of the terminal reaches this process alone, which ends the whole group.
    detached: true,
    env: {
      ...process.env,
      TMPDIR: runDir,
      ...Object.fromEntries(given.map(([key, value]) => [`${name}_${key}`.toUpperCase(), value])),
      ...(clusterDir && { WARUNG_TEST_CLUSTER_DIR: clusterDir }),
    },
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => signalGroup(child.pid, 'SIGINT'))
  }
  const code = await new Promise<number>((resolve) => child.on('exit', (status) => resolve(status ?? 1)))
  signalGroup(child.pid, 'SIGKILL')
  await sweep(runDir)
  if (clusterDir) await sweep(clusterDir)
  return code
}

function seedOfClock() {
  return String(Math.floor(Date.now() / 1_000) % 1_000_000)
}

function makeDir(parent: string, name: string) {
  const dir = mkdtempSync(join(parent, `warung-${name}-`))
  // The database server may run as another user.
  chmodSync(dir, 0o755)
  return dir
}
