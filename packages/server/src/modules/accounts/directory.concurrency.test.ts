import { afterAll, beforeAll, expect, it } from 'vitest'
import { openVault } from '../../db/vault.ts'
import type { TestDatabase } from '../../testing/database.ts'
import { openTestDatabase } from '../../testing/database.ts'
import { openDirectory } from './directory.ts'
import {
  allowNetworks,
  clearAllowlist,
  createApiKey,
  listAllowlist,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
} from './keys.service.ts'
import type { Accounts } from './service.ts'
import {
  createReseller,
  createUser,
  listResellers,
  listUsers,
  updateReseller,
  updateUser,
} from './service.ts'
import type { Directory } from './types.ts'

type Node = { accounts: Accounts; directory: Directory }

let test: TestDatabase
let nodes: [Node, Node]

beforeAll(async () => {
  test = await openTestDatabase()
  const openNode = async (pollMs: number): Promise<Node> => {
    const database = test.openAnother()
    const vault = await openVault(database, [test.masterKey])
    const directory = await openDirectory({ database, vault, environment: 'staging', pollMs })
    return { accounts: { database, vault, environment: 'staging' }, directory }
  }
  nodes = [await openNode(1_000), await openNode(15)]
})

afterAll(async () => {
  await Promise.all(nodes.map((node) => node.directory.close()))
  await test.close()
})

const makeReseller = (accounts: Accounts, name = 'Kedai Lumba') =>
  createReseller(accounts, { name, email: 'lumba@example.com', priceLevel: 'STANDARD' })

it('a key revoked through one node stops on the other within a poll', async () => {
  const [one, other] = nodes
  const { id } = await makeReseller(one.accounts)
  const key = await createApiKey(one.accounts, id)
  await Promise.all(nodes.map((node) => node.directory.refresh()))
  for (const node of nodes) expect(node.directory.findKey(key.key)).toBeDefined()

  await revokeApiKey(other.accounts, id, key.id)
  while (one.directory.findKey(key.key) !== undefined) {
    await new Promise((resume) => setTimeout(resume, 2))
  }
})

it('after a storm of changes through two nodes each directory equals the tables', async () => {
  const resellers = await Promise.all(
    Array.from({ length: 4 }, (_, index) => makeReseller(nodes[index % 2 === 0 ? 0 : 1].accounts)),
  )
  const storm: Promise<unknown>[] = []
  for (let round = 0; round < 12; round += 1) {
    const { accounts } = nodes[round % 2 === 0 ? 0 : 1]
    for (const { id } of resellers) storm.push(...changesOf(accounts, id, round))
    storm.push(makeReseller(accounts, `Kedai Baru ${round}`))
  }
  const outcomes = await Promise.allSettled(storm)
  expect(outcomes.filter((outcome) => outcome.status === 'rejected')).toEqual([])

  for (const { directory } of nodes) {
    await directory.refresh()
    await expectEqualToTables(directory)
  }
})

function changesOf(accounts: Accounts, id: bigint, round: number): Promise<unknown>[] {
  return [
    updateReseller(accounts, id, { name: `Kedai ${id} ${round}`, access: round % 2 === 0 ? 0 : 50 }),
    createApiKey(accounts, id).then((key) =>
      round % 3 === 0
        ? revokeApiKey(accounts, id, key.id)
        : rotateApiKey(accounts, id, key.id, { graceSeconds: round % 3 === 1 ? 0 : 3_600 }),
    ),
    round % 5 === 4
      ? clearAllowlist(accounts, id)
      : allowNetworks(accounts, id, { networks: [`10.${round}.0.0/16`] }),
    ...(round % 6 === 0
      ? [
          createUser(accounts, id, {
            username: `lumba.${id}.${round}`,
            password: 'long enough to do',
            role: 'viewer',
          }).then((user) => updateUser(accounts, id, user.id, { role: 'admin' })),
        ]
      : []),
  ]
}

async function expectEqualToTables(directory: Directory): Promise<void> {
  const { database } = test
  for (const reseller of await listResellers(database, { limit: 1_000 })) {
    const held = directory.findReseller(reseller.id)
    expect(held).toMatchObject({ account: reseller.account, name: reseller.name, access: reseller.access })

    for (const key of await listApiKeys(database, reseller.id)) {
      const works = key.state === 'active' || key.state === 'in_grace'
      expect(directory.findKey(key.key)?.id).toBe(works ? key.id : undefined)
    }
    for (const user of await listUsers(database, reseller.id)) {
      expect(directory.findUser(reseller.id, user.id)?.role).toBe(user.role)
    }
    const networks = (await listAllowlist(database, reseller.id)).map((entry) => entry.network)
    for (let round = 0; round < 12; round += 1) {
      const allowed = networks.length === 0 || networks.includes(`10.${round}.0.0/16`)
      expect(held?.allowsAddress(`10.${round}.3.4`)).toBe(allowed)
    }
  }
}
