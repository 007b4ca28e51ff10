import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { DEEP, deal, listDeep, printTimes, ROOT } from './tiers.ts'

describe('the deep tier', () => {
  it('names files that exist, each once and with a reason', () => {
    const files = listDeep()
    expect(files.filter((path) => !existsSync(`${ROOT}${path}`))).toEqual([])
    expect(new Set(files).size).toBe(files.length)
    expect(DEEP.filter(({ reason, files: entries }) => reason === '' || entries.length === 0)).toEqual([])
  })

  it('an entry without a test is an error', () => {
    expect(DEEP.flatMap(({ files }) => files).filter((entry) => listDeep([entry]).length === 0)).toEqual([])
  })

  it('is dealt out so that each file has its day', () => {
    const files = Array.from({ length: 40 }, (_, index) => `${index}.test.ts`)
    const times = new Map(files.map((path, index) => [path, index]))
    const parts = deal(files, times, 100)
    expect(parts).toHaveLength(8)
    expect(parts.flat().sort()).toEqual([...files].sort())
    const sums = parts.map((part) => part.reduce((sum, path) => sum + (times.get(path) ?? 0), 0))
    expect(Math.max(...sums) - Math.min(...sums)).toBeLessThan(40)
  })

  it('the table of times has the slowest file first', () => {
    expect(
      printTimes(
        new Map([
          ['a', 1],
          ['b', 2.26],
          ['c', 1],
        ]),
      ),
    ).toBe('path,seconds\nb,2.3\na,1.0\nc,1.0\n')
  })
})
