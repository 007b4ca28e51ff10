import { describe, expect, it } from 'vitest'
import { readResellerFile } from './reconcile-reader.service.ts'

const KIB = 1024
const SLICE_BYTES = 64 * KIB

async function* slicesOf(file: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < file.length; at += SLICE_BYTES) yield file.subarray(at, at + SLICE_BYTES)
}

/** Counts how often other work got a turn while the file was read. */
async function read(file: Buffer) {
  let turns = 0
  let isOver = false
  const tick = () => {
    turns += 1
    if (!isOver) setImmediate(tick)
  }
  setImmediate(tick)
  let lines = 0
  for await (const some of readResellerFile(slicesOf(file))) lines += some.length
  isOver = true
  return { turns, lines }
}

describe('a file of a megabyte', () => {
  it.each([
    ['quotes', '"', 1],
    ['separators', ',', 1],
    ['spaces', ' ', 1],
    ['line ends', '\n', 0],
    ['quotes and line ends', 'a"\n', Math.ceil(KIB * (KIB / 3))],
    ['short lines', 'x\n', KIB * (KIB / 2)],
  ])('a file of a megabyte of %s is read in turns with everything else', async (_, content, expected) => {
    const head = Buffer.from('refid,amount\n')
    const { turns, lines } = await read(Buffer.concat([head, Buffer.alloc(KIB * KIB, content)]))
    expect(lines).toBe(expected)
    expect(turns).toBeGreaterThanOrEqual((KIB * KIB) / (8 * KIB))
  })
})

it('pieces cut characters and records anywhere, and the lines are the same', async () => {
  const records = Array.from({ length: 5_000 }, (_, n) => `"é-${n}","1,000.00"\r\n`)
  const found: unknown[] = []
  const file = Buffer.from(`refid,amount\r\n${records.join('')}`)
  for await (const lines of readResellerFile(slicesOf(file))) found.push(...lines)
  expect(found).toHaveLength(5_000)
  expect(found[4_999]).toMatchObject({ line: 5_001, refid: 'é-4999', amount: 10_000_000n })
})
