import type { Api } from '../recording.ts'
import type { FuzzCase } from './cases.ts'
import type { Input } from './corpus.ts'

/** Broken rule, with the request or other input that broke it where there is one. */
export type Finding = {
  readonly problem: string
  readonly fuzzCase?: FuzzCase
  readonly input?: Input
  /** Beginning of the answer. */
  readonly answer?: string
}

type Counted = { readonly name: string; readonly group: string; successes: readonly number[] | undefined }

/** Counts of answers by operation, and everything that was found. */
export type Recorder = {
  /** Names an operation, and the statuses below 300 that it may give. */
  expect(group: Api, name: string, successes: readonly number[]): void
  count(group: string, name: string, result: number | string): void
  find(finding: Finding): void
  readonly findings: readonly Finding[]
  requests(): number
  /** Lists operations that never gave an answer below 300. */
  unreached(): string[]
  /** Prints a line for each operation: its name, and how often it gave each answer. */
  table(): string
}

/** Result of a step before a request that could not be made: no input of its own. */
export const UNPREPARED = 'unprepared'

/** Findings of one kind are alike: the first few tell everything. */
const ALIKE_MAX = 3
const FINDINGS_MAX = 300

export function createRecorder(onFinding: (finding: Finding) => void): Recorder {
  const counted = new Map<string, Counted>()
  const counts = new Map<string, Map<string, number>>()
  const findings: Finding[] = []
  const alike = new Map<string, number>()

  function keyOf(group: string, name: string): string {
    const key = `${group} ${name}`
    if (!counted.has(key)) counted.set(key, { name, group, successes: undefined })
    return key
  }

  return {
    findings,
    expect(group, name, successes) {
      const entry = counted.get(keyOf(group, name))
      if (entry !== undefined) entry.successes = successes
    },
    count(group, name, result) {
      const key = keyOf(group, name)
      const own = counts.get(key) ?? new Map<string, number>()
      own.set(String(result), (own.get(String(result)) ?? 0) + 1)
      counts.set(key, own)
    },
    find(finding) {
      const kind = `${finding.fuzzCase?.operation} ${finding.problem.slice(0, 120)}`
      const times = (alike.get(kind) ?? 0) + 1
      alike.set(kind, times)
      if (times > ALIKE_MAX || findings.length >= FINDINGS_MAX) return
      findings.push(finding)
      onFinding(finding)
    },
    requests: () =>
      [...counts.values()].reduce(
        (sum, own) =>
          sum + [...own].reduce((all, [result, times]) => all + (result === UNPREPARED ? 0 : times), 0),
        0,
      ),
    unreached: () =>
      [...counted]
        .filter(([key, { successes }]) => {
          const statuses = [...(counts.get(key)?.keys() ?? [])]
          return (
            successes !== undefined && successes.length > 0 && !statuses.some((each) => /^2\d\d$/.test(each))
          )
        })
        .map(([key]) => key),
    table: () =>
      [...counted]
        .map(([key, { group, name }]) => {
          const own = [...(counts.get(key) ?? [])].sort().map(([result, times]) => `${result}×${times}`)
          return `${group.padEnd(10)} ${name.padEnd(34)} ${own.join(' ')}`
        })
        .join('\n'),
  }
}
