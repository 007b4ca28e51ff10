import { createHash, createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { simulatorConnection } from '../../../testing/providers/http-connection.ts'
import type { CallbackConfig } from '../language/callback.rules.ts'
import type { CallbackRequest } from '../port/types.ts'
import { readCallback } from './callback.rules.ts'
import { parseHttpConfig } from './config.rules.ts'

const NOW_MS = Date.parse('2026-11-15T00:00:00Z')
const KEY = 'the key of callbacks'

const HMAC = {
  type: 'hmac',
  secret: { secret: 'callback' },
  header: 'X-Signature',
  payload: '{{header.x-id}}.{{timestamp}}.{{body}}',
  encoding: 'base64',
  value: 'v1,{{signature}}',
  timestamp: { header: 'X-Time', form: 'unix_ms', tolerance_seconds: 60 },
}

const TABLE = {
  path: 'state',
  table: {
    ok: { outcome: 'succeeded' },
    no: { outcome: 'failed', code: 52 },
    wait: { outcome: 'pending' },
  },
}

function callback(changes: Record<string, unknown> = {}): CallbackConfig {
  const config = {
    ...simulatorConnection('https://a.example'),
    callback: { verification: HMAC, reference: 'ref', ...changes },
  }
  const reading = parseHttpConfig(config, ['callback'])
  if (!reading.ok || reading.config.callback === null) throw new Error(JSON.stringify(reading))
  return reading.config.callback
}

function signed(body: string, changes: { atMs?: number; key?: string; id?: string } = {}): CallbackRequest {
  const { atMs = NOW_MS, key = KEY, id = 'msg_1' } = changes
  const signature = createHmac('sha256', key).update(`${id}.${atMs}.${body}`).digest('base64')
  return {
    headers: { 'x-signature': `v1,${signature}`, 'x-time': String(atMs), 'x-id': id },
    query: '',
    body: Buffer.from(body),
  }
}

const read = (config: CallbackConfig, request: CallbackRequest) =>
  readCallback(config, () => KEY, request, NOW_MS)

describe('a callback', () => {
  it('a proven callback is news of its order; its outcome is asked about unless a table says otherwise', () => {
    expect(read(callback({ id: 'id' }), signed('{"id":"e1","ref":"W1-1","state":"ok"}'))).toEqual({
      kind: 'news',
      id: 'e1',
      reference: 'W1-1',
      outcome: null,
      claimedAmount: null,
    })
  })

  it.each([
    ['{"ref":"W1-1","state":"ok","sn":"S1"}', { kind: 'succeeded', output: { serialNumber: 'S1' } }],
    ['{"ref":"W1-1","state":"no","why":"bad number"}', { kind: 'failed', code: 52, reason: 'bad number' }],
    ['{"ref":"W1-1","state":"wait"}', { kind: 'pending' }],
    ['{"ref":"W1-1","state":"new"}', { kind: 'unknown' }],
    ['{"ref":"W1-1"}', { kind: 'unknown' }],
    // A success that lacks the required output is not a success yet.
    ['{"ref":"W1-1","state":"ok"}', { kind: 'unknown' }],
  ])('a callback read by a table: %s', (body, outcome) => {
    const output = { serial_number: { path: 'sn', required: true }, pin: 'pin', voucher_link: 'link' }
    const reading = read(callback({ outcome: TABLE, reason: 'why', output }), signed(body))
    expect(reading).toMatchObject({ kind: 'news', outcome })
  })

  it('a callback that takes an order of a list by its position is read while there is one, and else says nothing', () => {
    // It was saved before positions were refused.
    const outcome = { ...TABLE, path: 'orders.0.state' }
    const output = { pin: 'pin', voucher_link: 'link' }
    const config = callback({ outcome, output })
    const body = (...states: readonly string[]) =>
      signed(JSON.stringify({ ref: 'W1-1', orders: states.map((state) => ({ state })) }))
    expect(read(config, body('no'))).toMatchObject({ outcome: { kind: 'failed', code: 52 } })
    for (const several of [body('no', 'ok'), body('ok', 'no'), body('no', 'no')]) {
      expect(read(config, several)).toMatchObject({ outcome: { kind: 'unknown', isAmbiguous: true } })
    }
  })

  it('a callback without an id of its own is the same when its content is', () => {
    const id = (body: string, atMs = NOW_MS) => {
      const reading = read(callback(), signed(body, { atMs }))
      return reading.kind === 'news' ? reading.id : ''
    }
    expect(id('{"ref":"a"}')).toMatch(/^[\w-]{43}$/)
    expect(id('{"ref":"a"}', NOW_MS - 1_000)).toBe(id('{"ref":"a"}'))
    expect(id('{"ref":"b"}')).not.toBe(id('{"ref":"a"}'))
  })

  it('claims an amount that is only compared; one that cannot be read stops it', () => {
    const config = callback({ amount: { path: 'sen', unit: 'cents' } })
    expect(read(config, signed('{"ref":"a","sen":1050}'))).toMatchObject({ claimedAmount: 105_000n })
    expect(read(config, signed('{"ref":"a","sen":"lots"}'))).toMatchObject({ kind: 'refused' })
    expect(read(config, signed('{"ref":"a"}'))).toMatchObject({ kind: 'refused' })
  })

  const GOOD = signed('{"ref":"a"}')
  it.each<[string, CallbackRequest]>([
    ['another key', signed('{"ref":"a"}', { key: 'other' })],
    ['another body', { ...GOOD, body: Buffer.from('{"ref":"b"}') }],
    ['another signed header', { ...GOOD, headers: { ...GOOD.headers, 'x-id': 'msg_2' } }],
    ['another time', { ...GOOD, headers: { ...GOOD.headers, 'x-time': String(NOW_MS + 1) } }],
    ['a time too long ago', signed('{"ref":"a"}', { atMs: NOW_MS - 61_000 })],
    ['a time to come', signed('{"ref":"a"}', { atMs: NOW_MS + 61_000 })],
    ['no signature', { ...GOOD, headers: { 'x-time': String(NOW_MS), 'x-id': 'msg_1' } }],
    ['no time', { ...GOOD, headers: { 'x-signature': 'v1,x', 'x-id': 'msg_1' } }],
    ['no signed header', { ...GOOD, headers: { 'x-signature': 'v1,x', 'x-time': String(NOW_MS) } }],
    ['no headers at all', { ...GOOD, headers: {} }],
    ['no UTF-8', { ...GOOD, body: Buffer.from([0xff, 0xfe]) }],
    ['no JSON', signed('<html>')],
    ['no object', signed('"text"')],
    ['no reference', signed('{}')],
    ['a reference that is an object', signed('{"ref":{}}')],
    ['a reference that holds NUL', signed('{"ref":"a\\u0000"}')],
    ['a reference beyond measure', signed(`{"ref":"${'x'.repeat(101)}"}`)],
    ['a body beyond measure', signed(`{"ref":"a","x":"${'x'.repeat(300_000)}"}`)],
  ])('a callback with %s is refused', (_, request) => {
    expect(read(callback(), GOOD).kind).toBe('news')
    expect(read(callback(), request)).toMatchObject({ kind: 'refused', reason: expect.stringMatching(/./) })
  })

  it('a callback with an id that cannot be stored is refused', () => {
    const config = callback({ id: 'id' })
    expect(read(config, signed('{"ref":"a","id":"e\\u0000"}'))).toMatchObject({ kind: 'refused' })
    expect(read(config, signed('{"ref":"a","id":"e\\ud800"}'))).toMatchObject({ kind: 'refused' })
  })

  it('a callback may be signed with a key in Base64, and with an old key beside the new one', () => {
    const key = Buffer.from('0123456789abcdef0123456789abcdef')
    const verification = {
      type: 'hmac',
      secret: { secret: 'callback' },
      key: 'whsec',
      header: 'webhook-signature',
      payload: '{{header.webhook-id}}.{{timestamp}}.{{body}}',
      encoding: 'base64',
      value: 'v1,{{signature}}',
      timestamp: { header: 'webhook-timestamp', form: 'unix' },
    }
    const config = callback({ verification })
    const body = '{"ref":"W1-1"}'
    const at = String(NOW_MS / 1_000)
    const signature = `v1,${createHmac('sha256', key).update(`m1.${at}.${body}`).digest('base64')}`
    const sent = (header: string, secret = `whsec_${key.toString('base64')}`) => {
      const headers = { 'webhook-signature': header, 'webhook-timestamp': at, 'webhook-id': 'm1' }
      return readCallback(config, () => secret, { headers, query: '', body: Buffer.from(body) }, NOW_MS).kind
    }
    expect(sent(signature)).toBe('news')
    expect(sent(signature, key.toString('base64'))).toBe('news')
    expect(sent(`v1,${'A'.repeat(43)}= ${signature}`)).toBe('news')
    expect(sent(`${'v1,x '.repeat(10)}${signature}`)).toBe('refused')
    expect(sent('v1,x')).toBe('refused')
    expect(sent(signature, 'not Base64!')).toBe('refused')
  })

  it('a callback names its order at the first of several places', () => {
    const config = callback({ reference: ['data.ref', 'ref'] })
    expect(read(config, signed('{"data":{"ref":"W1-1"},"ref":"W2-1"}'))).toMatchObject({ reference: 'W1-1' })
    expect(read(config, signed('{"data":{"ref":null},"ref":"W2-1"}'))).toMatchObject({ reference: 'W2-1' })
  })

  it('a callback about no order is a ping where it has the word of one, and is proven', () => {
    const ping = { path: 'event', values: ['ping'] }
    const config = callback({ ping })
    expect(read(config, signed('{"event":"ping"}'))).toEqual({ kind: 'ping' })
    for (const body of ['{"event":"pong"}', '{}']) {
      expect(read(config, signed(body))).toMatchObject({ kind: 'refused' })
    }
    expect(read(config, signed('{"event":"ping"}', { key: 'x' }))).toMatchObject({ kind: 'refused' })
    expect(read(config, signed('{"event":"ping","ref":"W1-1"}'))).toMatchObject({ kind: 'news' })
    const byHeader = callback({ ping: { path: '$header.X-Id', values: ['msg_1'] } })
    expect(read(byHeader, signed('{}'))).toEqual({ kind: 'ping' })
    expect(read(callback(), signed('{"event":"ping"}'))).toMatchObject({ kind: 'refused' })
  })

  it('a callback can say that an order was taken back, or something that no table knows', () => {
    const table = { ok: { outcome: 'succeeded' }, back: { outcome: 'reversed' } }
    const output = { pin: 'pin', voucher_link: 'link' }
    const config = callback({ outcome: { path: 'state', table }, output, reason: ['why', 'message'] })
    expect(read(config, signed('{"ref":"a","state":"back","message":"refund"}'))).toMatchObject({
      outcome: { kind: 'reversed', reason: 'refund' },
    })
    expect(read(config, signed('{"ref":"a","state":"odd","pin":"ABCDEF"}'))).toMatchObject({
      outcome: {
        kind: 'unknown',
        unmapped: {
          operation: 'callback',
          path: 'state',
          value: 'odd',
          sample: '{"ref":"…","state":"odd","pin":"…"}',
        },
      },
    })
  })

  it('a callback without a signature is proven by a word in our address', () => {
    const config = callback({
      verification: { type: 'secret_query', parameter: 'key', secret: { secret: 'callback' } },
    })
    const sent = (query: string) => read(config, { headers: {}, query, body: Buffer.from('{"ref":"W1-1"}') })
    expect(sent(`key=${encodeURIComponent(KEY)}`)).toMatchObject({ kind: 'news', reference: 'W1-1' })
    for (const query of ['', 'key=', 'key=x', `KEY=${KEY}`, `key=x&key=${KEY}`]) {
      expect(sent(query).kind).toBe('refused')
    }
  })

  it('a callback that is signed in a field is proven for the order that it names, and no other', () => {
    const digest = { digest: 'md5', of: ['user', { secret: 'callback' }, '{{reference}}'] }
    const config = callback({ verification: { type: 'digest_field', path: 'sign', digest } })
    const sign = createHash('md5').update(`user${KEY}W1-1`).digest('hex')
    const sent = (body: object) =>
      read(config, { headers: {}, query: '', body: Buffer.from(JSON.stringify(body)) })
    expect(sent({ ref: 'W1-1', sign })).toMatchObject({ kind: 'news', reference: 'W1-1', outcome: null })
    for (const body of [{ ref: 'W2-1', sign }, { ref: 'W1-1', sign: 'x' }, { ref: 'W1-1' }, { sign }, []]) {
      expect(sent(body).kind).toBe('refused')
    }
  })

  it('a weakly proven callback can say that an order was taken back, and asks about everything else', () => {
    const digest = { digest: 'md5', of: [{ secret: 'callback' }, '{{reference}}'] }
    const verification = { type: 'digest_field', path: 'sign', digest }
    const table = { back: { outcome: 'reversed' }, wait: { outcome: 'pending' } }
    const config = callback({ verification, outcome: { path: 'state', table } })
    const sign = createHash('md5').update(`${KEY}W1-1`).digest('hex')
    const said = (state: string) => {
      const body = Buffer.from(JSON.stringify({ ref: 'W1-1', sign, state }))
      return read(config, { headers: {}, query: '', body })
    }
    expect(said('back')).toMatchObject({ outcome: { kind: 'reversed' } })
    expect(said('wait')).toMatchObject({ kind: 'news', outcome: null })
    expect(said('odd')).toMatchObject({ kind: 'news', outcome: null })
    expect(() => callback({ verification, outcome: TABLE })).toThrow('too weak')
  })

  it('can be a form or a query, and proven by a secret alone', () => {
    const verification = { type: 'secret_header', header: 'X-Token', secret: { secret: 'callback' } }
    const headers = { 'x-token': KEY }
    const form = callback({ verification, content: 'form' })
    const query = callback({ verification, content: 'query' })
    const text = 'ref=W1-1&state=ok%20now'
    expect(read(form, { headers, query: '', body: Buffer.from(text) })).toMatchObject({ reference: 'W1-1' })
    expect(read(query, { headers, query: text, body: Buffer.alloc(0) })).toMatchObject({ reference: 'W1-1' })
    expect(read(query, { headers: { 'x-token': 'x' }, query: text, body: Buffer.alloc(0) })).toEqual({
      kind: 'refused',
      reason: 'its secret is wrong',
    })
  })
})
