import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../../db/database.ts'
import { addDataKey, openVault, rewrapDataKeys } from '../../../db/vault.ts'
import { generateMasterKey } from '../../../lib/secrets/sealing.ts'
import type { LedgerBench } from '../../../testing/ledger.ts'
import { openLedgerBench } from '../../../testing/ledger.ts'
import { listDriftedCounts as listDrifted } from '../../payments/limits/service.ts'
import { verifyLedger } from './audit.service.ts'
import { chainEntries, startChaining } from './chain.jobs.ts'

let bench: LedgerBench

beforeEach(async () => {
  bench = await openLedgerBench()
})

afterEach(() => bench.close())

async function depositMany(resellerId: bigint, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) await bench.deposit(resellerId, BigInt(index + 1))
}

async function chainedOf(resellerId: bigint): Promise<number> {
  const { rows } = await bench.database.query<{ count: number }>(
    'select count(*)::int as count from transfer_chain where reseller_id = $1',
    [resellerId],
  )
  return rows[0]?.count ?? 0
}

async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  const deadlineMs = performance.now() + 30_000
  while (!(await condition())) {
    expect(performance.now()).toBeLessThan(deadlineMs)
    await new Promise((resume) => setTimeout(resume, 5))
  }
}

describe('chaining', () => {
  it('chains every entry once, in batches of any size, and later ones behind them', async () => {
    const resellers = [await bench.newReseller(), await bench.newReseller(), await bench.newReseller()]
    for (const [index, { id }] of resellers.entries()) await depositMany(id, 3 + index * 4)
    const summary = await chainEntries({ ...bench, batchEntries: 2 })
    expect(summary).toEqual({ entries: 21, broken: [] })
    expect(await bench.verify()).toMatchObject({ breaks: [], entryCount: 21n, unchainedCount: 0n })
    expect(await bench.chain()).toBe(0)

    await bench.deposit(resellers[1]?.id ?? 0n, 5n)
    expect(await bench.verify()).toMatchObject({ breaks: [], entryCount: 22n, unchainedCount: 1n })
    expect(await bench.chain()).toBe(1)
    expect(await bench.verify()).toMatchObject({ breaks: [], unchainedCount: 0n })
  })

  it('gives every wallet its turn while one has far more than a batch', async () => {
    const [busy, quiet] = [await bench.newReseller(), await bench.newReseller()]
    await depositMany(busy.id, 30)
    await depositMany(quiet.id, 2)
    let batches = 0
    // Stops after the first pass, which is one batch.
    const isStopped = () => {
      batches += 1
      return batches > 1
    }
    await chainEntries({ ...bench, batchEntries: 10, isStopped })
    expect([await chainedOf(busy.id), await chainedOf(quiet.id)]).toEqual([5, 2])
    expect(await bench.verify()).toMatchObject({ breaks: [], unchainedCount: 25n })
    await bench.chain()
    expect(await chainedOf(busy.id)).toBe(30)
  })

  it('chaining of many nodes at once makes one chain', async () => {
    const resellers = await Promise.all(Array.from({ length: 6 }, () => bench.newReseller()))
    for (const { id } of resellers) await depositMany(id, 8)
    const nodes = [bench.database, bench.openAnother(), bench.openAnother()]
    const runs = await Promise.all(
      nodes.map((database) => chainEntries({ database, vault: bench.vault, batchEntries: 7 })),
    )
    // A node skips wallets that another node has locked, so the last entries may be left to a later run.
    const rest = await bench.chain()
    expect(runs.reduce((sum, run) => sum + run.entries, rest)).toBe(48)
    expect(await bench.verify()).toMatchObject({ breaks: [], entryCount: 48n, unchainedCount: 0n })
  })

  it('waits for no wallet, and makes no payment wait', async () => {
    const { id } = await bench.newReseller()
    await depositMany(id, 3)
    await bench.database.transaction(async (tx) => {
      await tx.query('select from wallets where reseller_id = $1 for update', [id])
      expect(await bench.chain()).toBe(3)
    })
    await bench.deposit(id, 1n)
    // A chainer is in the middle of its batch: a payment still gets the wallet's lock.
    await bench.database.transaction(async (tx) => {
      await tx.query('select from chain_heads for update')
      await bench.deposit(id, 1n)
      expect(await bench.chain()).toBe(0)
    })
    expect(await bench.chain()).toBe(2)
  })

  it('leaves a wallet that is broken where it is, tells once, and goes on with the others', async () => {
    const [gap, setBack, whole] = [
      await bench.newReseller(),
      await bench.newReseller(),
      await bench.newReseller(),
    ]
    for (const { id } of [gap, setBack, whole]) await depositMany(id, 3)
    await bench.tamper('delete from transfers where reseller_id = $1 and sequence = 2', [gap.id])
    await bench.chain()
    await bench.tamper('delete from chain_heads where reseller_id = $1', [setBack.id])
    const problems: unknown[] = []
    let runs = 0
    const database = {
      ...bench.database,
      transaction: ((work) => {
        runs += 1
        return bench.database.transaction(work)
      }) as typeof bench.database.transaction,
    }
    const job = startChaining({ ...bench, database, everyMs: 1, onProblem: (error) => problems.push(error) })
    await bench.deposit(whole.id, 9n)
    await until(async () => (await chainedOf(whole.id)) === 4 && runs > 10)
    await job.stop()
    expect(problems.map(String).sort()).toEqual([
      expect.stringContaining(`wallet ${gap.id} cannot go on at entry 2`),
      expect.stringContaining(`wallet ${setBack.id} cannot go on at entry 1`),
    ])
    const broken = (await bench.verify()).breaks.flatMap((each) => each.account ?? [])
    expect(broken).toEqual([gap.account, setBack.account])
  })

  it('asks one question a time and opens no transaction while every entry is chained', async () => {
    const { id } = await bench.newReseller()
    await depositMany(id, 2)
    await bench.chain()
    const asked: string[] = []
    const database: Database = {
      ...bench.database,
      query(statement, values) {
        asked.push(typeof statement === 'string' ? statement : statement.name)
        return bench.database.query(statement, values)
      },
      transaction: () => Promise.reject(new Error('nothing is to be done')),
    }
    const problems: unknown[] = []
    const job = startChaining({ ...bench, database, everyMs: 1, onProblem: (error) => problems.push(error) })
    await until(() => asked.length >= 3)
    await job.stop()
    expect(problems).toEqual([])
    expect(new Set(asked)).toEqual(new Set(['wallet_chain_is_behind']))
  })

  it('runs until it is stopped, and then no more', async () => {
    const { id } = await bench.newReseller()
    const job = startChaining({
      ...bench,
      everyMs: 1,
      onProblem: (error) => {
        throw error
      },
    })
    await bench.deposit(id, 1n)
    await until(async () => (await chainedOf(id)) === 1)
    await bench.deposit(id, 1n)
    await until(async () => (await chainedOf(id)) === 2)
    await job.stop()
    await bench.deposit(id, 1n)
    expect(await bench.verify()).toMatchObject({ breaks: [], unchainedCount: 1n })
  })
})

describe('the key of the chain', () => {
  it('outlives master keys and data keys', async () => {
    const { id } = await bench.newReseller()
    await depositMany(id, 2)
    await bench.chain()
    const next = generateMasterKey()
    await rewrapDataKeys(bench.database, [bench.masterKey], next)
    await addDataKey(bench.database, next)
    const vault = await openVault(bench.database, [next])
    await bench.deposit(id, 3n)
    expect(await chainEntries({ database: bench.database, vault })).toMatchObject({ entries: 1 })
    expect(await verifyLedger({ database: bench.database, vault, listDrifted })).toMatchObject({ breaks: [] })
    // A node that started before the rotation goes on as well.
    expect(await bench.verify()).toMatchObject({ breaks: [], unchainedCount: 0n })
  })

  it('is one, whoever comes first', async () => {
    const { id } = await bench.newReseller()
    await depositMany(id, 1)
    const nodes = Array.from({ length: 5 }, () => bench.openAnother())
    await Promise.all(nodes.map((database) => chainEntries({ database, vault: bench.vault })))
    expect((await bench.database.query('select 1 from chain_keys')).rows).toHaveLength(1)
    expect(await bench.verify()).toMatchObject({ breaks: [] })
  })

  it('is the one of a node that made it, and chained with it, a moment before', async () => {
    const { id } = await bench.newReseller()
    await depositMany(id, 1)
    const own = bench.openAnother()
    let statements = 0
    const slower: Database = {
      ...own,
      async query(statement, values) {
        const found = await own.query<never>(statement, values)
        statements += 1
        // The key is made after this node has looked for it.
        if (statements === 1) await bench.chain()
        return found
      },
    }
    await chainEntries({ database: slower, vault: bench.vault })
    expect((await bench.database.query('select 1 from chain_keys')).rows).toHaveLength(1)
    expect(await bench.verify()).toMatchObject({ breaks: [], unchainedCount: 0n })
  })

  it('is not made a second time where hashes of the first are', async () => {
    const { id } = await bench.newReseller()
    await depositMany(id, 2)
    await bench.chain()
    await bench.tamper('delete from chain_keys')
    await bench.deposit(id, 1n)
    await expect(bench.chain()).rejects.toThrow('the key of the ledger chain is gone')
    expect(await bench.firstBreak()).toMatchObject({ kind: 'chain_key', found: 'none' })
  })
})
