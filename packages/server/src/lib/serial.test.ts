import { expect, it } from 'vitest'
import { createSerial } from './serial.ts'

function held() {
  let release: () => void = () => {}
  const until = new Promise<void>((resolve) => {
    release = resolve
  })
  return { until, release: () => release() }
}

it('two never run at once, and each has its own result', async () => {
  const turn = createSerial(10)
  let running = 0
  let most = 0
  const results = await Promise.all(
    [1, 2, 3].map((each) =>
      turn(async () => {
        running += 1
        most = Math.max(most, running)
        await new Promise((resolve) => setImmediate(resolve))
        running -= 1
        return each
      }),
    ),
  )
  expect(results).toEqual([1, 2, 3])
  expect(most).toBe(1)
})

it('a task that fails does not hold up the next', async () => {
  const turn = createSerial(10)
  const failed = turn(() => Promise.reject(new Error('no')))
  const next = turn(async () => 'yes')
  await expect(failed).rejects.toThrow('no')
  expect(await next).toBe('yes')
})

it('beyond the line one is told to come back, and is let in when the line is shorter', async () => {
  const turn = createSerial(1)
  const gate = held()
  const running = turn(() => gate.until)
  const waiting = turn(async () => 'waited')
  await expect(turn(async () => 'too many')).rejects.toMatchObject({ status: 503 })
  gate.release()
  await running
  expect(await waiting).toBe('waited')
  expect(await turn(async () => 'later')).toBe('later')
})

it('work for which nobody waits any longer when its turn comes is not begun', async () => {
  const turn = createSerial(10)
  const gate = held()
  let isAwaited = true
  let begun = 0
  const running = turn(() => gate.until)
  const late = turn(
    async () => {
      begun += 1
    },
    () => isAwaited,
  )
  isAwaited = false
  gate.release()
  await running
  await expect(late).rejects.toMatchObject({ status: 503 })
  expect(begun).toBe(0)
  expect(await turn(async () => 'next')).toBe('next')
})
