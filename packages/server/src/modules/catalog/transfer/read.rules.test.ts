import { describe, expect, it } from 'vitest'
import { collectProblems, readFiles } from './read.rules.ts'

function problemsOf(name: string, text: string): string[] {
  const problems = collectProblems([name])
  readFiles([{ name, bytes: Buffer.from(text) }], problems)
  return problems.list().map(({ message }) => message)
}

describe('a file that names its columns', () => {
  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    'a file that names its columns by %s has no such column',
    (name) => {
      expect(problemsOf('groups.csv', `code,${name}\nA,1\n`)).toContainEqual(
        expect.stringContaining(`groups have no column "${name}"`),
      )
      expect(problemsOf('a.json', `{"groups":[{"${name}":1}],"${name}":[]}`)).not.toEqual([])
    },
  )

  it('a file that names its columns by nothing but commas is refused in one sentence', () => {
    expect(problemsOf('groups.csv', ','.repeat(1_000_000))).toEqual(['names more than 200 columns'])
  })
})
