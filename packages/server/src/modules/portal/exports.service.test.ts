import { describe, expect, it } from 'vitest'
import type { ExportFile, Exports } from './exports.service.ts'
import { createExports } from './exports.service.ts'

const OWNER = { id: 1n, account: '1000001' }

function fileOf(pages: () => AsyncIterable<readonly string[]>): ExportFile<string> {
  return { name: 'things', days: { from: 0, to: 1 }, columns: ['thing'], pages, cells: (row) => [row] }
}

function rows(exports: Exports, owner: typeof OWNER, pages: () => AsyncIterable<readonly string[]>) {
  return (exports.begin(owner, fileOf(pages)).body as AsyncIterable<Buffer>)[Symbol.asyncIterator]()
}

async function* endless(read: { count: number }): AsyncGenerator<readonly string[]> {
  for (;;) {
    read.count += 1
    yield ['x']
  }
}

describe('an export', () => {
  it('reads a page when it is asked for it, and no further than that', async () => {
    const read = { count: 0 }
    const file = rows(createExports(), OWNER, () => endless(read))
    await file.next()
    expect(read.count).toBe(0)
    await file.next()
    await file.next()
    expect(read.count).toBe(2)
    await file.return?.()
  })

  it('is one of two of an account, and its place is free when it ends or is given up', async () => {
    const exports = createExports()
    const begin = () => rows(exports, OWNER, () => endless({ count: 0 }))
    const [one, two] = [begin(), begin()]
    await Promise.all([one.next(), two.next()])
    expect(() =>
      exports.begin(
        OWNER,
        fileOf(() => endless({ count: 0 })),
      ),
    ).toThrow(expect.objectContaining({ status: 429 }))
    const other = rows(exports, { id: 2n, account: '1000002' }, () => endless({ count: 0 }))
    await other.next()
    await one.return?.()
    const three = begin()
    await three.next()
    await Promise.all([two, three, other].map((each) => each.return?.()))
    expect(exports.underway).toBe(0)
  })

  it('that cannot be read further ends in its error', async () => {
    const exports = createExports()
    const file = rows(exports, OWNER, () => {
      throw new Error('the database is gone')
    })
    await file.next()
    await expect(file.next()).rejects.toThrow('gone')
    expect(exports.underway).toBe(0)
  })
})
