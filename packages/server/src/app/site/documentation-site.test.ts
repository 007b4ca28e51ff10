import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { IncomingRequest, OperationOutput } from '../../http/operation.ts'
import { RequestError } from '../../lib/errors.ts'
import { siteOperations } from './documentation-site.ts'

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'warung-site-'))
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), '<html lang="en"><code>{base_url}</code></html>')
  writeFileSync(join(folder, 'index.md'), 'at {base_url}, from {sender_addresses}')
  writeFileSync(join(folder, 'assets', 'site-1.js'), 'export {}')
  writeFileSync(join(folder, 'secret.html'), 'not listed')
  const listed = ['index.html', 'index.md', 'assets/site-1.js', 'gone.html']
  writeFileSync(join(folder, 'files.json'), JSON.stringify(listed))
})

afterAll(() => rmSync(folder, { recursive: true }))

async function get(path: string, params: object = {}, headers: Record<string, string> = {}) {
  const operations = siteOperations({
    environment: 'staging',
    baseUrl: () => 'https://pay.example/"x"',
    senderAddresses: ['192.0.2.7/32'],
    files: pathToFileURL(`${folder}/`),
  })
  const found = operations.find((each) => each.path === path)
  const request = { headers } as unknown as IncomingRequest
  return (await found?.handle({ request, params } as never)) as OperationOutput
}

describe('the documentation of a running service', () => {
  it('has its own address and environment on every page, as text', async () => {
    const page = await get('/docs')
    expect(String(page.body)).toBe(
      '<html data-environment="staging" lang="en"><code>https://pay.example/&quot;x&quot;</code></html>',
    )
    expect(page.headers?.['Content-Security-Policy']).toMatch(/default-src 'none'.*trusted-types 'none'/)
    expect(String((await get('/docs/:page', { page: 'index.md' })).body)).toBe(
      'at https://pay.example/"x", from 192.0.2.7/32',
    )
  })

  it('is sent compressed where the caller takes it, and not again when unchanged', async () => {
    const packed = await get('/docs', {}, { 'accept-encoding': 'br' })
    expect(packed.headers).toMatchObject({ 'Content-Encoding': 'br', 'Cache-Control': 'no-cache' })
    const again = await get('/docs', {}, { 'if-none-match': String(packed.headers?.ETag) })
    expect(again.status).toBe(304)
    const asset = await get('/docs/:section/:page', { section: 'assets', page: 'site-1.js' })
    expect(asset.headers?.['Cache-Control']).toContain('immutable')
  })

  it.each(['secret', '..', '../index', 'index.html/..', '', 'stamp', 'gone'])(
    'serves files alone that are listed and there: %j',
    async (page) => {
      await expect(get('/docs/:page', { page })).rejects.toThrow(RequestError)
      const seen = await get('/docs/:page', { page }, { accept: 'text/html' })
      expect(seen.status).toBe(404)
    },
  )

  it('leads from other addresses to the right ones', async () => {
    expect((await get('/reference')).headers?.Location).toBe('/docs/reference')
    expect((await get('/docs/')).headers?.Location).toBe('/docs')
  })
})
