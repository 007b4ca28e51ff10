import { expect, it } from 'vitest'
import { gatherBytes } from './gathering.ts'

it('pieces of every size come together in their order', () => {
  const gathered = gatherBytes()
  const whole = Buffer.from(Array.from({ length: 50_000 }, (_, at) => at % 251))
  let at = 0
  for (const length of [1, 0, 4_095, 1, 4_096, 20_000, 21_807]) {
    gathered.add(whole.subarray(at, at + length))
    at += length
  }
  expect(gathered.size()).toBe(50_000)
  expect(gathered.bytes().equals(whole)).toBe(true)
})

it('nothing at all is empty', () => {
  expect(gatherBytes().bytes()).toHaveLength(0)
})

it('held memory is at most twice what came, and no view of what it came from', () => {
  const gathered = gatherBytes()
  const read = Buffer.alloc(64 * 1_024)
  for (let at = 0; at < 100_000; at += 1) {
    const piece = read.subarray(at % read.length, (at % read.length) + 1)
    piece.fill('x')
    gathered.add(piece)
    piece.fill('y')
  }
  expect(gathered.bytes().equals(Buffer.alloc(100_000, 'x'))).toBe(true)
  expect(gathered.bytes().buffer.byteLength).toBeLessThanOrEqual(200_000)
})
