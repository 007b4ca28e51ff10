import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { IncomingRequest, OperationOutput } from '../http/operation.ts'
import { checkoutPageOperations } from './checkout.ts'

const ORDER = 'ord_0123456789abcdefghjkmnpq'

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'warung-checkout-'))
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'page.html'), '<html lang="en"><script src="/checkout/page.js"></script></html>')
  writeFileSync(join(folder, 'page.js'), 'export {}')
  writeFileSync(join(folder, 'warung-checkout.js'), 'export {}')
  writeFileSync(join(folder, 'warung-checkout.js.br'), 'a twin')
  writeFileSync(join(folder, 'meta.map'), 'of no kind that browsers load')
  writeFileSync(join(folder, 'assets', 'icon-1.svg'), '<svg/>')
})

afterAll(() => rmSync(folder, { recursive: true }))

function operations(frames: readonly string[] | undefined) {
  return checkoutPageOperations({
    environment: 'staging',
    baseUrl: () => 'https://pay.example',
    framesOf: async (code) => (code === ORDER ? frames : undefined),
    files: pathToFileURL(`${folder}/`),
  })
}

async function get(
  path: string,
  { order = ORDER, frames = [] as readonly string[], headers = {} as Record<string, string> } = {},
): Promise<OperationOutput> {
  const found = operations(frames).find((each) => each.path === path)
  const input = { request: { headers } as unknown as IncomingRequest, params: { order } }
  return (await found?.handle(input as never)) as OperationOutput
}

function policyOf({ headers }: OperationOutput): string[] {
  return String(headers?.['Content-Security-Policy']).split('; ')
}

describe('the hosted page', () => {
  it('is the same for all orders, stored nowhere, and runs no script or style but its own files', async () => {
    const page = await get('/checkout/:order')
    expect(page.status).toBe(200)
    expect(String(page.body)).toMatch(/^<html data-environment="staging" lang="en">/)
    expect(page.headers).toMatchObject({ 'Referrer-Policy': 'no-referrer' })
    const policy = policyOf(page)
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "form-action 'none'",
        "base-uri 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
      ]),
    )
    expect(policy.join()).not.toContain('unsafe')
  })

  it('is framed by the sites that the account names, and by none if it names none', async () => {
    expect(policyOf(await get('/checkout/:order'))).toContain("frame-ancestors 'none'")
    const frames = ['https://shop.example', 'https://other.example:8443']
    expect(policyOf(await get('/checkout/:order', { frames }))).toContain(
      'frame-ancestors https://shop.example https://other.example:8443',
    )
  })

  it('a stored origin cannot add to the policy', async () => {
    const frames = [
      "https://x.example; script-src 'unsafe-inline'",
      'https://a.example *',
      'https://b.example',
    ]
    expect(policyOf(await get('/checkout/:order', { frames })).at(-3)).toBe(
      'frame-ancestors https://b.example',
    )
    expect(policyOf(await get('/checkout/:order', { frames })).join()).not.toContain('unsafe')
  })

  it.each([
    'ord_0000000000000000000000zz',
    'x',
    '..',
    'page.html',
    `${ORDER}\0`,
    "ord_'; drop table orders;--",
  ])('an order that is not there is a plain page with status 404: %j', async (order) => {
    const page = await get('/checkout/:order', { order })
    expect(page.status).toBe(404)
    expect(String(page.body)).toContain('There is no such order')
    expect(String(page.body)).not.toContain(order === 'x' ? '>x<' : order)
    expect(page.headers).toMatchObject({ 'Referrer-Policy': 'no-referrer' })
    expect(policyOf(page)).toContain("frame-ancestors 'none'")
  })
})

describe('the files of the checkout', () => {
  it('the script is for every site, compressed, and asked for again soon', async () => {
    const script = await get('/checkout/warung-checkout.js', { headers: { 'accept-encoding': 'gzip' } })
    expect(script.headers).toMatchObject({
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Cache-Control': 'public, max-age=300',
      'Content-Type': 'text/javascript; charset=utf-8',
      'Content-Encoding': 'gzip',
    })
    expect(gunzipSync(script.body as Buffer).toString()).toBe('export {}')
    const headers = { 'if-none-match': String(script.headers?.ETag) }
    expect((await get('/checkout/warung-checkout.js', { headers })).status).toBe(304)
  })

  it('the hash of the script is that of the bytes that are served', async () => {
    const { body } = await get('/checkout/integrity.json')
    expect(JSON.parse(String(body))).toEqual({
      url: 'https://pay.example/checkout/warung-checkout.js',
      integrity: 'sha384-VVxCXcxpOv0nZ/0YpxpNmvOMf1L1Hb6UQplg7as60Q+OX5995JTMkCby7S/OIk9s',
    })
  })

  it('only files that browsers load have an address, and no other site reads those of the page', async () => {
    const paths = operations([]).map(({ path }) => path)
    expect(paths.sort()).toEqual([
      '/checkout/:order',
      '/checkout/assets/icon-1.svg',
      '/checkout/integrity.json',
      '/checkout/page.js',
      '/checkout/warung-checkout.js',
    ])
    expect((await get('/checkout/page.js')).headers).not.toHaveProperty('Access-Control-Allow-Origin')
    expect((await get('/checkout/assets/icon-1.svg')).headers?.['Cache-Control']).toContain('immutable')
  })
})
