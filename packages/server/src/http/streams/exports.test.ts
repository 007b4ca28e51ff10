import { describe, expect, it } from 'vitest'
import type { ExportFile, Exports } from './exports.ts'
import { createExports } from './exports.ts'

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

/** Builds a promise and the function that resolves it. */
function hold() {
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  return { ended, end }
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
    // This file was never read.
    await one.return?.()
    await one.return?.()
    const three = await begin()
    await three.next()
    await expect(begin()).rejects.toMatchObject({ status: 429 })
    await Promise.all([two, three, other].map((each) => each.return?.()))
    expect(exports.underway).toBe(0)
  })

  it('takes turns with the others for each page: one of an account and two in all are read at a time', async () => {
    const exports = createExports()
    const reading = new Map<bigint, number>()
    let [atOnceMost, ofOneMost] = [0, 0]
    async function* pages(id: bigint) {
      for (let page = 0; page < 3; page += 1) {
        reading.set(id, (reading.get(id) ?? 0) + 1)
        atOnceMost = Math.max(
          atOnceMost,
          [...reading.values()].reduce((sum, each) => sum + each, 0),
        )
        ofOneMost = Math.max(ofOneMost, ...reading.values())
        await new Promise((resolve) => setImmediate(resolve))
        reading.set(id, (reading.get(id) ?? 0) - 1)
        yield ['x']
      }
    }
    const sent = [1n, 1n, 2n, 2n, 3n, 3n].map(async (id) => {
      const { body } = await exports.begin(
        { id, account: String(id) },
        fileOf(() => pages(id)),
      )
      let pieces = 0
      for await (const _ of body as AsyncIterable<Buffer>) pieces += 1
      return pieces
    })
    expect(await Promise.all(sent)).toEqual([4, 4, 4, 4, 4, 4])
    expect([atOnceMost, ofOneMost, exports.underway]).toEqual([2, 1, 0])
  })

  it('an export that is given up while it waits for its turn gives its place back at once, and is read no further', async () => {
    const exports = createExports()
    const [own, others] = [{ count: 0 }, { count: 0 }]
    const held = hold()
    async function* heldUp() {
      yield ['x']
      others.count += 1
      await held.ended
    }
    const one = await rows(exports, OWNER, heldUp)
    const two = await rows(exports, OWNER, () => endless(own))
    await one.next()
    await one.next()
    const last = one.next()
    await expect.poll(() => others.count).toBe(1)
    await two.next()
    await two.next()
    const waiting = two.next()
    waiting.catch(() => {})
    const given = two.return?.()
    expect(exports.underway).toBe(1)
    held.end()
    await expect(waiting).rejects.toMatchObject({ status: 503 })
    await given
    await last
    expect([own.count, exports.underway]).toEqual([1, 0])
  })

  it('an export whose reader has gone before its turn is not read', async () => {
    const exports = createExports()
    const [held, read] = [hold(), { count: 0 }]
    const one = rows(exports, OWNER, async function* () {
      await held.ended
      yield ['x']
    })
    const gone = exports.begin(
      OWNER,
      fileOf(() => endless(read)),
      () => false,
    )
    held.end()
    await expect(gone).rejects.toMatchObject({ status: 503 })
    await (await one).return?.()
    expect([read.count, exports.underway]).toEqual([0, 0])
  })

  it('an export that cannot be read at all is no file, and holds no place', async () => {
    const exports = createExports()
    const file = rows(exports, OWNER, () => {
      throw new Error('the database is gone')
    })
    await expect(file).rejects.toThrow('gone')
    expect(exports.underway).toBe(0)
  })

  it('an export that cannot be read further ends in its error', async () => {
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

  it('an export that is given up ends the reading of its pages, even before it has begun', async () => {
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
