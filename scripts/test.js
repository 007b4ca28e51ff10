// `npm test`: compiles (the acceptance tests start the compiled service), then runs every test. Further arguments go to
// vitest: `npm test -- nonces` runs the files whose path contains "nonces". A run of every test repeats a few failed
// files; see test-repeats.js.
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from './build.js'
import { findMemoryDir } from './memory-dir.js'
import { signalGroup, sweep } from './sweep.js'
import { readFailures, repeatable, unsteadyNotice } from './test-repeats.js'

const END_WITHIN_MS = 5_000

await build()
// Everything that the run makes is below one directory, and every process of it has that directory in its environment
// or its command line, so that nothing is left behind, however the run ends.
const runDir = makeDir(tmpdir())
// The test databases need not survive the run: PostgreSQL makes and removes their thousands of files faster in memory.
const memory = findMemoryDir()
const clusterDir = memory && makeDir(memory)
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))
const wanted = process.argv.slice(2)
const failuresFile = join(runDir, 'failures.json')
let running
let interrupted
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(name, () => {
    if (interrupted !== undefined) return
    interrupted = name
    const { pid } = running
    signalGroup(pid, 'SIGINT')
    setTimeout(() => signalGroup(pid, 'SIGKILL'), END_WITHIN_MS).unref()
  })
}
let code = await runTests(wanted)
const failures = code === 0 || wanted.length > 0 ? [] : readFailures(failuresFile)
const repeated = interrupted === undefined ? repeatable(failures) : []
if (repeated.length > 0) {
  process.stdout.write(`\nAgain, one after the other: ${repeated.join(', ')}\n`)
  code = await runTests([...repeated, '--maxWorkers=1'])
  if (code === 0) process.stdout.write(unsteadyNotice(failures))
}
await sweep(runDir)
if (clusterDir) await sweep(clusterDir)
process.exit(interrupted === undefined ? code : 130)

function runTests(args) {
  running = spawn(process.execPath, [vitest, 'run', ...args], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    stdio: 'inherit',
    env: {
      ...process.env,
      TMPDIR: runDir,
      WARUNG_TEST_FAILURES: failuresFile,
      ...(clusterDir && { WARUNG_TEST_CLUSTER_DIR: clusterDir }),
    },
    // Own process group: a signal of the terminal reaches this process alone, which ends the whole group.
    detached: true,
  })
  const { pid } = running
  return new Promise((resolve) => {
    running.on('exit', (status) => {
      signalGroup(pid, 'SIGKILL')
      resolve(status ?? 1)
    })
  })
}

function makeDir(parent) {
  const dir = mkdtempSync(join(parent, 'warung-run-'))
  // Some tests run the service as another user.
  chmodSync(dir, 0o755)
  return dir
}
