import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBooks } from './books.service.ts'
import type { SimulatedOrder } from './types.ts'

let directory: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'warung-simulator-books-'))
})

afterAll(() => rm(directory, { recursive: true, force: true }))

function order(reference: string, changes: Partial<SimulatedOrder> = {}): SimulatedOrder {
  return {
    reference,
    productCode: 'NOVA',
    account: '60198765432',
    amount: 100_000n,
    faceValue: 100_000n,
    subproductCode: null,
    billerCode: null,
    ref2: null,
    fulfilment: 'plain',
    ...changes,
  }
}

describe('the books', () => {
  it('take an order in once, count every arrival and list in the order of arrival', () => {
    let nowMs = 1_000
    const books = openBooks({ nowMs: () => nowMs })
    books.receive(order('a'))
    nowMs = 2_000
    books.receive(order('b'))
    expect(books.receive(order('a'))).toMatchObject({ receivedAt: new Date(1_000), timesReceived: 2 })
    expect(books.list(0, 10).map((entry) => entry.order.reference)).toEqual(['a', 'b'])
    expect(books.list(1, 10).map((entry) => entry.order.reference)).toEqual(['b'])
    expect(books.list(0, 1).map((entry) => entry.order.reference)).toEqual(['a'])
  })

  it.each([
    { productCode: 'KITA' },
    { account: '60198765433' },
    { amount: 100_001n },
    { faceValue: 100_001n },
    { subproductCode: 'P8' },
    { billerCode: '1001' },
    { ref2: 'x' },
    { fulfilment: 'pin' as const },
  ])('see a conflict in %o under a reference that is taken, and change nothing', (changes) => {
    const books = openBooks()
    books.receive(order('a'))
    expect(books.receive(order('a', changes))).toBe('conflict')
    expect(books.find('a')).toMatchObject({ order: order('a'), timesReceived: 1 })
  })

  it('take no more than they can hold, and still know what they hold', () => {
    const books = openBooks({ ordersMax: 1 })
    books.receive(order('a'))
    expect(() => books.receive(order('b'))).toThrow('take no more')
    expect(books.find('b')).toBeUndefined()
    expect(books.receive(order('a'))).toMatchObject({ timesReceived: 2 })
  })
})

describe('books in a file', () => {
  it('are the same when they are opened again, and are their owner’s alone', async () => {
    const file = join(directory, 'again.jsonl')
    const first = openBooks({ file })
    first.receive(order('a', { ref2: 'päper', fulfilment: 'pin' }))
    first.receive(order('b'))
    first.receive(order('a', { ref2: 'päper', fulfilment: 'pin' }))
    first.recordVoid('b')
    first.recordVoid('b')
    const kept = first.list(0, 10)
    first.close()
    const second = openBooks({ file })
    expect(second.list(0, 10)).toEqual(kept)
    expect(second.receive(order('b', { amount: 1n }))).toBe('conflict')
    second.close()
    expect((await readFile(file, 'utf8')).match(/voided/g)).toHaveLength(1)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
  })

  it('cut off in the middle of a line go on behind the last whole one', async () => {
    const file = join(directory, 'torn.jsonl')
    const first = openBooks({ file })
    first.receive(order('a'))
    first.close()
    await appendFile(file, '{"event":"received","at":"2026-')
    const second = openBooks({ file })
    second.receive(order('b'))
    second.close()
    const third = openBooks({ file })
    expect(third.list(0, 10).map((entry) => entry.order.reference)).toEqual(['a', 'b'])
    third.close()
  })

  it.each([
    'not JSON',
    '{"event":"received","order":{}}',
    '{"event":"again","reference":"a"}',
    '{"event":"?"}',
  ])('books in a file with the line %j are not opened', async (line) => {
    const file = join(directory, 'broken.jsonl')
    await writeFile(file, `${line}\n`)
    expect(() => openBooks({ file })).toThrow('line 1')
  })
})
