import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { documentationTools } from './documentation.ts'
import type { Session } from './tool.ts'

const INDEX = JSON.stringify({
  parts: [
    ['Sign a request', 'Nonces', '/docs/signing#nonces', 'Every request has a nonce'],
    ['Errors', '', '/docs/errors', 'nonce_reused'],
  ],
  terms: { nonce: [0, 12, 1, 2], signature: [1, 3] },
})
const SITE: Readonly<Record<string, string>> = {
  '/docs': '<body data-index="/docs/assets/search-0a1b.json">',
  '/docs/assets/search-0a1b.json': INDEX,
  '/docs/signing.md': `# Sign a request\n${'x'.repeat(20_000)}`,
  '/docs/index.md': '# Welcome',
}
const SESSION: Session = { canAsk: () => false, confirm: async () => 'cannot_ask' }

const servers: Server[] = []

afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** Serves the files, and returns the tools of an assistant for them, and the paths that were asked for. */
async function serve(files: Readonly<Record<string, string>>, status = 404) {
  const asked: string[] = []
  const server = createServer((request, answer) => {
    const path = request.url ?? ''
    asked.push(path)
    const text = files[path]
    answer.writeHead(text === undefined ? status : 200, { Connection: 'close' }).end(text)
  })
  servers.push(server)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const tools = documentationTools(`http://127.0.0.1:${port}`)
  const call = async (name: string, args: object) => {
    const tool = tools.find((each) => each.name === name)
    const result = await tool?.call(args as Record<string, unknown>, SESSION)
    return { ...result?.structuredContent, error: result?.isError && result.content[0]?.text }
  }
  return { asked, call }
}

describe('search_documentation', () => {
  it('finds parts by words, best first, and loads the index once', async () => {
    const { asked, call } = await serve(SITE)
    expect(await call('search_documentation', { query: 'nonce' })).toMatchObject({
      found: [{ url: '/docs/signing#nonces' }, { url: '/docs/errors' }],
    })
    const one = await call('search_documentation', { query: 'nonce', limit: 1 })
    expect(one).toMatchObject({ found: [{ page: 'Sign a request', title: 'Nonces' }] })
    expect(asked.filter((path) => path.endsWith('.json'))).toHaveLength(1)
  })

  it.each([
    [{}],
    [{ '/docs': '<body>not built</body>' }],
    [{ ...SITE, '/docs/assets/search-0a1b.json': 'no JSON' }],
  ])('says so where the service has no documentation: %j', async (files) => {
    const { call } = await serve(files)
    const { error } = await call('search_documentation', { query: 'nonce' })
    expect(error).toBe('This service serves no documentation.')
  })
})

describe('read_documentation', () => {
  it('reads a page piece by piece, by its name or by the address of a part', async () => {
    const { call } = await serve(SITE)
    const first = await call('read_documentation', { page: '/docs/signing#nonces' })
    expect(first).toMatchObject({ page: 'signing', next_offset: 16_000, total_chars: 20_017 })
    const rest = await call('read_documentation', { page: 'signing', offset: 16_000 })
    expect(rest).toMatchObject({ text: 'x'.repeat(4_017), next_offset: null })
    expect(await call('read_documentation', { page: '/docs' })).toMatchObject({ text: '# Welcome' })
  })

  it('asks for pages of the documentation alone', async () => {
    const { asked, call } = await serve(SITE)
    for (const page of [
      '../v2/balance',
      'a/../../x',
      '/v2/balance',
      'http://127.0.0.1/docs',
      'a?b',
      'llms.txt',
    ]) {
      expect((await call('read_documentation', { page })).error).toMatch(/name of a page/)
    }
    expect(asked).toEqual([])
    expect((await call('read_documentation', { page: 'none' })).error).toMatch(/no page none/)
  })

  it('says why the documentation cannot be read', async () => {
    const { call } = await serve({}, 503)
    expect((await call('read_documentation', { page: 'signing' })).error).toMatch(/answered 503/)
    const nowhere = documentationTools('http://127.0.0.1:1')[1]
    const result = await nowhere?.call({ page: 'signing' }, SESSION)
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/cannot be read/) }],
    })
  })
})
