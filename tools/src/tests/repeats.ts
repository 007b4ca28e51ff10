import { existsSync, readFileSync } from 'node:fs'

// Repeats of failed test files. A test that starts processes may fail on a busy machine because something took longer
// than the test allowed. Such a file runs a second time, by itself, and fails the run only if it fails again. The first
// failure is printed at the end all the same: an unsteady test is a defect, of the test or of the service.

/** More failed files than this are no accident: none is repeated. */
const REPEATED_MAX = 3

/** Tests whose failure may come from a busy machine: they wait for other processes. */
const WAITS_FOR_PROCESSES = /^packages\/acceptance\/|\.crash\.test\.ts$/

/** Property tests begin with another seed each time: a second run would hide what the first one found. */
const IS_SEEDED = /\.property\.test\./

/** Failed file, as the reporter writes it. */
export type Failure = { file: string; tests: { name: string; error: string }[] }

/** Reads the failures that the reporter wrote. */
export function readFailures(path: string): Failure[] {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Failure[]) : []
}

/** Returns the paths of the files to repeat: all failed files, or none. */
export function repeatable(failures: readonly Failure[]): string[] {
  const paths = failures.map(({ file }) => file)
  const isAllowed = (path: string) => WAITS_FOR_PROCESSES.test(path) && !IS_SEEDED.test(path)
  return paths.length <= REPEATED_MAX && paths.every(isAllowed) ? paths : []
}

/** Returns a notice that nobody overlooks. */
export function unsteadyNotice(failures: readonly Failure[]): string {
  const lines = failures.flatMap(({ file, tests }) => [
    file,
    ...tests.flatMap(({ name, error }) => [`    ${name}`, `        ${error.split('\n')[0]}`]),
  ])
  const head = 'UNSTEADY: these failed, and passed when they ran again by themselves. Find out why:'
  const rule = '#'.repeat(100)
  return ['', rule, head, ...lines, rule, ''].map((line) => `${line}\n`).join('')
}
