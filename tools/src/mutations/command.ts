// `npm run test:mutations`: changes the code of money in thousands of small ways, one at a time, and fails for each
// change that no test notices. Results are kept in `.mutations/`, so a run goes on where the last one stopped.
import type { ChildProcess } from 'node:child_process'
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
import { findMemoryDir } from '../tests/memory-dir.ts'
import { signalGroup, sweep } from '../tests/sweep.ts'
import type { Mutant, Plan } from './plan.ts'
import { hashOf, listMutants } from './plan.ts'
import { judgeMutants, readExplanations, renderMutant, renderScore } from './report.ts'
import type { Result } from './results.ts'
import { readResults, writeResults } from './results.ts'
import { DOMAINS, LAYERS, listTargets } from './targets.ts'

const ROOT_DIR = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '')
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
  print(USAGE)
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
let running: ChildProcess | undefined
let clusterDir: string | undefined
let isInterrupted = false
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(name, async () => {
    isInterrupted = true
    signalGroup(running?.pid, 'SIGKILL')
    if (clusterDir !== undefined) await sweep(clusterDir)
    await sweep(RUN_DIR)
    process.exit(130)
  })
}
if (values.list) {
  for (const mutant of listMutants(ROOT_DIR, targets, new Map())) print(renderMutant(mutant))
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

function fail(message: string): never {
  const log = existsSync(LOG) ? readFileSync(LOG, 'utf8').split('\n').slice(-60).join('\n') : ''
  process.stderr.write(`${log}\n${message}\n`)
  rmSync(RUN_DIR, { recursive: true, force: true })
  process.exit(1)
}

/** Tells whether a test needs PostgreSQL: it, or a file of `testing` that it imports, opens a database. */
function usesDatabase(path: string, seen = new Set<string>()): boolean {
  seen.add(path)
  if (/\/testing\/(database|cluster)\.ts$/.test(path)) return true
  const imports = readFileSync(join(ROOT_DIR, path), 'utf8').matchAll(/^import (?!type)[\s\S]*?'(\.[^']+)'/gm)
  return [...imports]
    .map(([, specifier = '']) => join(path, '..', specifier))
    .some((next) => next.includes('/testing/') && !seen.has(next) && usesDatabase(next, seen))
}

async function runOnce(mutants: Mutant[], needsDatabase: boolean) {
  const wanted = new Set(
    mutants.flatMap(({ tests }) => tests).filter((path) => usesDatabase(path) === needsDatabase),
  )
  const tests = [...new Set(targets.flatMap((target) => target.tests))].filter((path) => wanted.has(path))
  const hashes = Object.fromEntries(
    tests.map((path) => [path, hashOf(readFileSync(join(ROOT_DIR, path), 'utf8'))]),
  )
  writeFileSync(CURRENT, '')
  const plan: Plan = {
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
  }
  writeFileSync(PLAN, JSON.stringify(plan))
  const log = openSync(LOG, 'w')
  const databaseDir = makeDir(findMemoryDir() ?? tmpdir())
  clusterDir = databaseDir
  const vitest = join(ROOT_DIR, 'node_modules/vitest/vitest.mjs')
  const child = spawn(process.execPath, [vitest, 'run', '--config', 'vitest.mutations.config.ts'], {
    cwd: ROOT_DIR,
    stdio: ['ignore', log, log],
    // Own process group: it is ended as a whole.
    detached: true,
    env: {
      ...process.env,
      NO_COLOR: '1',
      MUTATIONS_PLAN: PLAN,
      TMPDIR: RUN_DIR,
      WARUNG_TEST_CLUSTER_DIR: databaseDir,
    },
  })
  running = child
  await watch(child, mutants.length)
  signalGroup(child.pid, 'SIGKILL')
  closeSync(log)
  await sweep(databaseDir)
}

function makeDir(parent: string) {
  const dir = mkdtempSync(join(parent, 'warung-mutations-'))
  // The database server may run as another user.
  chmodSync(dir, 0o755)
  return dir
}

/** Waits for the end of a run, prints its progress, and ends a mutant that does not end by itself. */
async function watch(child: ChildProcess, planned: number) {
  const begunMs = Date.now()
  let isOver = false
  const over = new Promise<void>((resolve) => {
    child.on('exit', () => {
      isOver = true
      resolve()
    })
  })
  while (!isOver) {
    await Promise.race([over, new Promise((resolve) => setTimeout(resolve, LOOK_EACH_MS))])
    const lastMs = Math.max(
      begunMs,
      ...[RESULTS, CURRENT].filter((file) => existsSync(file)).map(changedAtMs),
    )
    const silenceMs = statSync(CURRENT).size === 0 ? START_SILENCE_MS : SILENCE_MS
    if (!isOver && Date.now() - lastMs > silenceMs) {
      signalGroup(child.pid, 'SIGKILL')
      await over
    }
  }
  // A mutant was being tried when the process ended: it blocked the process, or brought it down. An interrupted run
  // says nothing about it.
  const current = readFileSync(CURRENT, 'utf8')
  if (current !== '' && !isInterrupted && Date.now() < notAfter)
    writeResults(RESULTS, [{ ...(JSON.parse(current) as Omit<Result, 'verdict'>), verdict: 'timeout' }])
  const seconds = ((Date.now() - begunMs) / 1000).toFixed(0)
  print(`${planned} mutants, ${seconds} s`)
}

function print(text: string) {
  process.stdout.write(`${text}\n`)
}

function changedAtMs(file: string) {
  return statSync(file).mtimeMs
}

function report() {
  const mutants = listMutants(ROOT_DIR, targets, readResults(RESULTS))
  const { judged, unused } = judgeMutants(mutants, readExplanations())
  const surviving = judged.filter(({ state }) => state === 'survived')
  for (const { mutant } of surviving) print(renderMutant(mutant))
  for (const { file, line, original, mutant } of unused) {
    print(`explained, but it does not survive: ${file}: ${line}: ${original} → ${mutant}`)
  }
  print(`\n${renderScore(judged)}`)
  const untried = judged.filter(({ state }) => state === 'untried').length
  if (untried > 0) print(`\n${untried} mutants were not tried to the end: run the command again.`)
  return surviving.length + unused.length + untried > 0 ? 1 : 0
}
