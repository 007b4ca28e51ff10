// `npm run test:faults -- --seed N --minutes M`: compiles, then breaks a running service in every way that the seed
// chooses, and compares all books at the end. `--broken [NAME,NAME]` shows that the harness can fail: it builds the
// service with deliberate mistakes, and runs until each one is caught. `--aimed [NAME,NAME]` runs the service itself
// under the same faults: no rule may be broken then.
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from './build.js'
import { findMemoryDir } from './memory-dir.js'
import { signalGroup, sweep } from './sweep.js'

const NUMBERS = ['seed', 'seeds', 'minutes', 'nodes', 'clients', 'runs']
const LISTS = ['broken', 'aimed']
const USAGE = `npm run test:faults -- [options]
  --seed N       first seed (default: chosen by the clock, and printed)
  --seeds N      number of runs, each with the next seed (default 1)
  --minutes M    time under faults of each run (default 1; 0.5 of a broken build)
  --nodes N      nodes of the service (default 3)
  --clients N    clients that pay at the same time (default 10)
  --runs N       runs after which a broken build is not caught (default 5)
  --broken NAMES run broken builds until they are caught: a list with commas, or "all"
  --aimed NAMES  run the service itself under the faults that catch these builds: a list with commas, or "all"`

const { values } = parseArgs({
  options: {
    ...Object.fromEntries(NUMBERS.map((name) => [name, { type: 'string' }])),
    ...Object.fromEntries(LISTS.map((name) => [name, { type: 'string' }])),
    help: { type: 'boolean' },
  },
  args: process.argv.slice(2).map((arg, index, all) => {
    // `--broken` alone means all of them.
    const isList = LISTS.some((name) => arg === `--${name}`)
    const isAlone = isList && (all[index + 1] === undefined || all[index + 1].startsWith('--'))
    return isAlone ? `${arg}=all` : arg
  }),
})
const wrong = NUMBERS.filter((name) => values[name] !== undefined && !(Number(values[name]) > 0))
if (values.help || wrong.length > 0) {
  process.stdout.write(`${wrong.map((name) => `--${name} must be a positive number\n`).join('')}${USAGE}\n`)
  process.exit(values.help ? 0 : 2)
}

await build()
const runDir = makeDir(tmpdir())
const memory = findMemoryDir()
const clusterDir = memory && makeDir(memory)
const seed = values.seed ?? String(Math.floor(Date.now() / 1_000) % 1_000_000)
process.stdout.write(`seed ${seed}\n`)
const given = Object.fromEntries(
  [...NUMBERS, ...LISTS]
    .filter((name) => values[name] !== undefined)
    .map((name) => [`FAULTS_${name.toUpperCase()}`, values[name] === 'all' ? '' : values[name]]),
)
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))
const child = spawn(process.execPath, [vitest, 'run', '--config', 'vitest.faults.config.ts'], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  stdio: 'inherit',
  // Own process group: a signal of the terminal reaches this process alone, which ends the whole group.
  detached: true,
  env: {
    ...process.env,
    ...given,
    TMPDIR: runDir,
    FAULTS_SEED: seed,
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
  const dir = mkdtempSync(join(parent, 'warung-faults-'))
  // The database server may run as another user.
  chmodSync(dir, 0o755)
  return dir
}
