import { describe, expect, it } from 'vitest'
import { createReseller, expectEdgeHeaders, expectProblem } from '../../edge.ts'
import { signed } from '../../http.ts'
import type { Bench } from './harness.ts'
import { call, callOk, INSTANT, SECRET } from './harness.ts'

type Created = { webhook_url: string; webhook_secret: string }
type Configuration = { created_at: string; updated_at: string }

const NONE = { webhook_url: '', enabled: false, secret_last_four: '', created_at: null, updated_at: null }

/** Tests the rows of the contract's table of states, for either webhook. */
export function describeConfiguration(bench: () => Bench, base: string): void {
  const url = 'https://shop.example/hook'

  async function configured() {
    const reseller = await createReseller(bench().service)
    const made = await callOk<Created>(bench(), reseller, 'PUT', base, { url })
    return { reseller, secret: made.webhook_secret }
  }

  describe(`${base} without a configuration`, () => {
    it('GET shows empty values', async () => {
      const reseller = await createReseller(bench().service)
      expect(await callOk(bench(), reseller, 'GET', base)).toEqual(NONE)
      expect(await callOk(bench(), reseller, 'GET', `${base}/status`)).toEqual({
        enabled: false,
        paused_at: null,
        failing_since: null,
        last_success_at: null,
        pending: 0,
      })
    })

    it('PUT makes one that is enabled, and shows its secret', async () => {
      const reseller = await createReseller(bench().service)
      const answer = await call(bench(), reseller, 'PUT', base, { url })
      expect(answer.status, answer.text).toBe(200)
      expect(answer.json()).toEqual({ webhook_url: url, webhook_secret: expect.stringMatching(SECRET) })
      expect(answer.headers['cache-control']).toBe('no-store')
      const { webhook_secret: secret } = answer.json<Created>()
      const shown = await callOk<Configuration>(bench(), reseller, 'GET', base)
      expect(shown).toEqual({
        webhook_url: url,
        enabled: true,
        secret_last_four: secret.slice(-4),
        created_at: expect.stringMatching(INSTANT),
        updated_at: shown.created_at,
      })
    })

    it('PATCH and rotate-secret are 404, DELETE is 204', async () => {
      const reseller = await createReseller(bench().service)
      expectProblem(await call(bench(), reseller, 'PATCH', `${base}/enabled`, { enabled: true }), 404)
      expectProblem(await call(bench(), reseller, 'POST', `${base}/rotate-secret`), 404)
      const deleted = await call(bench(), reseller, 'DELETE', base)
      expect([deleted.status, deleted.text]).toEqual([204, ''])
      expectEdgeHeaders(deleted)
    })

    it('there is no log and nothing to send a test to', async () => {
      const reseller = await createReseller(bench().service)
      expect(await callOk(bench(), reseller, 'GET', `${base}/deliveries`)).toEqual({
        deliveries: [],
        cursor: null,
        hasMore: false,
      })
      expectProblem(await call(bench(), reseller, 'POST', `${base}/test`), 404)
    })
  })

  describe(`${base} with a configuration`, () => {
    it('PUT replaces the URL and keeps the secret, which it does not show', async () => {
      const { reseller, secret } = await configured()
      const other = 'https://shop.example/other?key=1'
      const before = await callOk<Configuration>(bench(), reseller, 'GET', base)
      expect(await callOk(bench(), reseller, 'PUT', base, { url: other })).toEqual({ webhook_url: other })
      const after = await callOk<Configuration>(bench(), reseller, 'GET', base)
      expect(after).toMatchObject({
        webhook_url: other,
        enabled: true,
        secret_last_four: secret.slice(-4),
        created_at: before.created_at,
      })
      expect(Date.parse(after.updated_at)).toBeGreaterThan(Date.parse(before.updated_at))
    })

    it('PATCH switches it off and on, PUT leaves it as it is', async () => {
      const { reseller } = await configured()
      const enable = (enabled: boolean) => callOk(bench(), reseller, 'PATCH', `${base}/enabled`, { enabled })
      expect(await enable(false)).toEqual({ enabled: false })
      expect(await callOk(bench(), reseller, 'PUT', base, { url })).toEqual({ webhook_url: url })
      expect(await callOk(bench(), reseller, 'GET', base)).toMatchObject({ enabled: false })
      expectProblem(await call(bench(), reseller, 'POST', `${base}/test`), 409)
      expect(await enable(false)).toEqual({ enabled: false })
      expect(await enable(true)).toEqual({ enabled: true })
      expect(await callOk(bench(), reseller, 'GET', base)).toMatchObject({ enabled: true })
    })

    it('rotate-secret shows a new secret and keeps the rest', async () => {
      const { reseller, secret } = await configured()
      await callOk(bench(), reseller, 'PATCH', `${base}/enabled`, { enabled: false })
      const answer = await call(bench(), reseller, 'POST', `${base}/rotate-secret`)
      expect(answer.json()).toEqual({ webhook_url: url, webhook_secret: expect.stringMatching(SECRET) })
      expect(answer.headers['cache-control']).toBe('no-store')
      const { webhook_secret: rotated } = answer.json<Created>()
      expect(rotated).not.toBe(secret)
      expect(await callOk(bench(), reseller, 'GET', base)).toMatchObject({
        webhook_url: url,
        enabled: false,
        secret_last_four: rotated.slice(-4),
      })
    })

    it('DELETE removes it, twice as well; a new one has another secret and is enabled', async () => {
      const { reseller, secret } = await configured()
      await callOk(bench(), reseller, 'PATCH', `${base}/enabled`, { enabled: false })
      for (const _ of ['first', 'second']) {
        expect((await call(bench(), reseller, 'DELETE', base)).status).toBe(204)
        expect(await callOk(bench(), reseller, 'GET', base)).toEqual(NONE)
      }
      const again = await callOk<Created>(bench(), reseller, 'PUT', base, { url })
      expect(again.webhook_secret).not.toBe(secret)
      expect(await callOk(bench(), reseller, 'GET', base)).toMatchObject({ enabled: true })
    })

    it("is nobody else's", async () => {
      const { reseller } = await configured()
      const other = await createReseller(bench().service)
      expect(await callOk(bench(), other, 'GET', base)).toEqual(NONE)
      expect((await call(bench(), other, 'DELETE', base)).status).toBe(204)
      expect(await callOk(bench(), reseller, 'GET', base)).toMatchObject({ webhook_url: url })
    })
  })

  describe(`requests that ${base} refuses`, () => {
    const start = 'https://shop.example/'

    it.each([
      [{}],
      [{ url: '' }],
      [{ url: null }],
      [{ url: 5 }],
      [{ url: ['https://shop.example/'] }],
      [{ url: 'shop.example' }],
      [{ url: '/hook' }],
      [{ url: 'ftp://shop.example/' }],
      [{ url: 'https://' }],
      [{ url: 'https://shop.example/#a' }],
      [{ url: 'https://me:secret@shop.example/' }],
      [{ url: 'https://@shop.example/' }],
      [{ url: 'https://:@shop.example/' }],
      [{ url: ' https://shop.example/' }],
      [{ url: 'https://10.0.0.1/hook' }],
      [{ url: 'https://169.254.169.254/latest' }],
      [{ url: 'https://[::1]/' }],
      [{ url: 'https://[::ffff:10.0.0.1]/' }],
      [{ url: 'https://0xa000001/' }],
      [{ url: start + 'a'.repeat(501 - start.length) }],
    ])('PUT %j', async (json) => {
      const reseller = await bench().refused()
      expectProblem(await call(bench(), reseller, 'PUT', base, json), 400, ['url'])
      expect(await callOk(bench(), reseller, 'GET', base)).toEqual(NONE)
    })

    it('a URL of 500 characters, unknown members and an unknown name are taken', async () => {
      const reseller = await createReseller(bench().service)
      const longest = start + 'a'.repeat(500 - start.length)
      const made = await callOk<Created>(bench(), reseller, 'PUT', base, { url: longest, enabled: false })
      expect(made.webhook_url).toBe(longest)
      await callOk(bench(), reseller, 'PUT', base, { url: 'https://nobody.invalid/' })
      expect(await callOk(bench(), reseller, 'GET', base)).toMatchObject({
        webhook_url: 'https://nobody.invalid/',
        enabled: true,
      })
    })

    it.each([[{}], [{ enabled: 'true' }], [{ enabled: 1 }], [{ enabled: null }]])(
      'PATCH %j',
      async (json) => {
        const { reseller } = await configured()
        expectProblem(await call(bench(), reseller, 'PATCH', `${base}/enabled`, json), 400, ['enabled'])
        expect(await callOk(bench(), reseller, 'GET', base)).toMatchObject({ enabled: true })
      },
    )

    it('bodies that are no JSON, or no object', async () => {
      const { reseller } = await configured()
      const send = (method: string, path: string, body: string) =>
        signed(bench().service.baseUrl, reseller, { method, path, body })
      for (const [method, path] of [
        ['PUT', base],
        ['PATCH', `${base}/enabled`],
        ['POST', `${base}/rotate-secret`],
        ['POST', `${base}/test`],
        ['POST', `${base}/deliveries/replay-bulk`],
      ] as const) {
        expectProblem(await send(method, path, '{broken'), 400)
        expectProblem(await send(method, path, '[]'), 400, ['body'])
      }
      expect(await callOk(bench(), reseller, 'GET', base)).toMatchObject({ webhook_url: url, enabled: true })
    })
  })
}
