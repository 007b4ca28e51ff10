import { describe, expect, it } from 'vitest'
import { deferred, failure, open, request, serve, serveTcp } from '../testing/outbound.ts'

describe('an answer', () => {
  it('comes whole, with status, headers and body', async () => {
    const port = await serve((incoming, response) => {
      response.setHeader('X-Twice', ['a', 'b'])
      response.writeHead(402)
      incoming.pipe(response)
    })
    const result = await open().send(
      request(`http://127.0.0.1:${port}/a?b=c`, { method: 'POST', body: 'hello', headers: { 'X-Own': '1' } }),
    )
    expect(result).toMatchObject({ kind: 'answered', status: 402, body: Buffer.from('hello') })
    expect(result.kind === 'answered' && result.headers['x-twice']).toBe('a, b')
  })

  it('comes whole when it is cut into single bytes', async () => {
    const body = 'abcdefghij'.repeat(90)
    const chunks = [...body].map((byte) => `1\r\n${byte}\r\n`).join('')
    const port = await serveTcp((socket) =>
      socket.once('data', () =>
        socket.end(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`),
      ),
    )
    const result = await open().send(request(`http://127.0.0.1:${port}/`))
    expect(result).toMatchObject({ kind: 'answered', body: Buffer.from(body) })
  })

  it('a redirect is an answer, and nobody follows it', async () => {
    let followed = 0
    const elsewhere = await serve((_, response) => {
      followed += 1
      response.end()
    })
    const port = await serve((_, response) => {
      response.writeHead(307, { location: `http://127.0.0.1:${elsewhere}/` }).end()
    })
    expect(await open().send(request(`http://127.0.0.1:${port}/`))).toMatchObject({
      kind: 'answered',
      status: 307,
    })
    expect(followed).toBe(0)
  })

  it('identity is asked for, and a compressed answer is refused', async () => {
    const asked: unknown[] = []
    const port = await serve((incoming, response) => {
      asked.push(incoming.headers['accept-encoding'])
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('not really')
    })
    const result = await open().send(request(`http://127.0.0.1:${port}/`))
    expect(failure(result)).toEqual({ stage: 'lost', wasSent: true })
    expect(asked).toEqual(['identity'])
  })

  it('an answer that is longer than wanted is refused, announced or not, and its connection ended', async () => {
    for (const announced of [true, false]) {
      const port = await serve((incoming, response) => {
        incoming.socket.on('close', () => ended.resolve())
        if (announced) response.setHeader('content-length', 5_000_000)
        const more = () => {
          while (!response.destroyed && response.write('x'.repeat(64 * 1_024)));
        }
        response.on('drain', more)
        more()
      })
      const ended = deferred<void>()
      const result = await open().send(request(`http://127.0.0.1:${port}/`))
      expect(failure(result)).toEqual({ stage: 'too_large', wasSent: true })
      await ended.promise
    }
  })

  it('an answer that is longer than wanted is cut for callers that ask for that, and its connection ended', async () => {
    for (const announced of [true, false]) {
      const ended = deferred<void>()
      const port = await serve((incoming, response) => {
        incoming.socket.on('close', () => ended.resolve())
        response.statusCode = 201
        if (announced) response.setHeader('content-length', 5_000_000)
        const more = () => {
          while (!response.destroyed && response.write('x'.repeat(64 * 1_024)));
        }
        response.on('drain', more)
        more()
      })
      const result = await open().send(request(`http://127.0.0.1:${port}/`, { cutsAnswer: true }))
      expect(result).toMatchObject({ kind: 'answered', status: 201, body: Buffer.alloc(1_000, 'x') })
      await ended.promise
    }
  })

  it('a short answer leaves its connection to the next request, also for callers that would have it cut', async () => {
    const sockets = new Set<unknown>()
    const port = await serve((incoming, response) => {
      sockets.add(incoming.socket)
      response.end('short')
    })
    const outbound = open()
    for (let sent = 0; sent < 20; sent += 1) {
      const result = await outbound.send(request(`http://127.0.0.1:${port}/`, { cutsAnswer: true }))
      expect(result).toMatchObject({ kind: 'answered', status: 200, body: Buffer.from('short') })
    }
    expect(sockets.size).toBeLessThanOrEqual(4)
  })

  it('a compressed answer counts by its status for callers that ask for no more, and nothing of it is kept', async () => {
    const port = await serve((_, response) => {
      response.writeHead(202, { 'content-encoding': 'gzip' }).end('not really')
    })
    const result = await open().send(request(`http://127.0.0.1:${port}/`, { cutsAnswer: true }))
    expect(result).toMatchObject({ kind: 'answered', status: 202, body: Buffer.alloc(0) })
  })

  it('an answer of exactly the wanted length is not refused', async () => {
    const port = await serve((_, response) => response.end('x'.repeat(1_000)))
    expect(await open().send(request(`http://127.0.0.1:${port}/`))).toMatchObject({ kind: 'answered' })
  })

  it('an answer with headers beyond measure is refused', async () => {
    const port = await serveTcp((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`)
    })
    const result = await open().send(request(`http://127.0.0.1:${port}/`))
    expect(failure(result)).toEqual({ stage: 'too_large', wasSent: true })
  })

  it.each([
    ['is not HTTP', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['breaks off in the headers', 'HTTP/1.1 200 OK\r\nconte'],
    ['breaks off in the body', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"sta'],
    ['breaks off in a chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n20\r\n{"sta'],
    ['has two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'],
    ['never comes', ''],
  ])('an answer that %s is lost, and the request may have been acted upon', async (_, text) => {
    const port = await serveTcp((socket) => socket.once('data', () => socket.end(text)))
    const result = await open().send(request(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' }))
    expect(failure(result)).toEqual({ stage: 'lost', wasSent: true })
  })

  it('a lost answer is told without quoting what was received', async () => {
    const port = await serveTcp((socket) => socket.once('data', () => socket.end('PIN 1234567890\r\n\r\n')))
    expect(JSON.stringify(await open().send(request(`http://127.0.0.1:${port}/`)))).not.toContain(
      '1234567890',
    )
  })
})

describe('the deadline', () => {
  it.each([
    ['no byte comes', ''],
    ['headers come slowly', 'HTTP/1.1 200 OK\r\n'],
    ['the body comes slowly', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n{'],
  ])('covers the whole exchange: %s', async (_, text) => {
    const deadline = new AbortController()
    const ended = deferred<void>()
    const port = await serveTcp((socket) => {
      socket.on('close', () => ended.resolve())
      socket.once('data', () => {
        if (text === '') deadline.abort()
        else socket.write(text, () => deadline.abort())
      })
    })
    const result = await open().send(request(`http://127.0.0.1:${port}/`, { signal: deadline.signal }))
    expect(failure(result)).toEqual({ stage: 'timeout', wasSent: true })
    await ended.promise
  })

  it('before there is a connection means that nothing was sent, then or later', async () => {
    const deadline = new AbortController()
    const resolving = deferred<{ address: string; family: number }[]>()
    let received = 0
    const closed = deferred<void>()
    const port = await serveTcp((socket) => {
      socket.on('data', (chunk) => {
        received += chunk.length
      })
      socket.on('close', () => closed.resolve())
    })
    const asked = deferred<void>()
    const outbound = open({
      resolve() {
        asked.resolve()
        return resolving.promise
      },
    })
    const sent = outbound.send(request(`http://supplier.test:${port}/`, { signal: deadline.signal }))
    await asked.promise
    deadline.abort()
    expect(failure(await sent)).toEqual({ stage: 'timeout', wasSent: false })
    // The connection opens when it is no longer needed.
    resolving.resolve([{ address: '127.0.0.1', family: 4 }])
    await closed.promise
    expect(received).toBe(0)
  })

  it('a deadline that has passed already sends nothing', async () => {
    const result = await open().send(request('http://127.0.0.1:1/', { signal: AbortSignal.abort() }))
    expect(failure(result)).toEqual({ stage: 'timeout', wasSent: false })
    const deadline = new AbortController()
    const sent = open().send(request('http://127.0.0.1:1/', { signal: deadline.signal }))
    // The abort comes between getting a place and using it.
    deadline.abort()
    expect(failure(await sent)).toEqual({ stage: 'timeout', wasSent: false })
  })

  it('passes for those who wait for a free connection, and they sent nothing', async () => {
    const arrived = deferred<void>()
    let requests = 0
    const port = await serve(() => {
      requests += 1
      arrived.resolve()
    })
    const outbound = open()
    const hanging = new AbortController()
    const waiting = new AbortController()
    const url = `http://127.0.0.1:${port}/`
    const first = outbound.send(request(url, { connectionsMax: 1, signal: hanging.signal }))
    await arrived.promise
    const second = outbound.send(request(url, { connectionsMax: 1, signal: waiting.signal }))
    waiting.abort()
    expect(failure(await second)).toEqual({ stage: 'timeout', wasSent: false })
    hanging.abort()
    expect(failure(await first)).toEqual({ stage: 'timeout', wasSent: true })
    expect(requests).toBe(1)
  })

  it('the deadline of one request frees its place for the next', async () => {
    let isHanging = true
    const port = await serve((_, response) => {
      if (!isHanging) response.end('ok')
      isHanging = false
      arrived.resolve()
    })
    const arrived = deferred<void>()
    const outbound = open()
    const url = `http://127.0.0.1:${port}/`
    const hanging = new AbortController()
    const first = outbound.send(request(url, { connectionsMax: 1, signal: hanging.signal }))
    await arrived.promise
    const second = outbound.send(request(url, { connectionsMax: 1 }))
    hanging.abort()
    await first
    expect(await second).toMatchObject({ kind: 'answered', status: 200 })
  })
})

describe('connections', () => {
  it('are kept and used again', async () => {
    const sockets = new Set<unknown>()
    const port = await serve((incoming, response) => {
      sockets.add(incoming.socket)
      response.end('ok')
    })
    const outbound = open()
    for (let n = 0; n < 5; n += 1)
      await outbound.send(request(`http://127.0.0.1:${port}/`, { connectionsMax: 1 }))
    expect(sockets.size).toBe(1)
  })

  it('connections that are cut under a request after being used before: it may have been acted upon, and is not repeated', async () => {
    let requests = 0
    const port = await serve((incoming, response) => {
      requests += 1
      if (requests === 1) response.end('ok')
      else incoming.socket.resetAndDestroy()
    })
    const outbound = open()
    const url = `http://127.0.0.1:${port}/`
    expect(await outbound.send(request(url))).toMatchObject({ kind: 'answered' })
    for (const method of ['POST', 'GET'] as const) {
      requests = 1
      expect(failure(await outbound.send(request(url, { method })))).toEqual({ stage: 'lost', wasSent: true })
      expect(requests).toBe(2)
    }
  })

  it('a connection of its own carries nothing that was left over from another exchange', async () => {
    let exchanges = 0
    const port = await serveTcp((socket) => {
      let leftOver = ''
      socket.on('data', () => {
        exchanges += 1
        const answer = `HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\n${exchanges}`
        socket.write(leftOver === '' ? answer : leftOver)
        leftOver = answer
      })
    })
    const outbound = open()
    const ask = async (ownConnection: boolean) => {
      const result = await outbound.send(
        request(`http://127.0.0.1:${port}/`, { connectionsMax: 1, ownConnection }),
      )
      return result.kind === 'answered' ? result.body.toString() : result.reason
    }
    expect([await ask(true), await ask(true), await ask(true)]).toEqual(['1', '2', '3'])
    // The same happens when connections are shared, which is for callers that can tell whose answer it is.
    expect([await ask(false), await ask(false)]).toEqual(['4', '4'])
    expect(await ask(true)).toBe('6')
  })

  it('connections to one origin are at most as many as the caller says', async () => {
    const waiting: (() => void)[] = []
    let most = 0
    let active = 0
    const port = await serve((_, response) => {
      active += 1
      most = Math.max(most, active)
      waiting.push(() => {
        active -= 1
        response.end()
      })
      if (waiting.length === 3) reached.resolve()
      if (reachedOnce) for (const end of waiting.splice(0)) end()
    })
    const reached = deferred<void>()
    let reachedOnce = false
    const outbound = open()
    const sent = Array.from({ length: 12 }, () =>
      outbound.send(request(`http://127.0.0.1:${port}/`, { connectionsMax: 3 })),
    )
    await reached.promise
    reachedOnce = true
    for (const end of waiting.splice(0)) end()
    const results = await Promise.all(sent)
    expect(results.every(({ kind }) => kind === 'answered')).toBe(true)
    expect(most).toBe(3)
  })
})

describe('closing', () => {
  it('lets what is under way end first', async () => {
    const arrived = deferred<() => void>()
    const port = await serve((_, response) => arrived.resolve(() => response.end('ok')))
    const outbound = open()
    const sent = outbound.send(request(`http://127.0.0.1:${port}/`))
    const answer = await arrived.promise
    const closed = outbound.close()
    answer()
    expect(await sent).toMatchObject({ kind: 'answered' })
    await closed
    expect(failure(await outbound.send(request(`http://127.0.0.1:${port}/`)))).toMatchObject({
      wasSent: false,
    })
  })
})
