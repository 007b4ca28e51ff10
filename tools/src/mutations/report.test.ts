import { expect, test } from 'vitest'
import type { Mutant, Verdict } from './plan.ts'
import { judgeMutants, renderMutant, renderScore } from './report.ts'

const MUTANT: Mutant = {
  id: 1,
  key: 'a',
  start: 0,
  end: 5,
  tests: [],
  path: 'a.ts',
  domain: 'wallet',
  layer: 'rules',
  line: 3,
  column: 5,
  lineText: 'if (a < b) c()',
  original: 'a < b',
  replacement: 'a <= b',
  verdict: 'survived',
}
const EXPLANATION = {
  file: 'a.ts',
  line: 'if (a < b) c()',
  original: 'a < b',
  mutant: 'a <= b',
  reason: 'why',
}

test('a surviving mutant is named with its place and its change', () => {
  const { judged } = judgeMutants([MUTANT], [])
  expect(judged.map(({ state }) => state)).toEqual(['survived'])
  expect(renderMutant(MUTANT)).toBe('a.ts:3:5  a < b → a <= b')
})

test('an explanation covers the mutant of its line alone', () => {
  const other = { ...MUTANT, lineText: 'while (a < b) c()' }
  const { judged, unused } = judgeMutants([MUTANT, other], [EXPLANATION])
  expect(judged.map(({ state }) => state)).toEqual(['explained', 'survived'])
  expect(unused).toEqual([])
})

test('an explanation of a mutant that a test notices is reported', () => {
  const { unused } = judgeMutants([{ ...MUTANT, verdict: 'killed' }], [EXPLANATION])
  expect(unused).toEqual([EXPLANATION])
})

test('a score counts the noticed among the decided; an invalid change is no mutant', () => {
  const scoreOf = (verdicts: readonly (Verdict | undefined)[]) =>
    renderScore(
      judgeMutants(
        verdicts.map((verdict) => ({ ...MUTANT, verdict })),
        [],
      ).judged,
    )
  const decided = ['killed', 'timeout', 'killed', 'survived', 'invalid'] as const
  expect(scoreOf(decided)).toContain('| wallet | rules | 4 | 3 | 0 | 1 | 0 | 75.0 % |')
  expect(scoreOf([...decided, undefined])).toContain('| wallet | rules | 5 | 3 | 0 | 1 | 1 | open |')
})
