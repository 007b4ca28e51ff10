import { expect, it } from 'vitest'
import { createFailpoint, FAILPOINTS, noFailpoint } from './failpoints.ts'

it('ends at the named place alone, the named time alone', () => {
  let ends = 0
  const failpoint = createFailpoint('intake.committed', 3, () => {
    ends += 1
  })
  for (const name of FAILPOINTS)
    if (name !== 'intake.committed') for (let i = 0; i < 5; i += 1) failpoint(name)
  failpoint('intake.committed')
  failpoint('intake.committed')
  expect(ends).toBe(0)
  failpoint('intake.committed')
  expect(ends).toBe(1)
  failpoint('intake.committed')
  expect(ends).toBe(1)
})

it('does nothing where none is set', () => {
  for (const name of FAILPOINTS) expect(noFailpoint(name)).toBeUndefined()
})
