import { describe, expect, it } from 'vitest'
import type { TestReseller } from '../../edge.ts'
import { createReseller, expectEdgeHeaders, expectProblem } from '../../edge.ts'
import { signed } from '../../http.ts'
import { EVERY_READING } from '../../signing.ts'
import type { Bench } from '../webhooks/harness.ts'
import { call, callOk, INSTANT, SECRET, SENDERS, untilOver } from '../webhooks/harness.ts'
import { describeLog } from '../webhooks/log.ts'

const BASE = '/v2/callback-url'
const URL = 'https://shop.example/callback'

function query(url: string, method = 'POST'): string {
  return `${BASE}?url=${encodeURIComponent(url)}&method=${method}`
}

function record(url: string, method: string, status = 'Success') {
  return {
    data: { Status: status, CallbackUrl: url, Method: method },
    '@metadata': {
      status_code: 200,
      last_updated: expect.stringMatching(/^\d\d-\d\d-\d{4} \d\d:\d\d:\d\d$/),
    },
  }
}

export function describeCallbackUrl(bench: () => Bench): void {
  describeLog(bench, BASE, (reseller) => call(bench(), reseller, 'POST', query(`${bench().receiverUrl}/400`)))
  describeUrl(bench)
  describeRefusals(bench)
  describeSecret(bench)

  it(`${BASE}: the reference says from where callbacks come`, async () => {
    const { paths } = (await bench().service.get('/openapi.json')).json<{
      paths: Record<string, Record<string, { description: string }>>
    }>()
    for (const address of SENDERS) expect(paths[BASE]?.post?.description).toContain(address)
  })

  it(`${BASE}/test: a GET callback is logged as the bare object and as its four parameters`, async () => {
    const reseller = await createReseller(bench().service)
    await callOk(bench(), reseller, 'POST', query(`${bench().receiverUrl}/200?own=1`, 'GET'))
    const { jobId } = await callOk<{ jobId: string }>(bench(), reseller, 'POST', `${BASE}/test`)
    const delivery = await untilOver(bench(), reseller, BASE, jobId)
    expect(delivery).toMatchObject({ status: 'success', webhookMethod: 'GET', responseCode: 200 })
    expect(delivery.payload).toMatchObject({ statusCode: 20, status: 'Succesful' })
    expect(Object.keys(delivery.webhookPayload)).toEqual(['refid', 'status', 'price', 'message'])
  })
}

function describeUrl(bench: () => Bench): void {
  const get = (reseller: TestReseller) => callOk(bench(), reseller, 'GET', BASE)
  const set = (reseller: TestReseller, path: string) => call(bench(), reseller, 'POST', path)

  describe(`${BASE}`, () => {
    it('is empty strings before one is set', async () => {
      expect(await get(await createReseller(bench().service))).toEqual(record('', '', ''))
    })

    it.each([
      [URL, 'POST'],
      ['http://shop.example:8080/a?b=c&d=%20e', 'GET'],
      ['https://nobody.invalid/', 'POST'],
    ])('is %s with %s once the signed query has said so', async (url, method) => {
      const reseller = await createReseller(bench().service)
      const answer = await set(reseller, query(url, method))
      expect(answer.status, answer.text).toBe(200)
      expectEdgeHeaders(answer)
      expect(answer.json()).toEqual(record(url, method))
      expect(await get(reseller)).toEqual(answer.json())
    })

    it('has its query signed in any of the readings, like every other', async () => {
      const reseller = await createReseller(bench().service)
      for (const reading of EVERY_READING) {
        const input = { method: 'POST', path: `${query(URL)}&x=`, reading }
        const answer = await signed(bench().service.baseUrl, reseller, input)
        expect(answer.status, answer.text).toBe(200)
      }
    })

    it('does not look at a body', async () => {
      const reseller = await createReseller(bench().service)
      const input = { method: 'POST', path: query(URL), body: '{broken' }
      const answer = await signed(bench().service.baseUrl, reseller, input)
      expect(answer.json()).toEqual(record(URL, 'POST'))
    })

    it('DELETE removes it, twice as well', async () => {
      const reseller = await createReseller(bench().service)
      await set(reseller, query(URL))
      for (const _ of ['first', 'second']) {
        expect((await call(bench(), reseller, 'DELETE', BASE)).status).toBe(204)
        expect(await get(reseller)).toEqual(record('', '', ''))
      }
    })

    it('shows whether it works', async () => {
      const reseller = await createReseller(bench().service)
      const status = () => callOk(bench(), reseller, 'GET', `${BASE}/status`)
      expect(await status()).toMatchObject({ enabled: false })
      await set(reseller, query(URL))
      expect(await status()).toEqual({
        enabled: true,
        paused_at: null,
        failing_since: null,
        last_success_at: null,
        pending: 0,
      })
    })
  })
}

function describeRefusals(bench: () => Bench): void {
  const start = 'https://shop.example/'

  describe(`requests that ${BASE} refuses`, () => {
    it.each([
      ['nothing', BASE, ['method', 'url']],
      ['no method', `${BASE}?url=${URL}`, ['method']],
      ['no URL', `${BASE}?method=GET`, ['url']],
      ['an empty URL', `${BASE}?url=&method=GET`, ['url']],
      ['two URLs', `${BASE}?url=${URL}&url=${URL}&method=GET`, ['url']],
      ['PUT', query(URL, 'PUT'), ['method']],
      ['post', query(URL, 'post'), ['method']],
      ['both wrong', `${BASE}?url=&method=PUT`, ['method', 'url']],
      ['another scheme', query('ftp://shop.example/'), ['url']],
      ['no absolute URL', query('shop.example/callback'), ['url']],
      ['a fragment', query('https://shop.example/#a'), ['url']],
      ['credentials', query('https://me:secret@shop.example/'), ['url']],
      ['empty credentials', query('https://@shop.example/'), ['url']],
      ['an empty name and password', query('https://:@shop.example/'), ['url']],
      ['a private address', query('https://192.168.1.1/'), ['url']],
      ['a link-local address', query('http://169.254.169.254/'), ['url']],
      ['an address in decimal', query('http://3232235777/'), ['url']],
      ['too long a URL', query(start + 'a'.repeat(2_001 - start.length)), ['url']],
    ])('%s', async (_, path, fields) => {
      const reseller = await bench().refused()
      expectProblem(await call(bench(), reseller, 'POST', path), 400, fields)
      expect(await callOk(bench(), reseller, 'GET', BASE)).toEqual(record('', '', ''))
    })

    it('a wrong body', async () => {
      const reseller = await bench().refused()
      const answer = await call(bench(), reseller, 'POST', BASE, { url: URL, method: 'POST' })
      expectProblem(answer, 400, ['method', 'url'])
    })
  })
}

function describeSecret(bench: () => Bench): void {
  type Secret = { secret_last_four: string; created_at: string }
  const secretOf = (reseller: TestReseller) => callOk<Secret>(bench(), reseller, 'GET', `${BASE}/secret`)
  const rotate = (reseller: TestReseller, json?: object) =>
    call(bench(), reseller, 'POST', `${BASE}/secret/rotate`, json)

  describe(`${BASE}/secret`, () => {
    it('is nothing without a URL, and cannot be rotated', async () => {
      const reseller = await createReseller(bench().service)
      expect(await secretOf(reseller)).toEqual({ secret_last_four: '', created_at: null })
      expectProblem(await rotate(reseller), 404)
    })

    it('is made with the first URL, kept by the next, and shown once by a rotation', async () => {
      const reseller = await createReseller(bench().service)
      await call(bench(), reseller, 'POST', query(URL))
      const made = await secretOf(reseller)
      expect(made).toEqual({
        secret_last_four: expect.stringMatching(/^.{4}$/),
        created_at: expect.stringMatching(INSTANT),
      })
      await call(bench(), reseller, 'POST', query(`${URL}/other`))
      expect(await secretOf(reseller)).toEqual(made)
      const answer = await rotate(reseller)
      expect(answer.json()).toEqual({ webhook_secret: expect.stringMatching(SECRET) })
      expect(answer.headers['cache-control']).toBe('no-store')
      const { webhook_secret: shown } = answer.json<{ webhook_secret: string }>()
      expect((await secretOf(reseller)).secret_last_four).toBe(shown.slice(-4))
    })

    it('may be kept beside the new one for a grace, of at most a week', async () => {
      const reseller = await createReseller(bench().service)
      await call(bench(), reseller, 'POST', query(URL))
      for (const grace of [0, -1, 604_801, '60', null]) {
        expectProblem(await rotate(reseller, { grace_seconds: grace }), 400, ['grace_seconds'])
      }
      expect((await rotate(reseller, { grace_seconds: 1 })).status).toBe(200)
    })
  })
}
