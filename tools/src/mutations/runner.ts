import { appendFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { startTests } from '@vitest/runner'
import fc from 'fast-check'
import type { EvaluatedModuleNode, EvaluatedModules } from 'vite/module-runner'
import type { RunnerTask, RunnerTestFile, RunnerTestSuite } from 'vitest'
import { inject, TestRunner } from 'vitest'
import type { Server, Template } from './database.ts'
import { openTemplate } from './database.ts'
import type { Mutant, Verdict } from './plan.ts'
import { readPlan } from './plan.ts'
import { writeResults } from './results.ts'
import { SWITCH } from './switch.ts'

// Runner of vitest for `npm run test:mutations`. It runs a test file once as it is, notes which mutants each test
// reaches, and then runs the tests again for each mutant, in the same process.

const plan = readPlan()
const TEST_MS = 20_000
/** Time of a test that is tried again because it did not end: on a busy machine a test of many runs is slow, too. */
const SLOW_TEST_MS = 150_000
/** Runs between two checks that the tests still pass without a mutant. */
const BATCH = 25
/** A mutant that asks for the switches so many times more often than the tests do is in an endless loop. */
const HITS_TIMES = 50
const HITS_MIN = 200_000

/** Run of a file without a mutant: which mutants its tests reached, and how often switches may be asked for. */
type Trial = {
  runner: TestRunner
  file: RunnerTestFile
  reachedByTest: ReadonlyMap<string, ReadonlySet<number>>
  reachedByFile: ReadonlySet<number>
  hitsMax: number
}
type Judgement = { mutant: Mutant; verdict: Verdict }
type ImportSource = Parameters<TestRunner['importFile']>[1]

/** Members of vitest's runner that it declares as its own: the modules that it has loaded, and how it loads them. */
type Innards = {
  workerState: { evaluatedModules: EvaluatedModules }
  moduleRunner: unknown
  _otel: Parameters<TestRunner['__setTraces']>[0]
}
const innardsOf = (runner: TestRunner) => runner as unknown as Innards

/** State of the switches. While `reached` is a set, no mutant is active and the asked ones are noted. */
const switches: { active: number; hits: number; hitsMax: number; reached: Set<number> | undefined } = {
  active: 0,
  hits: 0,
  hitsMax: Number.POSITIVE_INFINITY,
  reached: undefined,
}
/** Mutants that are asked for while a module is loaded: modules are loaded anew for them. */
const loading = new Set<number>()
const killed = new Set<number>()

globalThis[SWITCH] = (id) => {
  switches.reached?.add(id)
  if (++switches.hits > switches.hitsMax) throw new Error('the mutant does not end')
  return id === switches.active
}

// Random tests try the same values for every mutant, and fewer of them than usual. The first counterexample is enough.
fc.configureGlobal({ seed: 20, numRuns: 40, endOnFailure: true })

export default class MutationRunner extends TestRunner {
  #reachedByTest = new Map<string, Set<number>>()
  #reachedByFile = new Set<number>()

  override async importFile(path: string, source: ImportSource): Promise<unknown> {
    switches.reached = loading
    try {
      return await super.importFile(path, source)
    } finally {
      switches.reached = this.#reachedByFile
    }
  }

  override async onBeforeRunTask(test: RunnerTask): Promise<void> {
    await super.onBeforeRunTask(test)
    const reached = new Set<number>()
    switches.reached = reached
    this.#reachedByTest.set(test.id, reached)
  }

  override onAfterRunTask(test: RunnerTask): void {
    super.onAfterRunTask(test)
    switches.reached = this.#reachedByFile
  }

  override async onAfterRunFiles(files: RunnerTestFile[] = []): Promise<void> {
    super.onAfterRunFiles()
    const [file] = files
    if (file === undefined) return
    const reachedByTest = this.#reachedByTest
    const reachedByFile = this.#reachedByFile
    const hitsMax = HITS_MIN + HITS_TIMES * switches.hits
    Object.assign(switches, { hits: 0, reached: undefined })
    this.#reachedByTest = new Map()
    this.#reachedByFile = new Set()
    if (file.result?.state === 'pass') {
      await tryMutants({ runner: this, file, reachedByTest, reachedByFile, hitsMax })
    } else {
      appendFileSync(plan.failuresFile, `${relative(plan.rootDir, file.filepath)}\n`)
    }
  }
}

/** Runner of one mutant: it runs the chosen tests, tells nobody, and stops at the first failure. */
class QuietRunner extends TestRunner {
  hasFailed = false
  readonly #chosen: ReadonlySet<string> | undefined

  constructor(runner: TestRunner, chosen: ReadonlySet<string> | undefined, testMs: number) {
    super({ ...runner.config, testTimeout: testMs, hookTimeout: testMs })
    const { moduleRunner, _otel } = innardsOf(runner)
    Object.assign(this, { moduleRunner })
    this.__setTraces(_otel)
    this.#chosen = chosen
  }

  override importFile(path: string, source: ImportSource): unknown {
    const { evaluatedModules } = innardsOf(this).workerState
    for (const module of evaluatedModules.fileToModulesMap.get(path) ?? []) {
      evaluatedModules.invalidateModule(module)
    }
    return super.importFile(path, source)
  }

  onCollected([file]: RunnerTestFile[]): void {
    if (this.#chosen !== undefined && file !== undefined) this.#choose(file, this.#chosen)
  }

  #choose(suite: RunnerTestSuite, chosen: ReadonlySet<string>) {
    for (const task of suite.tasks) {
      if (task.type === 'suite') this.#choose(task, chosen)
      else if (!chosen.has(task.id)) task.mode = 'skip'
    }
    if (suite.tasks.every(({ mode }) => mode === 'skip')) suite.mode = 'skip'
  }

  override async onBeforeRunTask(test: RunnerTask): Promise<void> {
    if (this.hasFailed) test.mode = 'skip'
    await super.onBeforeRunTask(test)
  }

  override onAfterRunTask(test: RunnerTask): void {
    if (test.result?.state === 'fail') this.hasFailed = true
    super.onAfterRunTask(test)
  }

  override async onAfterRunSuite(suite: RunnerTestSuite): Promise<void> {
    if (suite.result?.state === 'fail') this.hasFailed = true
  }
}

async function tryMutants(trial: Trial) {
  const path = relative(plan.rootDir, trial.file.filepath)
  const mine = plan.mutants.filter(({ id, tests }) => tests.includes(path) && !killed.has(id))
  const [reached, unreached] = split(mine, (mutant) => testsOf(trial, mutant) !== 'none')
  keep(
    path,
    unreached.map((mutant) => ({ mutant, verdict: 'survived' as const })),
  )
  const [static_, switched] = split(reached, ({ id }) => loading.has(id))
  for (const batch of [...batchesOf(switched), ...batchesOf(static_)]) {
    if (Date.now() > plan.notAfter) return
    await tryBatch(trial, path, batch)
  }
}

async function tryBatch(trial: Trial, path: string, batch: readonly Mutant[]) {
  const template = batch.some(isSql) ? await openTemplate(cluster()) : undefined
  const results: Judgement[] = []
  for (const mutant of batch) {
    if (Date.now() > plan.notAfter) break
    writeFileSync(plan.currentFile, JSON.stringify({ key: mutant.key, test: plan.hashes[path] }))
    results.push({ mutant, verdict: await tryMutant(trial, mutant, template, false) })
  }
  // A mutant may leave something behind in a module. Then nothing is sure about the ones after it.
  const isClean = !(await fails(trial, undefined))
  if (!isClean) {
    resetAll(trial)
    for (const result of results) result.verdict = await tryMutant(trial, result.mutant, template, true)
  }
  await template?.close()
  keep(path, results)
  writeFileSync(plan.currentFile, '')
}

/** Returns the server of the run, as the tests' own setup provides it. */
function cluster() {
  return (inject as (name: string) => unknown)('cluster') as Server
}

/** Runs the tests that reach a mutant while it is active. */
async function tryMutant(
  trial: Trial,
  mutant: Mutant,
  template: Template | undefined,
  mustReset: boolean,
): Promise<Verdict> {
  const isStatic = mustReset || loading.has(mutant.id)
  if (isSql(mutant) && !(await template?.apply(mutant))) return 'invalid'
  if (mustReset) resetAll(trial)
  else if (isStatic) resetModules(trial, mutant.path)
  Object.assign(switches, { active: mutant.id, hits: 0, hitsMax: trial.hitsMax })
  const reached = testsOf(trial, mutant)
  const chosen = typeof reached === 'string' ? undefined : reached
  const begunMs = performance.now()
  let isDead = await fails(trial, chosen)
  const isSlow = performance.now() - begunMs >= TEST_MS
  if (isDead && isSlow && switches.hits <= switches.hitsMax) {
    switches.hits = 0
    isDead = await fails(trial, chosen, SLOW_TEST_MS)
  }
  const isEndless = switches.hits > switches.hitsMax
  Object.assign(switches, { active: 0, hits: 0, hitsMax: Number.POSITIVE_INFINITY })
  if (mustReset) resetAll(trial)
  else if (isStatic) resetModules(trial, mutant.path)
  if (isSql(mutant)) await template?.restore(mutant)
  if (!isDead) return 'survived'
  return isEndless ? 'timeout' : 'killed'
}

async function fails({ runner, file }: Trial, chosen: ReadonlySet<string> | undefined, testMs = TEST_MS) {
  const quiet = new QuietRunner(runner, chosen, testMs)
  const [result] = await startTests([{ filepath: file.filepath }], quiet)
  return quiet.hasFailed || result?.result?.state === 'fail'
}

/** Finds the tests of a file that reach a mutant: all, none, or a set of ids. */
function testsOf({ reachedByTest, reachedByFile }: Trial, mutant: Mutant): 'all' | 'none' | Set<string> {
  if (isSql(mutant) || loading.has(mutant.id) || reachedByFile.has(mutant.id)) return 'all'
  const ids = [...reachedByTest].filter(([, reached]) => reached.has(mutant.id)).map(([id]) => id)
  return ids.length === 0 ? 'none' : new Set(ids)
}

function isSql({ path }: Mutant) {
  return path.endsWith('.sql')
}

/** Forgets a file and everything that imports it: the next import runs these modules anew. */
function resetModules({ runner }: Trial, path: string) {
  const { fileToModulesMap, idToModuleMap } = innardsOf(runner).workerState.evaluatedModules
  const found = new Set(fileToModulesMap.get(join(plan.rootDir, path)))
  for (const module of found) {
    for (const importer of module.importers) {
      const next = idToModuleMap.get(importer)
      if (next !== undefined) found.add(next)
    }
  }
  for (const module of found) resetModule(module)
}

/** Forgets all loaded modules of the repository. */
function resetAll({ runner }: Trial) {
  innardsOf(runner).workerState.evaluatedModules.idToModuleMap.forEach((module, path) => {
    if (path.startsWith(`${plan.rootDir}/packages/`)) resetModule(module)
  })
}

function resetModule(module: EvaluatedModuleNode) {
  module.promise = undefined
  module.exports = undefined
  module.evaluated = false
}

function keep(path: string, results: readonly Judgement[]) {
  for (const { mutant, verdict } of results) if (verdict !== 'survived') killed.add(mutant.id)
  const test = plan.hashes[path] ?? ''
  const lines = results.map(({ mutant, verdict }) => ({ key: mutant.key, test, verdict }))
  if (lines.length > 0) writeResults(plan.resultsFile, lines)
}

function split<T>(all: readonly T[], isFirst: (each: T) => boolean): [first: T[], others: T[]] {
  return [all.filter(isFirst), all.filter((each) => !isFirst(each))]
}

function batchesOf<T>(all: readonly T[]) {
  const batches: T[][] = []
  for (let at = 0; at < all.length; at += BATCH) batches.push(all.slice(at, at + BATCH))
  return batches
}
