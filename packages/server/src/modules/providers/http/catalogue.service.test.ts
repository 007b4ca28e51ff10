import { describe, expect, it } from 'vitest'
import { connectList, get, readAll } from '../../../testing/providers/lists.ts'

const never = new AbortController().signal

describe('a page', () => {
  const offers = get('/offers', {
    query: { offset: '{{page}}' },
    pages: { type: 'offset', size: 10, total: 'total' },
    wait_ms: 60_000,
    response: { list: 'list', reason: 'message', offer: { code: 'id', name: 'name' } },
  })

  it('is asked for again later when the supplier refuses it, in its words and not before its time', async () => {
    const { list } = await connectList(offers, () => ({
      status: 429,
      headers: { 'Retry-After': '90' },
      body: { message: 'too often with the-key-4711' },
    }))
    expect(await list.readPage(null, never)).toEqual({
      kind: 'unavailable',
      reason: 'the supplier gave a reason that holds a secret',
      retryAfterMs: 90_000,
    })
  })

  it.each<[string, unknown, string]>([
    ['no list', { message: 'closed' }, 'the answer has no list: closed'],
    ['no JSON', '{"list":[{]}', 'the answer is not JSON'],
    ['an end before its end', { total: 5, list: [] }, 'the list ended before its end'],
  ])('with %s is no page', async (_, body, reason) => {
    const { list } = await connectList(offers, () => ({ body }))
    expect(await list.readPage(null, never)).toEqual({ kind: 'unavailable', reason, retryAfterMs: 60_000 })
  })

  it('goes on behind the entries that came, however many were asked for', async () => {
    const { list, asked } = await connectList(offers, (url) => ({
      body: {
        total: 5,
        list: url.endsWith('=0') ? [{ id: 1 }, { id: 2 }, { id: 3 }] : [{ id: 4 }, { id: 5 }],
      },
    }))
    expect((await readAll(list)).offers).toHaveLength(5)
    expect(asked).toEqual(['/offers?offset=0', '/offers?offset=3'])
  })

  it('never shows a secret of ours', async () => {
    const { list } = await connectList(offers, () => ({
      body: { list: [{ id: 1, name: 'for the-key-4711' }, { id: 2 }] },
    }))
    const page = await list.readPage(null, never)
    expect(page).toMatchObject({ kind: 'page', offers: [{ code: '2' }], unread: ['an entry with a secret'] })
  })

  it('a page of 20,000 offers leaves room for other work', async () => {
    const list = Array.from({ length: 20_000 }, (_, id) => ({
      id: `offer-${id}`,
      name: 'An offer',
      price: 10.5,
      note: 'x'.repeat(200),
    }))
    const { list: catalogue } = await connectList(offers, () => ({ body: { total: 20_000, list } }))
    let longestMs = 0
    let lastMs = performance.now()
    const watch = setInterval(() => {
      longestMs = Math.max(longestMs, performance.now() - lastMs)
      lastMs = performance.now()
    }, 1)
    const page = await catalogue.readPage(null, never)
    clearInterval(watch)
    expect(page.kind === 'page' && page.offers.length).toBe(20_000)
    // A turn takes 10 ms; the supplier writes its answer in this process, too.
    expect(longestMs).toBeLessThan(1_000)
  })
})
