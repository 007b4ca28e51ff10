// `npm run test:fuzz -- --seed N --minutes M [--api PARTS]`: compiles, then sends the service requests, files, bytes and
// suppliers' answers that the seed chooses, and checks every answer against the API documents.
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from './build.js'
import { findMemoryDir } from './memory-dir.js'
import { signalGroup, sweep } from './sweep.js'

const PARTS = ['resellers', 'portal', 'operator', 'checkout', 'imports', 'suppliers', 'sockets']
const NUMBERS = ['seed', 'minutes']
const USAGE = `npm run test:fuzz -- [options]
  --seed N       seed of all choices (default: chosen by the clock, and printed)
  --minutes M    time of the run (default 1)
  --api PARTS    these parts alone, with commas: ${PARTS.join(', ')}`

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    minutes: { type: 'string' },
    api: { type: 'string' },
    help: { type: 'boolean' },
  },
})
const wrong = [
  ...NUMBERS.filter((name) => values[name] !== undefined && !(Number(values[name]) > 0)).map(
    (name) => `--${name} must be a positive number`,
  ),
  ...(values.api ?? '')
    .split(',')
    .filter((part) => part !== '' && !PARTS.includes(part))
    .map((part) => `--api: there is no ${part}`),
]
if (values.help || wrong.length > 0) {
  process.stdout.write(`${wrong.map((line) => `${line}\n`).join('')}${USAGE}\n`)
  process.exit(values.help ? 0 : 2)
}

await build()
const runDir = makeDir(tmpdir())
const memory = findMemoryDir()
const clusterDir = memory && makeDir(memory)
const seed = values.seed ?? String(Math.floor(Date.now() / 1_000) % 1_000_000)
process.stdout.write(`seed ${seed}\n`)
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))
const child = spawn(process.execPath, [vitest, 'run', '--config', 'vitest.fuzz.config.ts'], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  stdio: 'inherit',
  // Own process group: a signal of the terminal reaches this process alone, which ends the whole group.
  detached: true,
  env: {
    ...process.env,
    TMPDIR: runDir,
    FUZZ_SEED: seed,
    ...(values.minutes && { FUZZ_MINUTES: values.minutes }),
    ...(values.api && { FUZZ_API: values.api }),
    ...(clusterDir && { WARUNG_TEST_CLUSTER_DIR: clusterDir }),
  },
})
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => signalGroup(child.pid, 'SIGINT'))
const code = await new Promise((resolve) => child.on('exit', (status) => resolve(status ?? 1)))
signalGroup(child.pid, 'SIGKILL')
await sweep(runDir)
if (clusterDir) await sweep(clusterDir)
process.exit(code)

function makeDir(parent) {
  const dir = mkdtempSync(join(parent, 'warung-fuzz-'))
  // The database server may run as another user.
  chmodSync(dir, 0o755)
  return dir
}
