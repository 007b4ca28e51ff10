import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { functionChanges } from './sql.ts'
import type { Domain, Layer, Target } from './targets.ts'
import type { Change } from './typescript.ts'
import { typescriptChanges } from './typescript.ts'

/** `survived` and every way to be noticed: a test fails, the mutant does not end, PostgreSQL refuses it. */
export type Verdict = 'survived' | 'killed' | 'timeout' | 'invalid'

/** Verdicts that end the search for a test that notices the mutant. */
const DEAD: ReadonlySet<Verdict | undefined> = new Set(['killed', 'timeout', 'invalid'])

/**
 * Mutant of a file. `tests` are the tests that have not tried it yet, `verdict` what is known of it; undefined when a
 * test is missing.
 */
export type Mutant = Change & {
  id: number
  key: string
  path: string
  domain: Domain
  layer: Layer
  line: number
  column: number
  lineText: string
  original: string
  tests: string[]
  verdict: Verdict | undefined
}

/** Order of one run of vitest, which its configuration and its runner read. */
export type Plan = {
  rootDir: string
  resultsFile: string
  currentFile: string
  failuresFile: string
  notAfter: number
  workers: number
  needsDatabase: boolean
  tests: string[]
  /** Hash of each test, by its path. */
  hashes: Record<string, string>
  mutants: Mutant[]
}

/** Reads the order of the run that this process belongs to. */
export function readPlan(): Plan {
  return JSON.parse(readFileSync(process.env.MUTATIONS_PLAN ?? '', 'utf8')) as Plan
}

/** Lists the mutants of the targets, with what earlier runs found. */
export function listMutants(
  rootDir: string,
  targets: readonly Target[],
  known: ReadonlyMap<string, Verdict>,
): Mutant[] {
  const hashes = new Map<string, string>()
  const hashOfFile = (path: string) => {
    const hash = hashes.get(path) ?? hashOf(readFileSync(join(rootDir, path), 'utf8'))
    hashes.set(path, hash)
    return hash
  }
  let id = 0
  return targets.flatMap((target) => {
    const text = readFileSync(join(rootDir, target.path), 'utf8')
    return changesOf(target.path, text)
      .filter((change) => isSampled(change, target.oneOf))
      .map((change) => {
        const key = `${hashOfFile(target.path)} ${change.start}-${change.end} ${hashOf(change.replacement)}`
        const found = target.tests.map((path) => known.get(`${key} ${hashOfFile(path)}`))
        const tests = target.tests.filter((_, index) => found[index] === undefined)
        return {
          ...change,
          ...placeOf(text, change),
          id: ++id,
          key,
          path: target.path,
          domain: target.domain,
          layer: target.layer,
          tests,
          verdict: verdictOf(found),
        }
      })
  })
}

function changesOf(path: string, text: string): Change[] {
  return path.endsWith('.sql') ? functionChanges(text) : typescriptChanges(text)
}

/** Chooses one of `oneOf` mutants by its own text, so that every run chooses the same ones. */
function isSampled({ start, end, replacement }: Change, oneOf: number) {
  return (
    oneOf === 1 || Number.parseInt(hashOf(`${start} ${end} ${replacement}`).slice(0, 8), 16) % oneOf === 0
  )
}

function verdictOf(found: readonly (Verdict | undefined)[]) {
  const dead = found.find((verdict) => DEAD.has(verdict))
  if (dead !== undefined) return dead
  return found.includes(undefined) ? undefined : 'survived'
}

function placeOf(text: string, { start, end }: Change) {
  const before = text.slice(0, start)
  const lineStart = before.lastIndexOf('\n') + 1
  const lineEnd = text.indexOf('\n', start)
  return {
    line: before.split('\n').length,
    column: start - lineStart + 1,
    lineText: text.slice(lineStart, lineEnd < 0 ? text.length : lineEnd).trim(),
    original: text.slice(start, end),
  }
}

/** Hashes a text to a short word. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
