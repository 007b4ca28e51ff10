import { afterAll, beforeAll, expect, it } from 'vitest'
import { refusalOfUrl } from '../../../outbound/targets.rules.ts'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { createReseller } from '../../accounts/service.ts'
import type { Endpoints } from './endpoints.service.ts'
import { createEndpoints } from './endpoints.service.ts'
import { openSecret } from './secrets.service.ts'

let test: TestDatabase
let nodes: Endpoints[]

beforeAll(async () => {
  test = await openTestDatabase()
  nodes = [test.database, test.openAnother()].map((database) =>
    createEndpoints({
      database,
      vault: test.vault,
      environment: 'staging',
      outbound: { refusalOf: (url) => refusalOfUrl(url, []) },
      allow: [],
      addressesOf: async () => [],
    }),
  )
})

afterAll(() => test.close())

async function newResellerId(): Promise<bigint> {
  const wanted = { name: 'Kedai Serentak', email: 'serentak@example.com', priceLevel: 'STANDARD' }
  return (await createReseller({ ...test, environment: 'staging' }, wanted)).id
}

/** The same on every node in turn, all at once. */
function onNodes<T>(count: number, work: (node: Endpoints, index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(
    Array.from({ length: count }, (_, index) => {
      const node = nodes[index % nodes.length]
      if (node === undefined) throw new Error('there are no nodes')
      return work(node, index)
    }),
  )
}

async function secretOf(resellerId: bigint): Promise<string> {
  const { rows } = await test.database.query<{ sealed_secret: Buffer }>(
    `select sealed_secret from event_endpoints where reseller_id = $1 and stream = 'balance'`,
    [resellerId],
  )
  const [row] = rows
  if (row === undefined) throw new Error('there is no endpoint')
  return openSecret(test.vault, resellerId, 'balance', row.sealed_secret)
}

it('many that configure a webhook at once: one is shown the secret, and it is the one that signs', async () => {
  const resellerId = await newResellerId()
  const puts = await onNodes(20, (node, index) =>
    node.putWebhook(resellerId, 'balance', `https://shop.example/${index}`),
  )
  const shown = puts.flatMap(({ secret }) => (secret === undefined ? [] : [secret]))
  expect(shown).toEqual([await secretOf(resellerId)])
})

it('many that rotate a secret at once: the last one signs, and it is one that was shown', async () => {
  const resellerId = await newResellerId()
  await nodes[0]?.putWebhook(resellerId, 'balance', 'https://shop.example/')
  const rotated = await onNodes(10, (node) => node.rotateSecret(resellerId, 'balance', undefined))
  expect(new Set(rotated.map(({ secret }) => secret)).size).toBe(10)
  expect(rotated.map(({ secret }) => secret)).toContain(await secretOf(resellerId))
})

it('removing and configuring at once leaves one whole configuration or none', async () => {
  const resellerId = await newResellerId()
  const results = await onNodes(20, async (node, index) => {
    if (index % 2 === 0) return (await node.putWebhook(resellerId, 'balance', 'https://shop.example/')).secret
    await node.remove(resellerId, 'balance')
    return undefined
  })
  const endpoint = await nodes[0]?.find(resellerId, 'balance')
  if (endpoint !== undefined) expect(results).toContain(await secretOf(resellerId))
  expect(await nodes[1]?.find(resellerId, 'balance')).toEqual(endpoint)
})
