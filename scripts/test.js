// `npm test`: compiles (the acceptance tests start the compiled service), then runs every test. Further arguments go to
// vitest: `npm test -- nonces` runs the files whose path contains "nonces".
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from './build.js'
import { findMemoryDir } from './memory-dir.js'
import { signalGroup, sweep } from './sweep.js'

const END_WITHIN_MS = 5_000

await build()
// Everything that the run makes is below one directory, and every process of it has that directory in its environment
// or its command line, so that nothing is left behind, however the run ends.
const runDir = makeDir(tmpdir())
// The test databases need not survive the run: PostgreSQL makes and removes their thousands of files faster in memory.
const memory = findMemoryDir()
const clusterDir = memory && makeDir(memory)
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))
const run = spawn(process.execPath, [vitest, 'run', ...process.argv.slice(2)], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  stdio: 'inherit',
  env: { ...process.env, TMPDIR: runDir, ...(clusterDir && { WARUNG_TEST_CLUSTER_DIR: clusterDir }) },
  // Own process group: a signal of the terminal reaches this process alone, which ends the whole group.
  detached: true,
})
let interrupted
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(name, () => {
    if (interrupted !== undefined) return
    interrupted = name
    signalGroup(run.pid, 'SIGINT')
    setTimeout(() => signalGroup(run.pid, 'SIGKILL'), END_WITHIN_MS).unref()
  })
}
run.on('exit', async (code) => {
  signalGroup(run.pid, 'SIGKILL')
  await sweep(runDir)
  if (clusterDir) await sweep(clusterDir)
  process.exit(interrupted === undefined ? (code ?? 1) : 130)
})

function makeDir(parent) {
  const dir = mkdtempSync(join(parent, 'warung-run-'))
  // Some tests run the service as another user.
  chmodSync(dir, 0o755)
  return dir
}
