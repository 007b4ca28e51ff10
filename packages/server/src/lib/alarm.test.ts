import { expect, it } from 'vitest'
import { createAlarm } from './alarm.ts'

const FOR_EVER_MS = 2_000_000_000

it('a sleep ends when it rings, and tells that from a time that passed', async () => {
  const alarm = createAlarm()
  const sleeping = alarm.sleep(FOR_EVER_MS)
  alarm.ring()
  expect(await sleeping).toBe(true)
  const held = setInterval(() => {}, 1_000)
  expect(await alarm.sleep(1)).toBe(false)
  clearInterval(held)
})

it('a ring while nobody sleeps is not kept for the next sleep', async () => {
  const alarm = createAlarm()
  alarm.ring()
  const held = setInterval(() => {}, 1_000)
  expect(await alarm.sleep(1)).toBe(false)
  clearInterval(held)
})

it('its end ends a pause, which a ring does not', async () => {
  const alarm = createAlarm()
  let isOver = false
  const pausing = alarm.pause(FOR_EVER_MS).then(() => {
    isOver = true
  })
  alarm.ring()
  await Promise.resolve()
  expect(isOver).toBe(false)
  alarm.end()
  await pausing
  expect(isOver).toBe(true)
})

it('its end ends a sleep', async () => {
  const alarm = createAlarm()
  const sleeping = alarm.sleep(FOR_EVER_MS)
  alarm.end()
  expect(await sleeping).toBe(true)
})
