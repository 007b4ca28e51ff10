import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createHmacKey } from '../../../lib/secrets/hmac.ts'
import type { ChainedWallet, LedgerBench } from '../../../testing/ledger.ts'
import {
  deleteEntry,
  deleteHashesFrom,
  WALLET_ENTRIES as LAST,
  openChainedWallet,
  openLedgerBench,
  updateEntry,
  updateHeadTo,
  updateWallet,
} from '../../../testing/ledger.ts'
import type { BreakKind } from './audit.types.ts'
import { CHAIN_START, hashEntry } from './chain.rules.ts'
import { listEntriesAfter } from './chain.sql.ts'

let bench: LedgerBench
let wallet: ChainedWallet

beforeAll(async () => {
  bench = await openLedgerBench()
})

afterAll(() => bench.close())

beforeEach(async () => {
  wallet = await openChainedWallet(bench)
  expect(await wallet.firstBreak()).toBeUndefined()
})

function foundAt(sequence: number, kind: BreakKind) {
  return { account: wallet.account, sequence: BigInt(sequence), kind }
}

describe('every change of the chain is found and named:', () => {
  const heads = (assignments: string) => `update chain_heads set ${assignments} where reseller_id = $1`

  it.each<[string, string, number, BreakKind]>([
    [
      'a hash',
      'update transfer_chain set hash = sha256(hash) where reseller_id = $1 and sequence = 2',
      2,
      'hash',
    ],
    ['a hash taken out', 'delete from transfer_chain where reseller_id = $1 and sequence = 2', 2, 'chain'],
    ['the end of it cut off', deleteHashesFrom(5), 5, 'chain'],
    ['all of it cut off', deleteHashesFrom(1), 1, 'chain'],
    ['the head set back', updateHeadTo(LAST - 1), LAST, 'chain'],
    ['the head taken away', 'delete from chain_heads where reseller_id = $1', 1, 'chain'],
    [`the head's hash`, heads('hash = sha256(hash)'), LAST, 'head'],
    ['the head set forward', heads('sequence = 9'), LAST + 1, 'sequence'],
  ])('%s', async (_what, statement, sequence, kind) => {
    await wallet.tamper(statement)
    expect(await wallet.firstBreak()).toMatchObject(foundAt(sequence, kind))
  })

  it('all of it computed anew over other entries, without the key', async () => {
    await wallet.tamper(updateEntry(2, `remarks = 'Never'`))
    const key = createHmacKey(randomBytes(32))
    let hash = CHAIN_START
    const start = { resellerId: wallet.id, sequence: 0n, hash }
    for (const entry of await listEntriesAfter(bench.database, [start], 100)) {
      hash = hashEntry(key, entry, hash)
      const statement = 'update transfer_chain set hash = $3 where reseller_id = $1 and sequence = $2'
      await bench.tamper(statement, [wallet.id, entry.sequence, hash])
    }
    await bench.tamper('update chain_heads set hash = $2 where reseller_id = $1', [wallet.id, hash])
    expect(await wallet.firstBreak()).toMatchObject(foundAt(1, 'hash'))
  })

  it('is refused at first: hashes are immutable', async () => {
    for (const statement of ['update transfer_chain set sequence = 1', 'delete from transfer_chain']) {
      await expect(bench.database.query(statement)).rejects.toThrow('immutable')
    }
    await expect(bench.database.query('truncate transfer_chain')).rejects.toThrow('immutable')
  })
})

describe('heads that were exported', () => {
  /** Deletes every trace of the last entry: the wallet looks as it did before it. */
  async function forgetLast(): Promise<void> {
    await wallet.tamper(
      deleteEntry(LAST),
      updateWallet(`balance = 50, sequence = ${LAST - 1}`),
      updateHeadTo(LAST - 1),
      deleteHashesFrom(LAST),
    )
    expect(await wallet.firstBreak()).toBeUndefined()
  }

  it('hold while the ledger only grows', async () => {
    const exportedHeads = await bench.exportHeads()
    const { id, account } = wallet
    expect(exportedHeads.at(-1)).toMatchObject({ account, sequence: BigInt(LAST) })
    await bench.deposit(id, 5n)
    const whole = { breaks: [], exportedHeadCount: 1 }
    expect(await bench.verify({ exportedHeads, account })).toMatchObject({ ...whole, unchainedCount: 1n })
    await bench.chain()
    expect(await bench.verify({ exportedHeads, account })).toMatchObject({ ...whole, unchainedCount: 0n })
  })

  it('show that the end of a wallet was cut off with its chain', async () => {
    const exported = await bench.exportHeads()
    await forgetLast()
    expect(await wallet.firstBreak(exported)).toMatchObject(foundAt(LAST, 'sequence'))
  })

  it('show that the end was written anew, even when the service itself has chained it', async () => {
    const exported = await bench.exportHeads()
    await forgetLast()
    await bench.deposit(wallet.id, 3n, { remarks: 'Another' })
    await bench.chain()
    expect(await wallet.firstBreak()).toBeUndefined()
    expect(await wallet.firstBreak(exported)).toMatchObject(foundAt(LAST, 'exported_head'))
  })

  it('show that the chain was cut off, and that entries were changed behind it', async () => {
    const exported = await bench.exportHeads()
    await wallet.tamper(updateHeadTo(2), deleteHashesFrom(3))
    const { account } = wallet
    expect(await bench.verify({ account })).toMatchObject({ breaks: [], unchainedCount: 4n })
    expect(await wallet.firstBreak(exported)).toMatchObject(foundAt(2, 'head'))
    await wallet.tamper(updateEntry(5, `remarks = 'Never'`))
    expect(await wallet.firstBreak()).toBeUndefined()
    expect(await wallet.firstBreak(exported)).toMatchObject(foundAt(LAST, 'exported_head'))
  })
})
