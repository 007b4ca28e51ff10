// `npm run test:mutations`: changes the code of money in thousands of small ways, one at a time, and fails for each
// change that no test notices. Results are kept in `.mutations/`, so a run goes on where the last one stopped.
import { spawn } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { findMemoryDir } from './memory-dir.js'
import { hashOf, listMutants } from './mutations/plan.js'
import { judgeMutants, readExplanations, renderMutant, renderScore } from './mutations/report.js'
import { readResults, writeResults } from './mutations/results.js'
import { DOMAINS, LAYERS, listTargets } from './mutations/targets.js'
import { signalGroup, sweep } from './sweep.js'

const ROOT_DIR = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '')
const OWN_DIR = join(ROOT_DIR, '.mutations')
const RESULTS = join(OWN_DIR, 'results.jsonl')
const RUN_DIR = makeDir(tmpdir())
const PLAN = join(RUN_DIR, 'plan.json')
const CURRENT = join(RUN_DIR, 'current.json')
const FAILURES = join(RUN_DIR, 'failures.txt')
const LOG = join(RUN_DIR, 'run.log')
/** Time without a result after which the present mutant counts as one that does not end. */
const SILENCE_MS = 180_000
/** The same while no mutant is tried: a busy machine takes minutes to start PostgreSQL and to run the tests once. */
const START_SILENCE_MS = 1_200_000
const LOOK_EACH_MS = 2_000
const USAGE = `npm run test:mutations -- [options]
  --domain NAMES   of ${DOMAINS.join(', ')}
  --layer NAMES    of ${LAYERS.join(', ')}
  --only TEXT      files whose path contains the text
  --minutes M      stops after this time; the next run goes on
  --workers N      processes that run tests (default 1)
  --fresh          forgets the results of earlier runs
  --report         runs nothing: shows the results of earlier runs
  --list           lists the mutants`

const { values } = parseArgs({
  options: {
    domain: { type: 'string', default: DOMAINS.join(',') },
    layer: { type: 'string', default: LAYERS.join(',') },
    only: { type: 'string', default: '' },
    minutes: { type: 'string', default: '1440' },
    workers: { type: 'string', default: '1' },
    fresh: { type: 'boolean' },
    report: { type: 'boolean' },
    list: { type: 'boolean' },
    help: { type: 'boolean' },
  },
})
if (values.help) {
  console.log(USAGE)
  process.exit(0)
}
mkdirSync(OWN_DIR, { recursive: true })
if (values.fresh) rmSync(RESULTS, { force: true })
const targets = listTargets(ROOT_DIR).filter(
  ({ domain, layer, path }) =>
    values.domain.split(',').includes(domain) &&
    values.layer.split(',').includes(layer) &&
    path.includes(values.only),
)
const notAfter = Date.now() + Number(values.minutes) * 60_000
let running
let clusterDir
let isInterrupted = false
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(name, async () => {
    isInterrupted = true
    if (running !== undefined) signalGroup(running.pid, 'SIGKILL')
    if (clusterDir !== undefined) await sweep(clusterDir)
    await sweep(RUN_DIR)
    process.exit(130)
  })
}
if (values.list) {
  for (const mutant of listMutants(ROOT_DIR, targets, new Map())) console.log(renderMutant(mutant))
} else {
  if (!values.report) await runAll()
  process.exitCode = report()
}
await sweep(RUN_DIR)

/** Runs until every mutant is decided. Tests without a database come first; they start at once. */
async function runAll() {
  for (const needsDatabase of [false, true]) {
    for (let before = Number.POSITIVE_INFINITY; ; ) {
      const mutants = listMutants(ROOT_DIR, targets, readResults(RESULTS)).filter(
        ({ verdict, tests }) =>
          verdict === undefined && tests.some((path) => usesDatabase(path) === needsDatabase),
      )
      const left = mutants.reduce((sum, { tests }) => sum + tests.length, 0)
      if (mutants.length === 0 || Date.now() > notAfter) break
      if (left >= before) fail('no mutant was decided')
      before = left
      await runOnce(mutants, needsDatabase)
      // The handler of the signal ends the process.
      if (isInterrupted) await new Promise(() => {})
      if (existsSync(FAILURES)) fail(`tests fail without a mutant:\n${readFileSync(FAILURES, 'utf8')}`)
    }
  }
}

function fail(message) {
  const log = existsSync(LOG) ? readFileSync(LOG, 'utf8').split('\n').slice(-60).join('\n') : ''
  console.error(`${log}\n${message}`)
  rmSync(RUN_DIR, { recursive: true, force: true })
  process.exit(1)
}

/** Tells whether a test needs PostgreSQL: it, or a file of `testing` that it imports, opens a database. */
function usesDatabase(path, seen = new Set()) {
  seen.add(path)
  if (/\/testing\/(database|cluster)\.ts$/.test(path)) return true
  const imports = readFileSync(join(ROOT_DIR, path), 'utf8').matchAll(/^import (?!type)[\s\S]*?'(\.[^']+)'/gm)
  return [...imports]
    .map(([, specifier]) => join(path, '..', specifier))
    .some((next) => next.includes('/testing/') && !seen.has(next) && usesDatabase(next, seen))
}

async function runOnce(mutants, needsDatabase) {
  const wanted = new Set(
    mutants.flatMap(({ tests }) => tests).filter((path) => usesDatabase(path) === needsDatabase),
  )
  const tests = [...new Set(targets.flatMap((target) => target.tests))].filter((path) => wanted.has(path))
  const hashes = Object.fromEntries(
    tests.map((path) => [path, hashOf(readFileSync(join(ROOT_DIR, path), 'utf8'))]),
  )
  writeFileSync(CURRENT, '')
  writeFileSync(
    PLAN,
    JSON.stringify({
      rootDir: ROOT_DIR,
      resultsFile: RESULTS,
      currentFile: CURRENT,
      failuresFile: FAILURES,
      notAfter,
      workers: Number(values.workers),
      needsDatabase,
      tests,
      hashes,
      mutants,
    }),
  )
  const log = openSync(LOG, 'w')
  clusterDir = makeDir(findMemoryDir() ?? tmpdir())
  const vitest = join(ROOT_DIR, 'node_modules/vitest/vitest.mjs')
  running = spawn(process.execPath, [vitest, 'run', '--config', 'vitest.mutations.config.ts'], {
    cwd: ROOT_DIR,
    stdio: ['ignore', log, log],
    // Own process group: it is ended as a whole.
    detached: true,
    env: {
      ...process.env,
      NO_COLOR: '1',
      MUTATIONS_PLAN: PLAN,
      TMPDIR: RUN_DIR,
      WARUNG_TEST_CLUSTER_DIR: clusterDir,
    },
  })
  const ended = new Promise((resolve) => running.on('exit', resolve))
  await watch(ended, mutants.length)
  signalGroup(running.pid, 'SIGKILL')
  closeSync(log)
  await sweep(clusterDir)
}

function makeDir(parent) {
  const dir = mkdtempSync(join(parent, 'warung-mutations-'))
  // The database server may run as another user.
  chmodSync(dir, 0o755)
  return dir
}

/** Waits for the end of a run, prints its progress, and ends a mutant that does not end by itself. */
async function watch(ended, planned) {
  const begunMs = Date.now()
  let isOver = false
  const over = ended.then(() => {
    isOver = true
  })
  while (!isOver) {
    await Promise.race([over, new Promise((resolve) => setTimeout(resolve, LOOK_EACH_MS))])
    const lastMs = Math.max(
      begunMs,
      ...[RESULTS, CURRENT].filter((file) => existsSync(file)).map(changedAtMs),
    )
    const silenceMs = statSync(CURRENT).size === 0 ? START_SILENCE_MS : SILENCE_MS
    if (!isOver && Date.now() - lastMs > silenceMs) {
      signalGroup(running.pid, 'SIGKILL')
      await over
    }
  }
  // A mutant was being tried when the process ended: it blocked the process, or brought it down. An interrupted run
  // says nothing about it.
  const current = readFileSync(CURRENT, 'utf8')
  if (current !== '' && !isInterrupted && Date.now() < notAfter)
    writeResults(RESULTS, [{ ...JSON.parse(current), verdict: 'timeout' }])
  const seconds = ((Date.now() - begunMs) / 1000).toFixed(0)
  console.log(`${planned} mutants, ${seconds} s`)
}

function changedAtMs(file) {
  return statSync(file).mtimeMs
}

function report() {
  const mutants = listMutants(ROOT_DIR, targets, readResults(RESULTS))
  const { judged, unused } = judgeMutants(mutants, readExplanations())
  const surviving = judged.filter(({ state }) => state === 'survived')
  for (const { mutant } of surviving) console.log(renderMutant(mutant))
  for (const { file, line, original, mutant } of unused) {
    console.log(`explained, but it does not survive: ${file}: ${line}: ${original} → ${mutant}`)
  }
  console.log(`\n${renderScore(judged)}`)
  const untried = judged.filter(({ state }) => state === 'untried').length
  if (untried > 0) console.log(`\n${untried} mutants were not tried to the end: run the command again.`)
  return surviving.length + unused.length + untried > 0 ? 1 : 0
}
