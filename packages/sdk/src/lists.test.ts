import { describe, expect, it } from 'vitest'
import { createClient } from './client.ts'
import { FeedGap } from './errors.ts'
import type { Received, Scripted } from './testing/service.ts'
import { fakeService } from './testing/service.ts'

function pages(answer: (query: URLSearchParams) => unknown): Scripted {
  return ({ query }: Received) => ({ status: 200, body: answer(new URLSearchParams(query)) })
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

describe('iterators', () => {
  it('walk by offset, and show a row once that a new payment moved to the next page', async () => {
    const rows = Array.from({ length: 5 }, (_, index) => ({ trxid: String(5 - index) }))
    const service = fakeService([
      pages((query) => {
        const offset = Number(query.get('offset'))
        // A payment was added after the first page: every row moved by one place.
        const shown = offset === 0 ? rows : [{ trxid: '6' }, ...rows]
        return { data: shown.slice(offset, offset + Number(query.get('limit'))), meta: {} }
      }),
    ])
    const client = createClient(service.settings)
    const found = await all(client.transactions({ date: '2026-01-01', limit: 2 }))
    expect(found.map(({ trxid }) => trxid)).toEqual(['5', '4', '3', '2', '1'])
  })

  it.each(['statement', 'options', 'billers'] as const)('walk by page: %s', async (name) => {
    const service = fakeService([
      pages((query) => {
        const page = Number(query.get('page'))
        const items = [{ id: page * 2 }, { id: page * 2 + 1 }]
        return { data: items, items, meta: { current_page: page, last_page: 3 } }
      }),
    ])
    const client = createClient(service.settings)
    const found = await all<unknown>(
      {
        statement: () => client.statement({ date: '2026-01-01' }),
        options: () => client.options({ product_code: 'NOVA', field_id: 'amount' }),
        billers: () => client.billers(),
      }[name](),
    )
    expect(found).toEqual([2, 3, 4, 5, 6, 7].map((id) => ({ id })))
    expect(service.received).toHaveLength(3)
  })

  it.each(['cases', 'callbackDeliveries', 'balanceWebhookDeliveries', 'catalogWebhookDeliveries'] as const)(
    'walk by cursor: %s',
    async (name) => {
      const service = fakeService([
        pages((query) => {
          const at = Number(query.get('cursor') ?? 0)
          const more = { cursor: at < 2 ? String(at + 1) : null, has_more: at < 2, hasMore: at < 2 }
          return { data: [{ at }], deliveries: [{ at }], ...more }
        }),
      ])
      expect(await all<unknown>(createClient(service.settings)[name]())).toEqual([
        { at: 0 },
        { at: 1 },
        { at: 2 },
      ])
    },
  )

  it('walk the feed up to now', async () => {
    const service = feed(5)
    const found = await all(createClient(service.settings).events({ after: 1, limit: 2 }))
    expect(found.map(({ sequence }) => sequence)).toEqual([2, 3, 4, 5])
  })

  it('fetch the options of a field with the values that it depends on', async () => {
    const service = fakeService([{ status: 200, body: { items: [], meta: { last_page: 1 } } }])
    const product = {
      code: 'EDULOAN',
      fields: [
        {
          id: 'loan_account',
          data_source: {
            params: {
              product_code: { static: 'EDULOAN' },
              field_id: { static: 'loan_account' },
              account_number: { from_field: 'ic' },
            },
          },
        },
      ],
    } as never
    const client = createClient(service.settings)
    await all(client.optionsFor(product, 'loan_account', { ic: '900101145678' }))
    expect(service.received[0]?.query).toContain('account_number=900101145678')
    expect(() => client.optionsFor(product, 'loan_account')).toThrow(/ic first/)
  })
})

/** Feed with events 1 to `last`. `first` is the oldest that is kept. */
function feed(last: number, first = 1) {
  return fakeService([
    pages((query) => {
      const after = Math.max(Number(query.get('after')), first - 1)
      const end = Math.min(after + Number(query.get('limit')), last)
      const data = Array.from({ length: Math.max(0, end - after) }, (_, index) => ({
        sequence: after + index + 1,
        id: `e${after + index + 1}`,
      }))
      return { data, next: data.at(-1)?.sequence ?? after, has_more: end < last }
    }),
  ])
}

describe('a follower', () => {
  /** Follows until `count` events were handled, with a process that may die before it saves. */
  async function follow(
    service: ReturnType<typeof feed>,
    saved: { cursor?: number },
    count: number,
    dies = false,
  ) {
    const handled: number[] = []
    const end = new AbortController()
    const store = {
      load: () => saved.cursor,
      save(sequence: number) {
        if (dies && handled.length === count) throw new Error('killed')
        saved.cursor = sequence
        if (handled.length === count) end.abort()
      },
    }
    const handle = ({ sequence }: { sequence: number }) => handled.push(sequence)
    const options = { store, handle, signal: end.signal, limit: 2 }
    await createClient(service.settings)
      .followEvents(options)
      .catch((error: unknown) => {
        if (!dies) throw error
      })
    return handled
  }

  it('handles every event in order and saves each', async () => {
    const saved: { cursor?: number } = {}
    expect(await follow(feed(5), saved, 5)).toEqual([1, 2, 3, 4, 5])
    expect(saved.cursor).toBe(5)
  })

  it('handles an event again after a crash between handling and saving, and loses none', async () => {
    const saved: { cursor?: number } = {}
    expect(await follow(feed(5), saved, 3, true)).toEqual([1, 2, 3])
    expect(saved.cursor).toBe(2)
    expect(await follow(feed(5), saved, 3)).toEqual([3, 4, 5])
  })

  it('begins with the oldest event that is kept', async () => {
    expect(await follow(feed(9, 8), {}, 2)).toEqual([8, 9])
  })

  it('stops loudly when events were lost while it was away', async () => {
    const error = await follow(feed(9, 8), { cursor: 3 }, 2).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(FeedGap)
    expect(error).toMatchObject({ after: 3, next: 8 })
  })

  it('waits out faults, longer each time, and stops at a refusal', async () => {
    const service = fakeService([
      'lost',
      'lost',
      'lost',
      'lost',
      { status: 403, body: { error: 'ip_blocked' } },
    ])
    const following = createClient(service.settings).followEvents({
      store: { load: () => 0, save: () => {} },
      handle: () => {},
      pauseMs: 1_000,
    })
    await expect(following).rejects.toMatchObject({ token: 'ip_blocked' })
    expect(service.waits.at(-1)).toBe(2_000)
  })

  it('ends at once when it is told to while the service does not answer', async () => {
    const end = new AbortController()
    const service = fakeService([
      () => {
        queueMicrotask(() => end.abort())
        return 'hang'
      },
    ])
    const store = { load: () => 0, save: () => {} }
    const options = { store, handle: () => {}, signal: end.signal }
    await createClient(service.settings).followEvents(options)
    expect(service.received).toHaveLength(1)
  })

  it('waits when it asks too often', async () => {
    const service = fakeService([{ status: 429 }, { status: 403, body: { error: 'ip_blocked' } }])
    const store = { load: () => 0, save: () => {} }
    const following = createClient(service.settings).followEvents({ store, handle: () => {}, pauseMs: 1_000 })
    await expect(following).rejects.toMatchObject({ token: 'ip_blocked' })
    expect(service.waits).toEqual([2_000])
  })
})
