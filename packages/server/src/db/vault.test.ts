import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generateMasterKey } from '../lib/secrets/sealing.ts'
import type { TestDatabase } from '../testing/database.ts'
import { openTestDatabase } from '../testing/database.ts'
import { addDataKey, openVault, rewrapDataKeys, UnknownDataKeyError } from './vault.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await openTestDatabase()
})
afterAll(() => test.close())

const secret = Buffer.from('a signing secret')

describe('the vault', () => {
  it('opens what it sealed, for the same record only', () => {
    const sealed = test.vault.seal('api_key:one', secret)
    expect(sealed.includes(secret)).toBe(false)
    expect(test.vault.open('api_key:one', sealed)).toEqual(secret)
    expect(() => test.vault.open('api_key:two', sealed)).toThrow()
  })

  it('notices every changed byte', () => {
    const sealed = test.vault.seal('api_key:one', secret)
    for (let index = 0; index < sealed.length; index += 1) {
      const changed = Buffer.from(sealed)
      changed.writeUInt8(changed.readUInt8(index) ^ 1, index)
      expect(() => test.vault.open('api_key:one', changed)).toThrow()
    }
  })

  it('two nodes that meet an empty database agree on one data key', async () => {
    const fresh = await openTestDatabase()
    await fresh.database.query('delete from data_keys')
    const vaults = await Promise.all(
      Array.from({ length: 8 }, () => openVault(fresh.openAnother(), [fresh.masterKey])),
    )
    const sealed = vaults.map((vault) => vault.seal('x', secret))
    for (const vault of vaults) for (const each of sealed) expect(vault.open('x', each)).toEqual(secret)
    await fresh.close()
  })

  it('a new master key opens everything, the old one nothing, and running nodes notice nothing', async () => {
    const fresh = await openTestDatabase()
    const before = fresh.vault.seal('x', secret)
    const next = generateMasterKey()
    expect(await rewrapDataKeys(fresh.database, [fresh.masterKey], next)).toBe(1)
    expect(await rewrapDataKeys(fresh.database, [fresh.masterKey], next)).toBe(0)
    expect((await openVault(fresh.database, [next])).open('x', before)).toEqual(secret)
    await expect(openVault(fresh.database, [fresh.masterKey])).rejects.toThrow(/WARUNG_MASTER_KEY/)
    const after = fresh.vault.seal('x', secret)
    expect((await openVault(fresh.database, [next])).open('x', after)).toEqual(secret)
    await fresh.close()
  })

  it('a node that runs on opens a data key wrapped under a master key made since', async () => {
    const fresh = await openTestDatabase()
    const next = generateMasterKey()
    const node = await openVault(fresh.database, [fresh.masterKey], async () => [next])
    await rewrapDataKeys(fresh.database, [fresh.masterKey], next)
    await addDataKey(fresh.database, next)
    const sealed = (await openVault(fresh.database, [next])).seal('x', secret)
    await node.refresh()
    expect(node.open('x', sealed)).toEqual(secret)
    await fresh.close()
  })

  it('a new data key seals from now on, and a node that does not know it yet can learn it', async () => {
    const fresh = await openTestDatabase()
    const old = fresh.vault.seal('x', secret)
    await addDataKey(fresh.database, fresh.masterKey)
    const other = await openVault(fresh.openAnother(), [fresh.masterKey])
    const sealed = other.seal('x', secret)
    expect(() => fresh.vault.open('x', sealed)).toThrow(UnknownDataKeyError)
    await fresh.vault.refresh()
    expect(fresh.vault.open('x', sealed)).toEqual(secret)
    expect(other.open('x', old)).toEqual(secret)
    await fresh.close()
  })
})
