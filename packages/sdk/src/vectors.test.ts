import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createClient } from './client.ts'
import { fromBase64 } from './encoding.ts'
import { InvalidPayment, InvalidWebhook, remedyFor, WarungError } from './errors.ts'
import type { BuildOptions, FormProduct, FormValues } from './forms.ts'
import { buildPayment } from './forms.ts'
import type { Arrival } from './inbox.ts'
import { createInbox } from './inbox.ts'
import { ROUTES } from './operations.generated.ts'
import { isFinal } from './payments.ts'
import type { Outcome, Request } from './retry.ts'
import { ATTEMPTS_MAX, decide, POLL_SCHEDULE_MS, RETRY_AFTER_MAX_SECONDS } from './retry.ts'
import type { Query } from './signing.ts'
import { bodyHash, canonicalString, encodeQuery, signRequest } from './signing.ts'
import { fakeService } from './testing/service.ts'
import type { BalanceChange } from './types.generated.ts'
import type { WebhookRequest } from './webhooks.ts'
import { verifyBodySignature, verifyWebhook } from './webhooks.ts'

// Golden cases that hold every client of ours, in any language.

type Named = { readonly name: string }

function vectors<T>(file: string): T {
  return JSON.parse(readFileSync(new URL(`../vectors/${file}.json`, import.meta.url), 'utf8')) as T
}

type Body = null | { utf8: string } | { base64: string } | { generator: { byte: number; length: number } }
type SigningCase = Named & {
  secret: string
  method: string
  query: string
  body: Body
  timestamp: string
  nonce: string
  canonical_string: string
  body_hash: string
  signature: string
}

function bytesOf(body: Body): Uint8Array | string | undefined {
  if (body === null) return undefined
  if ('utf8' in body) return body.utf8
  if ('base64' in body) return fromBase64(body.base64)
  return new Uint8Array(body.generator.length).fill(body.generator.byte)
}

describe('signing', () => {
  it.each(vectors<{ cases: SigningCase[] }>('signing').cases)(
    '$name is signed as written down',
    async (one) => {
      const body = bytesOf(one.body)
      const { method, query, timestamp, nonce } = one
      expect(await bodyHash(body)).toBe(one.body_hash)
      expect(await canonicalString({ method, query, body, timestamp, nonce })).toBe(one.canonical_string)
      const headers = await signRequest({
        apiKey: 'k',
        signingSecret: one.secret,
        method,
        query,
        body,
        timestamp,
        nonce,
      })
      expect(headers).toEqual({
        'X-Api-Key': 'k',
        'X-Timestamp': timestamp,
        'X-Nonce': nonce,
        'X-Signature': one.signature,
      })
    },
  )

  type QueryCase = Named & { input: Query; wire: string }
  it.each(vectors<{ cases: QueryCase[] }>('queries').cases)(
    'the query $name is sent as written down',
    (one) => {
      expect(encodeQuery(one.input)).toBe(one.wire)
    },
  )
})

describe('webhooks', () => {
  type WebhookCase = Named & {
    request: WebhookRequest
    secrets: string[]
    now: number
    expect:
      | { ok: true; stream: string; id: string; signed_at: number; is_test: boolean; payload: unknown }
      | { ok: false; token: string }
  }
  type BodyCase = Named & { body: string; header: string; secrets: string[]; ok: boolean }
  const { cases, body_signatures: bodies } = vectors<{ cases: WebhookCase[]; body_signatures: BodyCase[] }>(
    'webhooks',
  )

  it.each(cases)('$name is judged as written down', async ({ request, secrets, now, expect: wanted }) => {
    const found = await verifyWebhook(request, { secrets, now }).catch((error: unknown) => error)
    if (!wanted.ok) {
      expect(found).toBeInstanceOf(InvalidWebhook)
      expect(found).toMatchObject({ token: wanted.token })
      return
    }
    expect(found).toEqual({
      stream: wanted.stream,
      id: wanted.id,
      signedAt: new Date(wanted.signed_at * 1_000),
      isTest: wanted.is_test,
      payload: wanted.payload,
    })
  })

  it.each(bodies)(
    'the body signature $name is judged as written down',
    async ({ body, header, secrets, ok }) => {
      expect(await verifyBodySignature(body, header, secrets)).toBe(ok)
    },
  )

  type InboxCase = Named & { arrivals: Arrival[]; verdicts: string[] }
  it.each(vectors<{ cases: InboxCase[] }>('inbox').cases)(
    '$name is sorted out',
    async ({ arrivals, verdicts }) => {
      const inbox = createInbox()
      const found: string[] = []
      for (const arrival of arrivals) found.push(await inbox.accept(arrival))
      expect(found).toEqual(verdicts)
    },
  )
})

it('the handler of an inbox gets the event that is new, and no other', async () => {
  const inbox = createInbox()
  const handled: unknown[] = []
  const event = {
    id: 'e1',
    stream: 'balance',
    payload: { type: 'balance.added' } as unknown as BalanceChange,
    more: 1,
  } as const
  for (const verdict of ['new', 'duplicate']) {
    expect(await inbox.accept(event, (each) => handled.push([each, each.more]))).toBe(verdict)
  }
  expect(handled).toEqual([[event, 1]])
})

describe('forms', () => {
  type FormCase = Named & {
    product: FormProduct
    values: FormValues
    options: BuildOptions
    expect: { payment: unknown } | { problems: unknown }
  }
  it.each(vectors<{ cases: FormCase[] }>('forms').cases)('$name is built as written down', (one) => {
    const build = () => buildPayment(one.product, one.values, one.options)
    if ('payment' in one.expect) {
      expect(build()).toEqual(one.expect.payment)
      return
    }
    expect(build).toThrow(InvalidPayment)
    try {
      build()
    } catch (error) {
      expect((error as InvalidPayment).problems).toEqual(one.expect.problems)
    }
  })
})

describe('answers', () => {
  const ORDER_ID = 'ord_0123456789abcdefghjkmnpq'
  type AnswerCase = Named & {
    request: { method: string; path: string }
    answer: { status: number; headers: Record<string, string>; body: unknown }
    expect:
      | { payment: unknown }
      | { error: string; code: number | null; token: string; retry_safe: boolean; retry_after: number | null }
  }
  it.each(vectors<{ cases: AnswerCase[] }>('answers').cases)(
    '$name means what is written down',
    async (one) => {
      const client = createClient(fakeService([one.answer]).settings)
      const operations: Readonly<Record<string, () => Promise<unknown>>> = {
        'GET /v2/balance': () => client.getBalance(),
        'POST /v2/topup': () =>
          client.pay({ refid: 'A-1', product: 'NOVA', account: '60123456789', amount: 10 }),
        'POST /v2/transactions/check': () => client.disputeTransaction({ refid: 'A-1' }),
        'POST /v2/orders': () =>
          client.createOrder({ reference: 'A-1', user_id: 'u', return_url: 'https://shop.example/return' }),
        [`POST /v2/orders/${ORDER_ID}/confirm`]: () =>
          client.confirmOrder({ order_id: ORDER_ID, payment_reference: 'bank-1' }),
      }
      const found = await operations[`${one.request.method} ${one.request.path}`]?.().catch(
        (error: unknown) => error,
      )
      if ('payment' in one.expect) {
        expect(found).toEqual(one.expect.payment)
        return
      }
      const { error, code, token, retry_safe: retrySafe, retry_after: retryAfter } = one.expect
      expect(found).toBeInstanceOf(WarungError)
      expect(found).toMatchObject({
        name: error,
        token,
        retrySafe,
        requestId: 'req-1',
        status: one.answer.status,
      })
      expect((found as WarungError).code ?? null).toBe(code)
      expect((found as { retryAfterSeconds?: number }).retryAfterSeconds ?? null).toBe(retryAfter)
    },
  )
})

describe('retries', () => {
  type Wire = { failure: 'connection' | 'timeout' } | { status: number; retry_after: number | null }
  type RetryCase = Named & {
    request: Request
    attempt: number
    outcome: Wire
    expect: { repeat: boolean; wait_ms?: { min: number; max: number } }
  }
  const { cases, settings } = vectors<{
    cases: RetryCase[]
    settings: { name: string; value: unknown }[]
  }>('retries')
  const outcomeOf = (wire: Wire): Outcome =>
    'failure' in wire ? wire : { status: wire.status, retryAfterSeconds: wire.retry_after ?? undefined }

  it.each(cases)(
    'after $name the decision is as written down',
    ({ request, attempt, outcome, expect: wanted }) => {
      const [low, high] = [0, 1].map((value) =>
        decide(request, attempt, outcomeOf(outcome), { baseMs: 500, random: () => value }),
      )
      if (!wanted.repeat) {
        expect([low, high]).toEqual([{ repeat: false }, { repeat: false }])
        return
      }
      expect(low).toEqual({ repeat: true, waitMs: wanted.wait_ms?.min })
      expect(high).toEqual({ repeat: true, waitMs: wanted.wait_ms?.max })
    },
  )

  it('the numbers of the policy are those written down', () => {
    const statuses = ['Accepted', 'Processing', 'Succesful', 'Failed'] as const
    expect(Object.fromEntries(settings.map(({ name, value }) => [name, value]))).toEqual({
      attempts_max: ATTEMPTS_MAX,
      retry_after_max_seconds: RETRY_AFTER_MAX_SECONDS,
      poll_schedule_ms: POLL_SCHEDULE_MS,
      final_statuses: statuses.filter((status) => isFinal({ status })),
    })
  })
})

describe('tables', () => {
  it('every operation of the table is a method', () => {
    const { operations } = vectors<{ operations: { operation: string; method: string; path: string }[] }>(
      'operations',
    )
    const client = createClient(fakeService([{ status: 200 }]).settings) as unknown as Record<string, unknown>
    for (const { operation, ...route } of operations) {
      expect(typeof client[operation], operation).toBe('function')
      expect(ROUTES[operation as keyof typeof ROUTES]).toEqual(route)
    }
    expect(Object.keys(ROUTES)).toHaveLength(operations.length)
  })

  it('every token of the service has its remedy', () => {
    const { remedies } = vectors<{ remedies: Record<string, string> }>('remedies')
    for (const [token, remedy] of Object.entries(remedies)) expect(remedyFor(token)).toBe(remedy)
    expect(remedyFor('toString')).toBeUndefined()
  })
})
