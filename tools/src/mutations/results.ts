import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Verdict } from './plan.ts'

/** Verdict of one test on one mutant. */
export type Result = { key: string; test: string; verdict: Verdict }

/** Reads the results file: one JSON line for each mutant and test. */
export function readResults(file: string): Map<string, Verdict> {
  const known = new Map<string, Verdict>()
  if (!existsSync(file)) return known
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const result = parseLine(line)
    if (result !== undefined) known.set(`${result.key} ${result.test}`, result.verdict)
  }
  return known
}

/** Parses a line; a run that was killed may have left half of one. */
function parseLine(line: string) {
  try {
    return JSON.parse(line) as Result
  } catch {
    return undefined
  }
}

export function writeResults(file: string, results: readonly Result[]): void {
  mkdirSync(dirname(file), { recursive: true })
  appendFileSync(file, results.map((result) => `${JSON.stringify(result)}\n`).join(''))
}
