import { expect, it } from 'vitest'
import { nextPauseMs } from './receiver.ts'

it('the log is asked for again within seconds, however long the database was away', () => {
  const pauses = Array.from({ length: 20 }).reduce<number[]>(
    (made) => [...made, nextPauseMs(made.at(-1) ?? 1_000, 10)],
    [],
  )
  expect(pauses.slice(0, 3)).toEqual([2_000, 4_000, 5_000])
  expect(Math.max(...pauses)).toBe(5_000)
  expect(nextPauseMs(5_000, 3_600_000)).toBe(1_000)
})
