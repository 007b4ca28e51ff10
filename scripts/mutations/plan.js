import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { functionChanges } from './sql.js'
import { typescriptChanges } from './typescript.js'

/** Verdicts that end the search for a test that notices the mutant. */
export const DEAD = new Set(['killed', 'timeout', 'invalid'])

/**
 * Mutant of a file. `tests` are the tests that have not tried it yet, `verdict` what is known of it; undefined when a
 * test is missing.
 * @typedef {{ id: number, key: string, path: string, domain: string, layer: string, line: number, column: number,
 *   lineText: string, start: number, end: number, original: string, replacement: string, isStatement?: boolean,
 *   tests: string[], verdict?: string }} Mutant
 */

/** Lists the mutants of the targets, with what earlier runs found. */
export function listMutants(rootDir, targets, known) {
  const hashes = new Map()
  const hashOfFile = (path) => {
    if (!hashes.has(path)) hashes.set(path, hashOf(readFileSync(join(rootDir, path), 'utf8')))
    return hashes.get(path)
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

export function changesOf(path, text) {
  return path.endsWith('.sql') ? functionChanges(text) : typescriptChanges(text)
}

/** Chooses one of `oneOf` mutants by its own text, so that every run chooses the same ones. */
function isSampled({ start, end, replacement }, oneOf) {
  return (
    oneOf === 1 || Number.parseInt(hashOf(`${start} ${end} ${replacement}`).slice(0, 8), 16) % oneOf === 0
  )
}

function verdictOf(found) {
  const dead = found.find((verdict) => DEAD.has(verdict))
  if (dead !== undefined) return dead
  return found.includes(undefined) ? undefined : 'survived'
}

function placeOf(text, { start, end }) {
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
export function hashOf(text) {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
