import { appendFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { writeProgram } from '../program.ts'
import { editing, findBuild, statementsOf } from './broken.ts'
import type { BrokenBuild } from './broken-builds.ts'
import { BUILDS } from './broken-builds.ts'
import type { Report, RunOptions } from './run.ts'
import { runFaults } from './run.ts'

// Body of `npm run test:faults`: tools/src/tests/faults.ts runs this file, alone, with a database server of its own.

const read = (name: string, usual: number) => Number(process.env[`FAULTS_${name}`] ?? usual)

const SEED = read('SEED', 1)
const SEEDS = read('SEEDS', 1)
const MINUTES = read('MINUTES', 1)
const NODES = read('NODES', 3)
const CLIENTS = read('CLIENTS', 10)
const BROKEN = process.env.FAULTS_BROKEN
const AIMED = process.env.FAULTS_AIMED
const LOG = process.env.FAULTS_LOG

const WORLD = { nodes: NODES, resellers: 4, ownsDatabase: true, clients: CLIENTS } as const

/** Prints at once, also into a file that can be read while the run goes on. */
function print(text: string): void {
  process.stdout.write(`${text}\n`)
  if (LOG !== undefined) appendFileSync(LOG, `${text}\n`)
}

function printReport(title: string, { violations, stories, figures }: Report): void {
  print(`${title}: ${violations.length} violations; ${JSON.stringify(figures)}`)
  for (const story of stories) print(story)
}

/** Runs of a broken build last this long, and a build that so many runs do not catch is not caught. */
const BROKEN_RUN_MS = read('MINUTES', 0.5) * 60_000
const BROKEN_RUNS_MAX = read('RUNS', 5)
const BROKEN_SETTLE_MS = 60_000

type Caught = {
  readonly name: string
  readonly checks: readonly string[]
  readonly seconds: number
  readonly seed: number
}

/** Runs a broken build until one of its own rules is broken. Other rules may break beside it; alone they are not it. */
async function catchBuild(build: BrokenBuild): Promise<Caught> {
  const dir = await mkdtemp(join(tmpdir(), 'warung-broken-'))
  const program = await writeProgram(dir, [editing(build)])
  const broken = { program, statements: await statementsOf(build), focus: build.focus }
  const startedMs = performance.now()
  const secondsSoFar = () => Math.round((performance.now() - startedMs) / 1_000)
  for (let run = 0; run < BROKEN_RUNS_MAX; run += 1) {
    const seed = SEED + run
    const options = { ...WORLD, ...broken, seed, durationMs: BROKEN_RUN_MS, settleMs: BROKEN_SETTLE_MS }
    // A broken build may not even run to its end: the next seed tries again.
    const report = await runFaults(options).catch(
      (error: unknown) => void print(`${build.name}: ${String(error)}`),
    )
    if (report === undefined) continue
    const broke = [...new Set(report.violations.map(({ check }) => check))]
    print(`${build.name}, seed ${seed}: ${broke.join(', ') || 'nothing'}; ${JSON.stringify(report.figures)}`)
    const checks = broke.filter((check) => build.caughtBy.includes(check))
    const story = report.stories.find((each) => checks.some((check) => each.startsWith(`${check}:`)))
    if (story === undefined) continue
    print(story)
    return { name: build.name, checks, seconds: secondsSoFar(), seed }
  }
  return { name: build.name, checks: [], seconds: secondsSoFar(), seed: SEED }
}

function tableOf(list: readonly Caught[]): string {
  const row = ({ name, checks, seconds, seed }: Caught) =>
    `${name.padEnd(32)} ${String(seconds).padStart(5)} s  seed ${seed}  ${checks.join(', ') || 'NOT CAUGHT'}`
  return list.map(row).join('\n')
}

const buildsOf = (names: string) => (names === '' ? BUILDS : names.split(',').map(findBuild))

async function findViolations(title: string, options: RunOptions): Promise<string[]> {
  const report = await runFaults(options)
  printReport(title, report)
  const { succeeded, failed, rejections } = report.figures
  // Faults that are aimed at refunds have payments that fail, all of them.
  const isAimed = options.focus !== undefined
  expect(succeeded + rejections + (isAimed ? failed : 0)).toBeGreaterThan(0)
  return report.violations.map(({ check, text }) => `${title}: ${check}: ${text}`)
}

if (BROKEN !== undefined) {
  it('every broken build is caught', async () => {
    const list: Caught[] = []
    for (const build of buildsOf(BROKEN)) {
      list.push(await catchBuild(build))
      print(tableOf(list))
    }
    expect(list.filter(({ checks }) => checks.length === 0).map(({ name }) => name)).toEqual([])
  })
} else if (AIMED !== undefined) {
  it('the service itself breaks no rule under the faults that catch the broken builds', async () => {
    const found: string[] = []
    for (const { name, focus } of buildsOf(AIMED)) {
      const options = { ...WORLD, seed: SEED, durationMs: BROKEN_RUN_MS, focus }
      found.push(...(await findViolations(`aimed at ${name}, seed ${SEED}`, options)))
    }
    expect(found).toEqual([])
  })
} else {
  it('no client is told what the books do not hold, whatever breaks', async () => {
    const found: string[] = []
    for (let seed = SEED; seed < SEED + SEEDS; seed += 1) {
      const options = { ...WORLD, seed, durationMs: MINUTES * 60_000 }
      found.push(...(await findViolations(`seed ${seed}`, options)))
    }
    expect(found).toEqual([])
  })
}
