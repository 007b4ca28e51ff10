import { decodeProtectedHeader, importJWK, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database, Statement } from '../../db/database.ts'
import { addDataKey, openVault } from '../../db/vault.ts'
import type { TestUser, TokenNode, TokensBench } from '../../testing/tokens.ts'
import { newAddress, openTokensBench } from '../../testing/tokens.ts'
import { openTokenKeys } from './token-keys.service.ts'
import { KEY_RETIREMENT_SECONDS } from './tokens.rules.ts'

let bench: TokensBench
let user: TestUser

beforeAll(async () => {
  bench = await openTokensBench()
  user = await bench.newUser()
})
afterAll(() => bench.close())

const issue = (node: TokenNode) =>
  node.tokens.issue({ username: user.username, password: user.password, address: newAddress() })

const kidsOf = (node: TokenNode) => node.tokens.jwks().keys.map((key) => key.kid)

async function listKeys() {
  const { rows } = await bench.database.query<{ kid: string; seconds_left: number | null }>(
    `select kid, extract(epoch from retires_at - clock_timestamp())::float8 as seconds_left
     from token_keys order by created_at`,
  )
  return rows
}

/** Wraps the database and counts how often the keys were read. */
function watched(database: Database) {
  const seen = { looks: 0 }
  const watching: Database = {
    ...database,
    query(statement, values) {
      const text = typeof statement === 'string' ? statement : statement.text
      if (text.includes('from token_keys')) seen.looks += 1
      return database.query(statement, values)
    },
  }
  return { watching, seen }
}

describe('the first key', () => {
  it('is one, however many nodes find an empty database at once', async () => {
    expect(await listKeys()).toEqual([])
    const nodes = 5
    const waiting: (() => void)[] = []
    /** Opens a node that waits after its first read until every node has read. */
    const openTogether = () => {
      let looked = false
      const database: Database = {
        ...bench.database,
        async query<R extends object>(statement: Statement | string, values?: readonly unknown[]) {
          const result = await bench.database.query<R>(statement, values)
          if (!looked) {
            looked = true
            await new Promise<void>((resolve) => {
              waiting.push(resolve)
              if (waiting.length === nodes) for (const goOn of waiting) goOn()
            })
          }
          return result
        },
      }
      return openTokenKeys({ database, vault: bench.vault, onPollError: () => {} })
    }
    const opened = await Promise.all(Array.from({ length: nodes }, openTogether))
    const rows = await listKeys()
    expect(rows).toEqual([{ kid: expect.any(String), seconds_left: null }])
    for (const keys of opened) {
      expect((await keys.getSigningKey()).kid).toBe(rows[0]?.kid)
      await keys.close()
    }
  })

  it('is published without its private half, in a form that others can verify with', async () => {
    const node = await bench.openNode()
    const { keys } = node.tokens.jwks()
    expect(keys).toEqual([
      {
        kty: 'EC',
        crv: 'P-256',
        alg: 'ES256',
        use: 'sig',
        kid: expect.any(String),
        x: expect.any(String),
        y: expect.any(String),
      },
    ])
    const [key] = keys as [(typeof keys)[number]]
    await jwtVerify((await issue(node)).idToken, await importJWK(key))
  })
})

describe('rotation', () => {
  it('a token of the new key verifies at once on a node that has not heard of it', async () => {
    const [first, second] = [await bench.openNode(), await bench.openNode()]
    const [before] = kidsOf(first)
    const old = await issue(first)
    const { kid } = await first.tokens.rotateKey()
    expect(kidsOf(first)).toEqual([kid, before])
    expect(kidsOf(second)).toEqual([before])
    const fresh = await issue(first)
    expect(decodeProtectedHeader(fresh.idToken).kid).toBe(kid)
    expect((await second.tokens.verify(fresh.idToken)).user.id).toBe(user.userId)
    expect(kidsOf(second)).toEqual([kid, before])
    for (const node of [first, second]) await node.tokens.verify(old.idToken)
    expect(decodeProtectedHeader((await issue(second)).idToken).kid).toBe(kid)
  })

  it('a token that an outdated node signs with the old key verifies everywhere', async () => {
    const [first, second] = [await bench.openNode(), await bench.openNode()]
    const [before] = kidsOf(second)
    await first.tokens.rotateKey()
    const { idToken } = await issue(second)
    expect(decodeProtectedHeader(idToken).kid).toBe(before)
    await first.tokens.verify(idToken)
    await (await bench.openNode()).tokens.verify(idToken)
  })

  it('keeps the old key for as long as a token of it may live, and no longer', async () => {
    const node = await bench.openNode()
    const { idToken } = await issue(node)
    const { kid } = await node.tokens.rotateKey()
    const rows = await listKeys()
    expect(rows.at(-1)).toEqual({ kid, seconds_left: null })
    const old = rows.at(-2)
    expect(old?.kid).toBe(decodeProtectedHeader(idToken).kid)
    expect(old?.seconds_left).toBeGreaterThan(KEY_RETIREMENT_SECONDS - 60)
    expect(old?.seconds_left).toBeLessThanOrEqual(KEY_RETIREMENT_SECONDS)

    await node.tokens.verify(idToken)
    await bench.database.query('update token_keys set retires_at = clock_timestamp() where kid = $1', [
      old?.kid,
    ])
    const { kid: newest } = await node.tokens.rotateKey()
    expect(kidsOf(node)).toContain(newest)
    expect(kidsOf(node)).not.toContain(old?.kid)
    await expect(node.tokens.verify(idToken)).rejects.toMatchObject({ code: 'invalid_token' })
  })

  it('a rotation on many nodes at once leaves one key that signs', async () => {
    const nodes = await Promise.all(Array.from({ length: 4 }, () => bench.openNode()))
    await Promise.all(nodes.map((node) => node.tokens.rotateKey()))
    const signing = (await listKeys()).filter((row) => row.seconds_left === null)
    expect(signing).toHaveLength(1)
    const { idToken } = await issue(await bench.openNode())
    expect(decodeProtectedHeader(idToken).kid).toBe(signing[0]?.kid)
    for (const node of nodes) await node.tokens.verify(idToken)
  })

  it('a private key sealed under a data key that a node has not loaded yet opens there too', async () => {
    const { database, masterKey } = bench
    const vault = await openVault(database, [masterKey])
    const keys = await openTokenKeys({ database, vault, onPollError: () => {} })
    await addDataKey(database, masterKey)
    const { kid } = await (await bench.openNode()).tokens.rotateKey()
    expect(await keys.findPublicKey(kid)).toBeDefined()
    expect((await keys.getSigningKey()).kid).toBe(kid)
    await keys.close()
  })
})

describe('unknown key ids', () => {
  it('made up by the hundred cost one look at the database a second', async () => {
    const { watching, seen } = watched(bench.database)
    const keys = await openTokenKeys({ database: watching, vault: bench.vault, onPollError: () => {} })
    seen.looks = 0
    const find = (kid: string) => keys.findPublicKey(kid)
    expect(await find('made up')).toBeUndefined()
    expect(seen.looks).toBe(1)
    for (const round of [1, 2]) {
      const found = await Promise.all(Array.from({ length: 300 }, (_, index) => find(`${round} ${index}`)))
      expect(found.every((key) => key === undefined)).toBe(true)
    }
    expect(seen.looks).toBe(3)
    await keys.close()
  })

  it('do not hide a real one that comes between two looks', async () => {
    const keys = await openTokenKeys({ database: bench.database, vault: bench.vault, onPollError: () => {} })
    await keys.findPublicKey('made up')
    const { kid } = await (await bench.openNode()).tokens.rotateKey()
    const [junk, real] = await Promise.all([keys.findPublicKey('made up too'), keys.findPublicKey(kid)])
    expect(junk).toBeUndefined()
    expect(real).toBeDefined()
    await keys.close()
  })

  it('known ones cost none', async () => {
    const { watching, seen } = watched(bench.database)
    const keys = await openTokenKeys({ database: watching, vault: bench.vault, onPollError: () => {} })
    const { kid } = await keys.getSigningKey()
    seen.looks = 0
    for (const _use of [1, 2, 3]) expect(await keys.findPublicKey(kid)).toBeDefined()
    expect(seen.looks).toBe(0)
    await keys.close()
  })
})
