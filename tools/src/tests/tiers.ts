// The two tiers of tests. `npm test` runs what every change must pass; `npm run test:deep` runs the files of
// tools/data/deep-files.json before a release and every night. A filter (`npm test -- topup`) chooses among all files.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Environment variable that chooses the tier of a run: `every` change, `deep`, or all files. */
export const TIER = 'WARUNG_TEST_TIER'

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/**
 * Files that `npm test` leaves to the deep tier, each with the reason. A rule that one of them guards is also held by a
 * test that stays, at a lower level or in one case of the contract; these look further, or need what takes long. An
 * entry is a file, or a folder with everything below it.
 */
export const DEEP = JSON.parse(readFileSync(join(ROOT, 'tools/data/deep-files.json'), 'utf8')) as {
  reason: string
  files: string[]
}[]

/** Lists the test files of these entries of DEEP, by default of all: an entry is the path of a file or of a folder. */
export function listDeep(entries = DEEP.flatMap(({ files }) => files)): string[] {
  return entries.flatMap((entry) => (isTest(entry) ? [entry] : listFolder(entry)))
}

function listFolder(folder: string) {
  const found = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map(
    (name) => `${folder}/${name}`,
  )
  return found.filter(isTest).sort()
}

function isTest(path: string) {
  return /\.test\.ts$/.test(path)
}

/** Seconds of each test file in the last run that was recorded. */
export const TIMES = join(ROOT, 'tools/data/test-times.csv')

/** Returns the seconds of every file in the last run that was recorded. */
export function readTimes(): Map<string, number> {
  const [, ...rows] = readFileSync(TIMES, 'utf8').trim().split('\n')
  return new Map(
    rows.map((row) => {
      const [path = '', seconds] = row.split(',')
      return [path, Number(seconds)]
    }),
  )
}

/** Returns the text of the table: the slowest file first. */
export function printTimes(times: ReadonlyMap<string, number>): string {
  const rows = [...times].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
  return `path,seconds\n${rows.map(([path, seconds]) => `${path},${seconds.toFixed(1)}\n`).join('')}`
}

/**
 * Deals the files out into parts of about `partSeconds` each, longest first, so that every part has long and short
 * files. A file without a recorded time counts as ten seconds.
 */
export function deal(
  paths: readonly string[],
  times: ReadonlyMap<string, number>,
  partSeconds: number,
): string[][] {
  const secondsOf = (path: string) => times.get(path) ?? 10
  const total = paths.reduce((sum, path) => sum + secondsOf(path), 0)
  const count = Math.max(1, Math.round(total / partSeconds))
  const parts = Array.from({ length: count }, () => ({ seconds: 0, paths: [] as string[] }))
  for (const path of [...paths].sort((a, b) => secondsOf(b) - secondsOf(a) || (a < b ? -1 : 1))) {
    const least = parts.reduce((best, part) => (part.seconds < best.seconds ? part : best))
    least.paths.push(path)
    least.seconds += secondsOf(path)
  }
  return parts.map((part) => part.paths)
}
