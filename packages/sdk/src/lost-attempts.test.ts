import { describe, expect, it } from 'vitest'
import { createLostAttempts, LOST_ATTEMPTS_MAX } from './lost-attempts.ts'

describe('lost attempts', () => {
  it('are remembered by refid, the latest of each', () => {
    const lost = createLostAttempts()
    lost.note('A', 5)
    lost.note('A', 7)
    expect([lost.latest('A'), lost.latest('B')]).toEqual([7, 0])
  })

  it('are forgotten when many others came after them', () => {
    const lost = createLostAttempts()
    lost.note('A', 5)
    lost.note('B', 5)
    lost.note('A', 6)
    for (let index = 0; index < LOST_ATTEMPTS_MAX - 1; index += 1) lost.note(`C-${index}`, 7)
    expect([lost.latest('A'), lost.latest('B')]).toEqual([6, 0])
  })
})
