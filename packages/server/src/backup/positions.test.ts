import { expect, it } from 'vitest'
import { formatPosition, parseHistory, parsePosition, parseSegmentName, segmentName } from './positions.ts'
import { parseSize } from './replication.ts'

const SEGMENT = 16_777_216

it('positions are read and written as the server writes them', () => {
  expect(parsePosition('16/B374D848')).toBe(0x16b374d848n)
  expect(formatPosition(0x16b374d848n)).toBe('16/B374D848')
  expect(formatPosition(0n)).toBe('0/0')
  expect(() => parsePosition('16')).toThrow('no position')
})

it('segments have the names that the server gives them', () => {
  const number = parsePosition('16/B374D848') / BigInt(SEGMENT)
  expect(segmentName({ timeline: 3, number }, SEGMENT)).toBe('0000000300000016000000B3')
  expect(parseSegmentName('0000000300000016000000B3', SEGMENT)).toEqual({ timeline: 3, number })
  expect(parseSegmentName('00000003.history', SEGMENT)).toBeUndefined()
  expect(parseSegmentName('0000000300000016000000B3.partial', SEGMENT)).toBeUndefined()
})

it('a history names the timelines before, with their ends', () => {
  const text = '1\t0/3000158\tno recovery target specified\n\n2\t0/5000000\tbefore 2026-11-16 06:00:00+00\n'
  expect(parseHistory(text)).toEqual([
    { timeline: 1, endsAt: 0x3000158n },
    { timeline: 2, endsAt: 0x5000000n },
  ])
})

it('sizes are read as the server shows them', () => {
  expect(parseSize('16MB')).toBe(SEGMENT)
  expect(parseSize('1GB')).toBe(1_073_741_824)
  expect(() => parseSize('many')).toThrow('no size')
})
