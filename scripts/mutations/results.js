import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Reads the results file: one JSON line for each mutant and test. */
export function readResults(file) {
  const known = new Map()
  if (!existsSync(file)) return known
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const { key, test, verdict } = parseLine(line)
    if (key !== undefined) known.set(`${key} ${test}`, verdict)
  }
  return known
}

/** Parses a line; a run that was killed may have left half of one. */
function parseLine(line) {
  try {
    return JSON.parse(line)
  } catch {
    return {}
  }
}

export function writeResults(file, results) {
  mkdirSync(dirname(file), { recursive: true })
  appendFileSync(file, results.map((result) => `${JSON.stringify(result)}\n`).join(''))
}
