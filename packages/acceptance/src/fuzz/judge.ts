import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { undocumentedIn } from '../documented.ts'
import type { Answer } from '../http.ts'
import { MARKUP_MARK } from './hostile.ts'

// Rules that every answer of the service has to keep, and the process itself.

/** Statuses that no request may cause. */
const NEVER = new Set([500, 501, 502])

/** Words of internals that no caller should read. */
const INTERNALS =
  /\bat [\w.<>]+ \(|node_modules|\.[jt]s:\d+:\d+|syntax error at or near|violates (?:check|foreign|unique|not-null)|invalid byte sequence|Cannot read properties|is not a function|is not iterable|Maximum call stack|ECONNREFUSED|out of range for type/

/** Returns the rule that an answer breaks; undefined when it is a good one. */
export function problemOf(asked: { method: string; path: string }, answer: Answer): string | undefined {
  if (NEVER.has(answer.status)) return `status ${answer.status}`
  if (answer.headers['x-request-id'] === undefined) return 'an answer that is not the service’s own'
  const leaked = INTERNALS.exec(answer.text)?.[0]
  if (leaked !== undefined && answer.status >= 400) return `the answer shows internals: ${leaked}`
  const isPage = String(answer.headers['content-type']).startsWith('text/html')
  if (isPage && answer.text.includes(MARKUP_MARK)) return 'the page shows markup of the request'
  if (!isDecodable(asked.path)) return unreadableProblem(answer)
  try {
    const undocumented = undocumentedIn(asked, answer)
    return undocumented === undefined ? undefined : `status ${answer.status}: ${undocumented}`
  } catch (error) {
    return `the answer cannot be read: ${String(error)}`
  }
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path.split('?', 1)[0] ?? '')
    return true
  } catch {
    return false
  }
}

/** Judges the answer to an address that cannot be decoded, and so names no operation of any document. */
function unreadableProblem({ status, text }: Answer): string | undefined {
  if (status === 400 && /^\{"message":"[^"]+","errors":\{\}\}$/.test(text)) return undefined
  return `an address that cannot be decoded gets ${status}`
}

/** Lists the lines of a service's output that tell of a mistake of its own. */
export function mistakesIn(output: string): string[] {
  return output
    .split('\n')
    .filter((line) => MISTAKE.test(line))
    .map((line) => line.slice(0, 1_000))
}

const MISTAKE =
  /"msg":"unexpected error"|"status":50[012]\b|uncaught|unhandled|FATAL ERROR|an answer was cut short/i

const run = promisify(execFile)

/** Returns the resident memory of a process in megabytes. */
export async function residentMb(pid: number): Promise<number> {
  const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(pid)])
  return Number(stdout.trim()) / 1024
}

const GROWTH_MB_MAX = 400

/**
 * Returns the growth of memory that is too much; undefined when it stays bounded. The first third fills caches and
 * compiles code; the smallest figure of a third is the one that garbage does not blur.
 */
export function growthProblem(samplesMb: readonly number[]): string | undefined {
  const third = Math.floor(samplesMb.length / 3)
  if (third === 0) return undefined
  const [early, late] = [Math.min(...samplesMb.slice(0, third)), Math.min(...samplesMb.slice(-third))]
  if (late - early <= GROWTH_MB_MAX) return undefined
  return `memory grew from ${Math.round(early)} MB to ${Math.round(late)} MB`
}
