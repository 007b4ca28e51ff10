import { describe, expect, it } from 'vitest'
import { leaseNowMs } from '../lib/lease-time.ts'
import { deferred, failure, open, request, serve } from '../testing/outbound.ts'
import { freeze } from '../testing/providers/provider-checks.ts'

describe('the time in which a request may leave', () => {
  async function serveCounting() {
    const received: string[] = []
    const port = await serve((incoming, response) => {
      received.push(incoming.url ?? '')
      response.end('ok')
    })
    return { received, url: (path: string) => `http://127.0.0.1:${port}${path}` }
  }

  it('lets it leave while it lasts', async () => {
    const { url } = await serveCounting()
    const result = await open().send(request(url('/a'), { notAfterMs: leaseNowMs() + 60_000 }))
    expect(result).toMatchObject({ kind: 'answered', status: 200 })
  })

  it.each([
    ['while a connection is opened', false],
    ['on a connection that is open', true],
  ])(
    'the time in which a request may leave that ends while the process is frozen %s leaves nothing, and the next request is served',
    async (_, isOpen) => {
      const { received, url } = await serveCounting()
      const outbound = open()
      if (isOpen) await outbound.send(request(url('/first')))
      const sent = outbound.send(request(url('/late'), { notAfterMs: leaseNowMs() + (isOpen ? -1 : 30) }))
      // No timer runs meanwhile, and no event of the connection is handled.
      if (!isOpen) freeze(60)
      expect(failure(await sent)).toEqual({ stage: 'too_late', wasSent: false })
      expect(await outbound.send(request(url('/next')))).toMatchObject({ kind: 'answered' })
      expect(received).not.toContain('/late')
    },
  )

  it('the time in which a request may leave that ends while it waits for a free connection leaves nothing', async () => {
    const held = deferred<void>()
    const received: string[] = []
    const port = await serve((incoming, response) => {
      received.push(incoming.url ?? '')
      void held.promise.then(() => response.end())
    })
    const url = (path: string) => `http://127.0.0.1:${port}${path}`
    const outbound = open()
    const first = outbound.send(request(url('/first'), { connectionsMax: 1 }))
    const late = outbound.send(request(url('/late'), { connectionsMax: 1, notAfterMs: leaseNowMs() - 1 }))
    held.resolve(undefined)
    await first
    expect(failure(await late)).toEqual({ stage: 'too_late', wasSent: false })
    expect(received).toEqual(['/first'])
  })
})
