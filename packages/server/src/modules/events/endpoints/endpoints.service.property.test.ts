import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RequestError } from '../../../lib/errors.ts'
import { refusalOfUrl } from '../../../outbound/targets.rules.ts'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { runs } from '../../../testing/runs.ts'
import { createReseller } from '../../accounts/service.ts'
import type { Endpoints } from './endpoints.service.ts'
import { createEndpoints } from './endpoints.service.ts'
import type { WebhookStream } from './endpoints.types.ts'
import { openSecret } from './secrets.service.ts'

let test: TestDatabase
let endpoints: Endpoints

beforeAll(async () => {
  test = await openTestDatabase()
  endpoints = createEndpoints({
    ...test,
    environment: 'staging',
    outbound: { refusalOf: (url) => refusalOfUrl(url, []) },
    allow: [],
    addressesOf: async () => [],
  })
})

afterAll(() => test.close())

async function newResellerId(): Promise<bigint> {
  const wanted = { name: 'Kedai Sambung', email: 'sambung@example.com', priceLevel: 'STANDARD' }
  return (await createReseller({ ...test, environment: 'staging' }, wanted)).id
}

type Model = { url: string; isEnabled: boolean; secret: string } | undefined
type Step =
  | { kind: 'put'; url: string }
  | { kind: 'enable'; isEnabled: boolean }
  | { kind: 'rotate' }
  | { kind: 'delete' }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('put' as const),
    url: fc.constantFrom('https://a.example/1', 'https://b.example/2', 'https://c.example/3'),
  }),
  fc.record({ kind: fc.constant('enable' as const), isEnabled: fc.boolean() }),
  fc.constant({ kind: 'rotate' as const }),
  fc.constant({ kind: 'delete' as const }),
)

/** Result of a step by the contract's table, and the service's result. */
async function take(model: Model, resellerId: bigint, stream: WebhookStream, each: Step): Promise<Model> {
  switch (each.kind) {
    case 'put': {
      const { endpoint, secret } = await endpoints.putWebhook(resellerId, stream, each.url)
      expect(secret === undefined).toBe(model !== undefined)
      expect(endpoint.url).toBe(each.url)
      return { isEnabled: model?.isEnabled ?? true, secret: model?.secret ?? secret ?? '', url: each.url }
    }
    case 'enable': {
      const asked = endpoints.setEnabled(resellerId, stream, each.isEnabled)
      if (model === undefined) return expectMissing(asked)
      expect((await asked).isEnabled).toBe(each.isEnabled)
      return { ...model, isEnabled: each.isEnabled }
    }
    case 'rotate': {
      const asked = endpoints.rotateSecret(resellerId, stream, undefined)
      if (model === undefined) return expectMissing(asked)
      const { secret } = await asked
      expect(secret).not.toBe(model.secret)
      return { ...model, secret }
    }
    case 'delete':
      await endpoints.remove(resellerId, stream)
      return undefined
  }
}

async function expectMissing(asked: Promise<unknown>): Promise<undefined> {
  await expect(asked).rejects.toThrow(expect.objectContaining({ status: 404 }) as RequestError)
  return undefined
}

async function expectAgreement(model: Model, resellerId: bigint, stream: WebhookStream): Promise<void> {
  const endpoint = await endpoints.find(resellerId, stream)
  if (model === undefined) {
    expect(endpoint).toBeUndefined()
    return
  }
  expect(endpoint).toMatchObject({ url: model.url, isEnabled: model.isEnabled })
  expect(endpoint?.secretLastFour).toBe(model.secret.slice(-4))
  const { rows } = await test.database.query<{
    sealed_secret: Buffer
    sealed_previous_secret: Buffer | null
  }>(
    'select sealed_secret, sealed_previous_secret from event_endpoints where reseller_id = $1 and stream = $2',
    [resellerId, stream],
  )
  const [row] = rows
  expect(row && openSecret(test.vault, resellerId, stream, row.sealed_secret)).toBe(model.secret)
  expect(row?.sealed_previous_secret).toBeNull()
}

describe('a webhook configuration', () => {
  it('moves as the contract says, whatever is asked in whatever order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom<WebhookStream>('balance', 'catalog'),
        fc.array(step, { minLength: 1, maxLength: 12 }),
        async (stream, steps) => {
          const resellerId = await newResellerId()
          let model: Model
          for (const each of steps) {
            model = await take(model, resellerId, stream, each)
            await expectAgreement(model, resellerId, stream)
          }
        },
      ),
      { numRuns: runs(40) },
    )
  })
})
