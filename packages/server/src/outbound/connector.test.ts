import { once } from 'node:events'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createServer as createTcpServer } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { parseNetwork } from '../lib/addresses.ts'
import { failure, listen, open, request, serve, serveTcp, tlsFile } from '../testing/outbound.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

describe('the address', () => {
  it.each([
    'http://127.0.0.1:PORT/',
    'http://2130706433:PORT/',
    'http://0x7f.1:PORT/',
    'http://0177.0.0.1:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://localhost:PORT/',
    'http://user:pass@127.0.0.1:PORT/',
  ])('%s is refused without a connection, unless it was opened', async (url) => {
    let connections = 0
    const port = await serveTcp(() => {
      connections += 1
    })
    const result = await open({ allow: [] }).send(request(url.replace('PORT', String(port))))
    expect(failure(result)).toEqual({ stage: 'refused_address', wasSent: false })
    expect(connections).toBe(0)
  })

  it('is judged anew for every connection: a name that is rebound between two of them gains nothing', async () => {
    let served = 0
    const port = await serve((_, response) => {
      served += 1
      response.setHeader('connection', 'close')
      response.end()
    })
    const answers = ['127.0.0.1', '127.0.0.2']
    const outbound = open({
      allow: [parseNetwork('127.0.0.1/32')].filter((each) => each !== undefined),
      resolve: () => Promise.resolve([{ address: answers.shift() ?? '', family: 4 }]),
    })
    const url = `http://supplier.test:${port}/`
    expect(await outbound.send(request(url))).toMatchObject({ kind: 'answered' })
    expect(failure(await outbound.send(request(url)))).toEqual({ stage: 'refused_address', wasSent: false })
    expect(served).toBe(1)
  })

  it('the address of a name with several is one of the permitted', async () => {
    const seen: unknown[] = []
    const port = await serve((incoming, response) => {
      seen.push(incoming.socket.localAddress)
      response.end()
    })
    const outbound = open({
      allow: [parseNetwork('127.0.0.1/32')].filter((each) => each !== undefined),
      resolve: () =>
        Promise.resolve([
          { address: '10.0.0.1', family: 4 },
          { address: '::1', family: 6 },
          { address: '127.0.0.1', family: 4 },
        ]),
    })
    expect(await outbound.send(request(`http://supplier.test:${port}/`))).toMatchObject({ kind: 'answered' })
    expect(seen).toEqual(['127.0.0.1'])
  })

  it('an address that does not exist, or has no listener, was certainly not reached', async () => {
    const unknown = Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
    const outbound = open({ resolve: () => Promise.reject(unknown) })
    expect(failure(await outbound.send(request('http://supplier.test/')))).toEqual({
      stage: 'not_connected',
      wasSent: false,
    })
    const server = createTcpServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    server.close()
    await once(server, 'close')
    expect(failure(await outbound.send(request(`http://127.0.0.1:${port}/`)))).toEqual({
      stage: 'not_connected',
      wasSent: false,
    })
  })

  it('is never a proxy of the environment', async () => {
    let asked = 0
    const proxy = await serve((_, response) => {
      asked += 1
      response.end()
    })
    const port = await serve((_, response) => response.end('direct'))
    vi.stubEnv('HTTP_PROXY', `http://127.0.0.1:${proxy}`)
    vi.stubEnv('http_proxy', `http://127.0.0.1:${proxy}`)
    const result = await open().send(request(`http://127.0.0.1:${port}/`))
    expect(result).toMatchObject({ kind: 'answered', body: Buffer.from('direct') })
    expect(asked).toBe(0)
  })
})

describe('TLS', () => {
  const secure = () =>
    listen(
      createHttpsServer({ key: tlsFile('server.key'), cert: tlsFile('server.pem') }, (_, response) =>
        response.end('safe'),
      ),
    )
  const toLoopback = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }])

  it('is proven by the authority that was added', async () => {
    const port = await secure()
    const outbound = open({ ca: tlsFile('ca.pem'), resolve: toLoopback })
    for (const host of ['supplier.test', '127.0.0.1']) {
      expect(await outbound.send(request(`https://${host}:${port}/`))).toMatchObject({ kind: 'answered' })
    }
  })

  it('TLS with an unknown certificate, or one of another name, sends nothing, whatever the environment says', async () => {
    const port = await secure()
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    const untrusted = await open({ resolve: toLoopback }).send(request(`https://supplier.test:${port}/`))
    expect(failure(untrusted)).toEqual({ stage: 'tls', wasSent: false })
    const outbound = open({ ca: tlsFile('ca.pem'), resolve: toLoopback })
    expect(failure(await outbound.send(request(`https://other.test:${port}/`)))).toEqual({
      stage: 'tls',
      wasSent: false,
    })
  })

  it('TLS with a server that does not speak it, or hangs up, sends nothing', async () => {
    const plain = await serve((_, response) => response.end())
    const rude = await serveTcp((socket) => socket.once('data', () => socket.destroy()))
    for (const port of [plain, rude]) {
      const result = await open().send(request(`https://127.0.0.1:${port}/`))
      expect(failure(result)).toEqual({ stage: 'tls', wasSent: false })
    }
  })

  it('a TLS handshake that never ends is no connection', async () => {
    const port = await serveTcp(() => {})
    const result = await open({ connectTimeoutMs: 200 }).send(request(`https://127.0.0.1:${port}/`))
    expect(failure(result)).toEqual({ stage: 'not_connected', wasSent: false })
  })
})
