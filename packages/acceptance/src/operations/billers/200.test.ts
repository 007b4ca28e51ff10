import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Demo, Reader } from '../../catalog.ts'
import { openDemo } from '../../catalog.ts'
import { expectEdgeHeaders } from '../../edge.ts'
import { send } from '../../http.ts'
import { billersShape } from '../../shapes.ts'
import { getTokens } from '../../tokens.ts'

const PATH = '/v1/billpay/billers'
const BILLER_COUNT = 21_500

type Biller = {
  biller_code: string
  display_name: string
  description: string | null
  min: string
  max: string
  suggested_category: string | null
}
type Billers = {
  message: string
  data: Biller[]
  links: { first: string; last: string; prev: string | null; next: string | null }
  meta: {
    current_page: number
    from: number | null
    last_page: number
    path: string
    per_page: number
    to: number | null
    total: number
  }
}

let demo: Demo
let first: Reader
let all: Billers

beforeAll(async () => {
  demo = await openDemo()
  first = demo.first
  all = await billers('')
})

afterAll(() => demo?.end())

async function billers(query: string): Promise<Billers> {
  const answer = await first.get(`${PATH}${query && `?${query}`}`)
  expect(answer.status, answer.text.slice(0, 200)).toBe(200)
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  expectEdgeHeaders(answer)
  return answer.json<Billers>()
}

/** Follows a link as a client does: requests its address, signed anew. */
function follow(link: string | null): Promise<Billers> {
  const url = new URL(link ?? '')
  expect(url.origin).toBe(demo.service.baseUrl)
  expect(url.pathname).toBe(PATH)
  return billers(url.search.slice(1))
}

function codes({ data }: Billers): string[] {
  return data.map((biller) => biller.biller_code)
}

describe('a list without a limit', () => {
  it('is the whole list in one piece, in the form of the contract', () => {
    expect(billersShape(all, 'billers')).toEqual([])
    expect(new Set(codes(all)).size).toBe(BILLER_COUNT)
    expect(all.meta).toEqual({
      current_page: 1,
      from: 1,
      last_page: 1,
      path: `${demo.service.baseUrl}${PATH}`,
      per_page: BILLER_COUNT,
      to: BILLER_COUNT,
      total: BILLER_COUNT,
    })
    expect(all.links).toMatchObject({ prev: null, next: null })
  })

  it('stays in one piece when a page is named: pages go with a limit', async () => {
    expect((await billers('page=3')).data).toHaveLength(BILLER_COUNT)
  })

  it('says what the options of bill payment say, in the same order', async () => {
    const { items } = await first.options('product_code=BILLPAY&field_id=biller&limit=25000')
    const expected = items.map(({ code, label, description, min_amount, max_amount }) => [
      code,
      label,
      description ?? null,
      min_amount?.amount ?? '-1',
      max_amount?.amount ?? '-1',
    ])
    const listed = all.data.map((each) => [
      each.biller_code,
      each.display_name,
      each.description,
      each.min,
      each.max,
    ])
    expect(listed).toEqual(expected)
  })

  it('has billers without a limit and without a category', () => {
    expect(all.data.some((biller) => biller.min === '-1')).toBe(true)
    expect(all.data.some((biller) => biller.max === '-1')).toBe(true)
    expect(all.data.some((biller) => biller.suggested_category === null)).toBe(true)
  })
})

describe('pages', () => {
  it('follow each other by their links and hold each biller once, first to last', async () => {
    const seen: string[] = []
    let page = await billers('limit=7000')
    expect(page.links.prev).toBeNull()
    for (let number = 1; ; number += 1) {
      expect(billersShape(page, 'billers')).toEqual([])
      expect(page.meta).toMatchObject({
        current_page: number,
        from: seen.length + 1,
        last_page: 4,
        per_page: 7_000,
        to: seen.length + page.data.length,
        total: BILLER_COUNT,
      })
      seen.push(...codes(page))
      if (page.links.next === null) break
      page = await follow(page.links.next)
    }
    expect(page.meta.current_page).toBe(4)
    expect(seen).toEqual(codes(all))
    expect(await follow(page.links.last)).toEqual(page)
    expect((await follow(page.links.prev)).meta.current_page).toBe(3)
    expect((await follow(page.links.first)).meta.current_page).toBe(1)
  })

  it('past the end are empty, and the way back leads to the last', async () => {
    const past = await billers('limit=100&page=300')
    expect(past.data).toEqual([])
    expect(past.meta).toMatchObject({
      current_page: 300,
      from: null,
      last_page: 215,
      per_page: 100,
      to: null,
      total: BILLER_COUNT,
    })
    expect(past.links.next).toBeNull()
    expect((await follow(past.links.prev)).meta.current_page).toBe(215)
  })

  it('may be larger than the list, and as small as one', async () => {
    const whole = await billers('limit=25000')
    expect(whole.data).toEqual(all.data)
    expect(whole.meta).toMatchObject({ per_page: 25_000, last_page: 1, to: BILLER_COUNT })
    const last = await billers('limit=1&page=21500')
    expect(last.data).toEqual(all.data.slice(-1))
    expect(last.links.next).toBeNull()
  })
})

describe('filters', () => {
  it('biller_code gives that biller alone, or nothing', async () => {
    const wanted = all.data[12_345]
    const found = await billers(`biller_code=${wanted?.biller_code}`)
    expect(found.data).toEqual([wanted])
    expect(found.meta).toMatchObject({ total: 1, from: 1, to: 1, last_page: 1 })
    const none = await billers('biller_code=0')
    expect(none.data).toEqual([])
    expect(none.meta).toMatchObject({ total: 0, from: null, to: null, last_page: 1 })
    expect(none.links).toMatchObject({ prev: null, next: null })
  })

  it('suggested_category gives the billers of that category, each category by itself', async () => {
    const categories = new Set(all.data.flatMap((biller) => biller.suggested_category ?? []))
    expect(categories.size).toBeGreaterThan(3)
    for (const category of categories) {
      const found = await billers(new URLSearchParams({ suggested_category: category }).toString())
      expect(found.data).toEqual(all.data.filter((biller) => biller.suggested_category === category))
      expect(found.meta.total).toBe(found.data.length)
    }
    expect((await billers('suggested_category=null')).data).toEqual([])
    expect((await billers('suggested_category=education')).data).toEqual([])
  })

  it('stay in the links of pages', async () => {
    const [category] = all.data.flatMap((biller) => biller.suggested_category?.match(/.+ .+/) ?? [])
    const query = new URLSearchParams({ limit: '5', suggested_category: category ?? '' })
    const page = await follow((await billers(query.toString())).links.next)
    expect(page.meta).toMatchObject({ current_page: 2, per_page: 5 })
    expect(page.data.map((biller) => biller.suggested_category)).toEqual(Array(5).fill(category))
  })

  it('go together', async () => {
    const wanted = all.data.find((biller) => biller.suggested_category !== null)
    const query = { biller_code: wanted?.biller_code ?? '', suggested_category: 'Elsewhere' }
    expect((await billers(new URLSearchParams(query).toString())).data).toEqual([])
  })
})

describe('permission to ask', () => {
  it('the holder of a bearer token, who gets the same as with signed headers', async () => {
    const { IdToken } = await getTokens(demo.service, first)
    const headers = { Authorization: `Bearer ${IdToken}` }
    const { baseUrl } = demo.service
    const answer = await send({ baseUrl, path: `${PATH}?limit=3`, headers })
    expect(answer.status).toBe(200)
    expect(answer.text).toBe((await first.get(`${PATH}?limit=3`)).text)
  })

  it('every reseller, who gets its own list', async () => {
    const [code] = codes(all)
    const whose = ['--reseller', demo.second.account, '--product', 'BILLPAY', '--option', code ?? '']
    await demo.service.warungd('overlay', 'set', ...whose, '--off')
    await expect
      .poll(async () => (await demo.second.get(`${PATH}?biller_code=${code}`)).json<Billers>().data)
      .toEqual([])
    expect((await billers(`biller_code=${code}`)).data).toHaveLength(1)
    expect((await demo.second.get(PATH)).json<Billers>().meta.total).toBe(BILLER_COUNT - 1)
  })
})
