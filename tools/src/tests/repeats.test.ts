import { describe, expect, it } from 'vitest'
import { repeatable, unsteadyNotice } from './repeats.ts'

const failure = (file: string) => ({
  file,
  tests: [{ name: 'pays once', error: 'expected 1 to be 2\nat line 3' }],
})
const acceptance = (name: string) => failure(`packages/acceptance/src/${name}.test.ts`)

describe('failed test files', () => {
  it('a few that wait for processes run again', () => {
    expect(repeatable([acceptance('a'), failure('packages/server/src/db/b.crash.test.ts')])).toEqual([
      'packages/acceptance/src/a.test.ts',
      'packages/server/src/db/b.crash.test.ts',
    ])
  })

  it('none runs again when many failed', () => {
    expect(repeatable(['a', 'b', 'c', 'd'].map(acceptance))).toEqual([])
  })

  it('none runs again when one of them depends on nothing but its code', () => {
    expect(repeatable([acceptance('a'), failure('packages/server/src/lib/money.test.ts')])).toEqual([])
  })

  it('a property test never runs again, because its next run has other data', () => {
    expect(repeatable([acceptance('orders.property')])).toEqual([])
    expect(repeatable([failure('packages/server/src/db/b.property.test.ts')])).toEqual([])
  })

  it('the notice names the file, the test and its first failure', () => {
    const notice = unsteadyNotice([acceptance('a')])
    for (const text of ['UNSTEADY', 'packages/acceptance/src/a.test.ts', 'pays once', 'expected 1 to be 2']) {
      expect(notice).toContain(text)
    }
  })
})
