import { beforeAll, expect, it } from 'vitest'
import type { Demo } from '../../catalog.ts'
import { shareDemo } from '../../catalog.ts'
import { send } from '../../http.ts'

let demo: Demo

beforeAll(async () => {
  demo = await shareDemo()
})

/** Fetches a picture as a browser does: without credentials. */
function fetchPicture(url: string, headers: Record<string, string> = {}) {
  const { origin, pathname } = new URL(url)
  return send({ baseUrl: origin, path: pathname, headers })
}

it('every picture that the catalogue and the product list name is there, at the service itself', async () => {
  const { baseUrl } = demo.service
  const catalog = await demo.second.catalog('include_inactive=true')
  const list = (await demo.second.get('/v2/product-list')).json<{ data: { image_url: string }[] }>()
  const urls = new Set([
    ...Object.values(catalog.products).map((each) => (each as unknown as { image_url: string }).image_url),
    ...catalog.tree.groups.map((each) => each.icon_url),
    ...list.data.map((each) => each.image_url),
  ])
  expect(urls.size).toBeGreaterThan(60)
  for (const url of urls) {
    expect(url.startsWith(`${baseUrl}/images/`), url).toBe(true)
    const answer = await fetchPicture(url)
    expect(answer.status, url).toBe(200)
    expect(answer.headers['content-type']).toBe('image/svg+xml')
    expect(answer.text).toMatch(/^<svg xmlns=.*<\/svg>$/)
  }
})

it('may be kept for a day, is not sent again when it is known, and runs nothing', async () => {
  const url = `${demo.service.baseUrl}/images/products/NOVA.svg`
  const answer = await fetchPicture(url)
  expect(answer.headers).toMatchObject({
    'cache-control': 'public, max-age=86400',
    'content-security-policy': "default-src 'none'",
    'x-content-type-options': 'nosniff',
  })
  const again = await fetchPicture(url, { 'If-None-Match': String(answer.headers.etag) })
  expect(again.status).toBe(304)
  expect(again.text).toBe('')
})

it('tells nothing about products: any code has a picture, and nothing else has', async () => {
  expect((await fetchPicture(`${demo.service.baseUrl}/images/products/NOSUCH.svg`)).status).toBe(200)
  for (const path of [
    'products/NOVA.png',
    'resellers/NOVA.svg',
    'products/%3Cscript%3E.svg',
    'products/.svg',
  ]) {
    const answer = await send({ baseUrl: demo.service.baseUrl, path: `/images/${path}` })
    expect(answer.status, path).toBe(404)
    expect(answer.json()).toEqual({ message: expect.stringMatching(/\S/), errors: {} })
  }
})
