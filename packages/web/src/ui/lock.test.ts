import { expect, it } from 'vitest'
import { createLock } from './lock.ts'

it('a lock refuses a second caller in the same moment, and lets the next one in once it is free', () => {
  const lock = createLock()
  expect([lock.take(), lock.take(), lock.take()]).toEqual([true, false, false])
  lock.free()
  expect([lock.take(), lock.take()]).toEqual([true, false])
})

it('two locks do not hold each other', () => {
  const [one, other] = [createLock(), createLock()]
  expect([one.take(), other.take()]).toEqual([true, true])
})
