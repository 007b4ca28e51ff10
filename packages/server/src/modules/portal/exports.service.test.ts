import { describe, expect, it } from 'vitest'
import type { ExportFile, Exports } from './exports.service.ts'
import { createExports } from './exports.service.ts'

const OWNER = { id: 1n, account: '1000001' }

function fileOf(pages: () => AsyncIterable<readonly string[]>): ExportFile<string> {
  return { name: 'things', days: { from: 0, to: 1 }, columns: ['thing'], pages, cells: (row) => [row] }
}

async function rows(exports: Exports, owner: typeof OWNER, pages: () => AsyncIterable<readonly string[]>) {
  const { body } = await exports.begin(owner, fileOf(pages))
  return (body as AsyncIterable<Buffer>)[Symbol.asyncIterator]()
}

async function* endless(read: { count: number }): AsyncGenerator<readonly string[]> {
  for (;;) {
    read.count += 1
    yield ['x']
  }
}

describe('an export', () => {
  it('reads its first page at once, and each other when it is asked for it', async () => {
    const read = { count: 0 }
    const file = await rows(createExports(), OWNER, () => endless(read))
    expect(read.count).toBe(1)
    await file.next()
    await file.next()
    expect(read.count).toBe(1)
    await file.next()
    await file.next()
    expect(read.count).toBe(3)
    await file.return?.()
  })

  it('has its header line, and each row once', async () => {
    async function* pages() {
      yield ['a', 'b']
      yield ['c']
    }
    const { body } = await createExports().begin(OWNER, fileOf(pages))
    const pieces: Buffer[] = []
    for await (const piece of body as AsyncIterable<Buffer>) pieces.push(piece)
    expect(Buffer.concat(pieces).toString()).toBe('thing\r\na\r\nb\r\nc\r\n')
  })

  it('is one of two of an account from its beginning on, and its place is free when it ends or is given up', async () => {
    const exports = createExports()
    const begin = () => rows(exports, OWNER, () => endless({ count: 0 }))
    const [one, two] = [await begin(), await begin()]
    await expect(begin()).rejects.toMatchObject({ status: 429 })
    const other = await rows(exports, { id: 2n, account: '1000002' }, () => endless({ count: 0 }))
    await other.next()
    // Nobody has begun to read it.
    await one.return?.()
    await one.return?.()
    const three = await begin()
    await three.next()
    await expect(begin()).rejects.toMatchObject({ status: 429 })
    await Promise.all([two, three, other].map((each) => each.return?.()))
    expect(exports.underway).toBe(0)
  })

  it('that cannot be read at all is no file, and holds no place', async () => {
    const exports = createExports()
    const file = rows(exports, OWNER, () => {
      throw new Error('the database is gone')
    })
    await expect(file).rejects.toThrow('gone')
    expect(exports.underway).toBe(0)
  })

  it('that cannot be read further ends in its error', async () => {
    const exports = createExports()
    const file = await rows(exports, OWNER, async function* () {
      yield ['x']
      throw new Error('the database is gone')
    })
    await file.next()
    await file.next()
    await expect(file.next()).rejects.toThrow('gone')
    expect(exports.underway).toBe(0)
  })

  it('that is given up ends the reading of its pages, even before it has begun', async () => {
    let isEnded = false
    const file = await rows(createExports(), OWNER, async function* () {
      try {
        yield ['x']
        yield ['y']
      } finally {
        isEnded = true
      }
    })
    await file.return?.()
    expect(isEnded).toBe(true)
  })
})
