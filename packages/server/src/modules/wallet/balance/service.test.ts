import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Amount } from '../../../lib/money.ts'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { createReseller } from '../../accounts/service.ts'
import {
  adjust,
  balanceAsOf,
  commission,
  deposit,
  findHeldWallets,
  findPostingUnderLock,
  holdWallet,
} from './service.ts'
import { listBalances } from './sql.ts'
import type { Entry } from './types.ts'

let test: TestDatabase

beforeAll(async () => {
  test = await openTestDatabase()
})

afterAll(() => test.close())

async function newReseller(): Promise<bigint> {
  const accounts = { ...test, environment: 'staging' } as const
  const reseller = await createReseller(accounts, {
    name: 'Kedai Dompet',
    email: 'dompet@example.com',
    priceLevel: 'STANDARD',
  })
  return reseller.id
}

function pay(resellerId: bigint, amount: Amount, remarks = 'Cash'): Promise<Entry> {
  return test.database.transaction((tx) => deposit(tx, { resellerId, amount, remarks }))
}

type Row = { sequence: bigint; amount: bigint; balance_after: bigint; house_account: string; remarks: string }

async function statementOf(resellerId: bigint): Promise<Row[]> {
  const { rows } = await test.database.query<Row>(
    `select sequence, amount, balance_after, house_account, remarks
       from transfers where reseller_id = $1 order by sequence`,
    [resellerId],
  )
  return rows
}

async function walletOf(resellerId: bigint): Promise<{ balance: bigint; sequence: bigint } | undefined> {
  const { rows } = await test.database.query<{ balance: bigint; sequence: bigint }>(
    'select balance, sequence from wallets where reseller_id = $1',
    [resellerId],
  )
  return rows[0]
}

/** Expects no gap, each balance to be the one before plus the amount, and the wallet's row to match its last entry. */
async function expectCoherent(resellerId: bigint): Promise<Row[]> {
  const rows = await statementOf(resellerId)
  let balance = 0n
  for (const [index, row] of rows.entries()) {
    balance += row.amount
    expect(row).toMatchObject({ sequence: BigInt(index + 1), balance_after: balance, house_account: 'bank' })
  }
  expect(await walletOf(resellerId)).toEqual({ balance, sequence: BigInt(rows.length) })
  expect((await listBalances(test.database, [resellerId])).get(resellerId)).toBe(balance)
  return rows
}

describe('a wallet', () => {
  it('is born empty with its reseller', async () => {
    const resellerId = await newReseller()
    expect(await walletOf(resellerId)).toEqual({ balance: 0n, sequence: 0n })
    expect(await expectCoherent(resellerId)).toEqual([])
  })

  it('holds the sum of whatever was deposited, to the ten-thousandth', async () => {
    const amount = fc.bigInt({ min: 1n, max: 10_000_000_000_000n })
    await fc.assert(
      fc.asyncProperty(fc.array(amount, { minLength: 1, maxLength: 8 }), async (amounts) => {
        const resellerId = await newReseller()
        for (const [index, each] of amounts.entries()) {
          const entry = await pay(resellerId, each, `No. ${index}`)
          expect(entry).toMatchObject({ resellerId, amount: each, sequence: BigInt(index + 1) })
        }
        const rows = await expectCoherent(resellerId)
        expect(rows.map((row) => row.amount)).toEqual(amounts)
        expect(rows.at(-1)?.balance_after).toBe(amounts.reduce((sum, each) => sum + each, 0n))
      }),
      { numRuns: 15 },
    )
  })

  it('stays coherent when 50 deposits come at once, through two nodes', async () => {
    const [resellerId, other] = [await newReseller(), await newReseller()]
    const nodes = [test.database, test.openAnother()]
    const entries = await Promise.all(
      Array.from({ length: 50 }, (_, index) => {
        const [node = test.database] = nodes.slice(index % 2)
        const command = { resellerId: index % 5 === 0 ? other : resellerId, amount: BigInt(index + 1) }
        return node.transaction((tx) => deposit(tx, { ...command, remarks: `No. ${index}` }))
      }),
    )
    const rows = [...(await expectCoherent(resellerId)), ...(await expectCoherent(other))]
    expect(rows).toHaveLength(50)
    expect(new Set(rows.map((row) => row.remarks)).size).toBe(50)
    expect(rows.reduce((sum, row) => sum + row.amount, 0n)).toBe(1275n)
    // The answer of each caller matches its row.
    for (const entry of entries) {
      const row = rows.find((candidate) => candidate.remarks === entry.remarks)
      expect(row).toMatchObject({ sequence: entry.sequence, balance_after: entry.balanceAfter })
    }
  })

  it('keeps nothing of a deposit whose transaction fails afterwards', async () => {
    const resellerId = await newReseller()
    await pay(resellerId, 5n)
    const failing = test.database.transaction(async (tx) => {
      await deposit(tx, { resellerId, amount: 7n, remarks: 'Never' })
      throw new Error('afterwards')
    })
    await expect(failing).rejects.toThrow('afterwards')
    expect(await expectCoherent(resellerId)).toHaveLength(1)
    await pay(resellerId, 9n)
    expect(await expectCoherent(resellerId)).toHaveLength(2)
  })

  it('refuses a deposit that is not greater than zero, and one for nobody', async () => {
    const resellerId = await newReseller()
    await expect(pay(resellerId, 0n)).rejects.toThrow('greater than zero')
    await expect(pay(resellerId, -1n)).rejects.toThrow('greater than zero')
    await expect(pay(999_999_999n, 1n)).rejects.toThrow('every reseller has a wallet')
    expect(await expectCoherent(resellerId)).toEqual([])
  })

  it('overflows into an error, never into another sum', async () => {
    const resellerId = await newReseller()
    const most = 9_223_372_036_854_775_807n
    await pay(resellerId, most)
    await expect(pay(resellerId, 1n)).rejects.toThrow('out of range')
    expect(await expectCoherent(resellerId)).toHaveLength(1)
  })
})

describe('an entry by an operator', () => {
  const post = (kind: typeof deposit, resellerId: bigint, amount: Amount, reference?: string) =>
    test.database.transaction((tx) => kind(tx, { resellerId, amount, remarks: 'Why', reference }))

  it('moves money between the wallet and the house account of its kind', async () => {
    const resellerId = await newReseller()
    await post(deposit, resellerId, 100n)
    await post(commission, resellerId, 5n)
    await post(adjust, resellerId, -20n)
    await post(adjust, resellerId, 3n)
    expect(await statementOf(resellerId)).toMatchObject([
      { house_account: 'bank', amount: 100n, balance_after: 100n },
      { house_account: 'commissions', amount: 5n, balance_after: 105n },
      { house_account: 'adjustments', amount: -20n, balance_after: 85n },
      { house_account: 'adjustments', amount: 3n, balance_after: 88n },
    ])
  })

  it('takes the last unit there is, and not one more', async () => {
    const resellerId = await newReseller()
    await post(deposit, resellerId, 125_000n)
    await expect(post(adjust, resellerId, -125_001n)).rejects.toMatchObject({
      status: 409,
      code: 'insufficient_balance',
      publicText: expect.stringContaining('holds 12.50'),
      fields: { amount: [expect.stringContaining('12.50')] },
    })
    expect(await post(adjust, resellerId, -125_000n)).toMatchObject({ balanceAfter: 0n })
    expect(await statementOf(resellerId)).toHaveLength(2)
  })

  it('a reference that was there before gives the first entry back and moves nothing', async () => {
    const resellerId = await newReseller()
    const first = await post(adjust, resellerId, 50n, 'A-1')
    expect(first.isRepeat).toBe(false)
    await post(adjust, resellerId, -50n)
    expect(await post(adjust, resellerId, 50n, 'A-1')).toEqual({ ...first, isRepeat: true })
    // A repeat is answered even if the balance no longer allows the entry.
    const out = await post(adjust, await fundedReseller(30n), -30n, 'A-2')
    expect(await post(adjust, out.resellerId, -30n, 'A-2')).toEqual({ ...out, isRepeat: true })
    expect(await statementOf(resellerId)).toHaveLength(2)
  })

  it('a reference that was there with other content is refused', async () => {
    const resellerId = await newReseller()
    await post(deposit, resellerId, 50n, 'B-1')
    const fields = { reference: [expect.any(String)] }
    const other = { status: 409, code: 'reference_taken', fields }
    await expect(post(deposit, resellerId, 51n, 'B-1')).rejects.toMatchObject(other)
    await expect(post(adjust, resellerId, 50n, 'B-1')).rejects.toMatchObject(other)
    await expect(post(commission, resellerId, 50n, 'B-1')).rejects.toMatchObject(other)
    const reworded = { resellerId, amount: 50n, remarks: 'Else', reference: 'B-1' }
    await expect(test.database.transaction((tx) => deposit(tx, reworded))).rejects.toMatchObject(other)
    expect(await expectCoherent(resellerId)).toHaveLength(1)
    // References are unique per reseller.
    expect(await post(deposit, await newReseller(), 51n, 'B-1')).toMatchObject({ isRepeat: false })
  })

  it('keeps no reference of an entry whose transaction failed', async () => {
    const resellerId = await newReseller()
    await expect(post(adjust, resellerId, -1n, 'C-1')).rejects.toMatchObject({ code: 'insufficient_balance' })
    expect(await post(adjust, resellerId, 1n, 'C-1')).toMatchObject({ isRepeat: false })
  })

  it('an entry of zero, or a negative one where only positive ones are allowed, is refused', async () => {
    const resellerId = await newReseller()
    await expect(post(adjust, resellerId, 0n)).rejects.toThrow('moves something')
    await expect(post(commission, resellerId, 0n)).rejects.toThrow('greater than zero')
    await expect(post(commission, resellerId, -1n)).rejects.toThrow('greater than zero')
    expect(await statementOf(resellerId)).toEqual([])
    // The smallest ones of each kind are taken.
    for (const kind of [deposit, commission, adjust]) await post(kind, resellerId, 1n)
    expect(await statementOf(resellerId)).toHaveLength(3)
  })

  it('is never dated before the one it follows, whatever the clock says', async () => {
    const resellerId = await newReseller()
    const { createdAt } = await pay(resellerId, 5n)
    const ahead = `update transfers set created_at = created_at + interval '1 hour' where reseller_id = $1`
    await test.database.transaction(async (tx) => {
      await tx.query('set local session_replication_role = replica')
      await tx.query(ahead, [resellerId])
      await tx.query(
        `update wallets set last_entry_at = last_entry_at + interval '1 hour' where reseller_id = $1`,
        [resellerId],
      )
    })
    const [first, second] = [await pay(resellerId, 5n), await pay(resellerId, 5n)]
    expect(first.createdAt.getTime()).toBe(createdAt.getTime() + 3_600_000)
    expect(second.createdAt.getTime()).toBe(first.createdAt.getTime())
    const atMicros = BigInt(first.createdAt.getTime() + 1) * 1_000n
    expect(await balanceAsOf(test.database, resellerId, atMicros)).toMatchObject({ balance: 15n })
  })

  async function fundedReseller(amount: Amount): Promise<bigint> {
    const resellerId = await newReseller()
    await pay(resellerId, amount)
    return resellerId
  }
})

describe('a wallet that somebody holds', () => {
  it('is known as held, waited for, and then refused as busy without any movement', async () => {
    const [resellerId, other] = [await newReseller(), await newReseller()]
    const node = test.openAnother()
    const refused = await test.database.transaction(async (tx) => {
      await holdWallet(tx, resellerId)
      expect(await findHeldWallets(node, [resellerId, other])).toEqual(new Set([resellerId]))
      return Promise.allSettled([
        node.transaction((second) => deposit(second, { resellerId, amount: 5n, remarks: 'Late' })),
        node.transaction((second) => findPostingUnderLock(second, resellerId, 'D-1')),
        node.transaction((second) => deposit(second, { resellerId: other, amount: 5n, remarks: 'Beside' })),
      ])
    })
    expect(refused).toMatchObject([
      {
        reason: {
          status: 503,
          code: 'wallet_busy',
          headers: { 'Retry-After': '5' },
          publicText: expect.stringContaining('Nothing was moved'),
        },
      },
      { reason: { message: expect.stringContaining('lock timeout') } },
      { value: { balanceAfter: 5n } },
    ])
    expect(await findHeldWallets(node, [resellerId, other])).toEqual(new Set())
    expect(await expectCoherent(resellerId)).toEqual([])
  })

  it('a posting that is looked for under the lock is found by its reference', async () => {
    const resellerId = await newReseller()
    const posting = { resellerId, amount: 5n, remarks: 'Cash', reference: 'D-2' }
    const { isRepeat: _, ...entry } = await test.database.transaction((tx) => deposit(tx, posting))
    const find = (reference: string) =>
      test.database.transaction((tx) => findPostingUnderLock(tx, resellerId, reference))
    expect(await find('D-2')).toEqual(entry)
    expect(await find('D-3')).toBeUndefined()
  })

  it('a wallet without entries holds nothing at any instant', async () => {
    const nothing = { balance: 0n, sequence: 0n, atMicros: undefined }
    expect(await balanceAsOf(test.database, await newReseller(), BigInt(Date.now()) * 1_000n)).toEqual(
      nothing,
    )
  })
})

describe('the database itself', () => {
  it.each([
    ['changed', 'update transfers set amount = amount + 1 where reseller_id = $1'],
    ['given another remark', `update transfers set remarks = 'other' where reseller_id = $1`],
    ['deleted', 'delete from transfers where reseller_id = $1'],
    ['moved to another wallet', 'update transfers set reseller_id = reseller_id where reseller_id = $1'],
  ])('lets no transfer be %s', async (_what, statement) => {
    const resellerId = await newReseller()
    await pay(resellerId, 100n)
    await expect(test.database.query(statement, [resellerId])).rejects.toThrow('transfers are immutable')
    expect(await expectCoherent(resellerId)).toHaveLength(1)
  })

  it('lets neither transfers nor wallets be emptied at a stroke', async () => {
    await expect(test.database.query('truncate transfers')).rejects.toThrow('transfers are immutable')
    await expect(test.database.query('truncate wallets cascade')).rejects.toThrow('wallets are kept')
    await expect(test.database.query('delete from wallets')).rejects.toThrow('wallets are kept')
  })

  it('lets no balance fall below zero, in the wallet or in an entry', async () => {
    const resellerId = await newReseller()
    await pay(resellerId, 100n)
    const sink = 'update wallets set balance = -1 where reseller_id = $1'
    await expect(test.database.query(sink, [resellerId])).rejects.toThrow('wallets_balance_check')
    const entry = `insert into transfers (reseller_id, sequence, kind, house_account, amount, balance_after, remarks)
                   values ($1, $2, 'adjustment', 'adjustments', $3, $4, '')`
    const values = [resellerId, 2n, -101n, -1n]
    await expect(test.database.query(entry, values)).rejects.toThrow('transfers_balance_after_check')
    await expect(test.database.query(entry, [resellerId, 2n, 0n, 100n])).rejects.toThrow('amount_check')
    await expect(test.database.query(entry, [resellerId, 1n, 1n, 101n])).rejects.toThrow('transfers_pkey')
  })

  it('gives every reseller one wallet, and lets it keep it', async () => {
    const resellerId = await newReseller()
    const again = 'insert into wallets (reseller_id) values ($1)'
    await expect(test.database.query(again, [resellerId])).rejects.toThrow('wallets_pkey')
    const remove = 'delete from resellers where id = $1'
    await expect(test.database.query(remove, [resellerId])).rejects.toThrow('wallets')
  })
})

describe('entries that are posted in a batch', () => {
  type NewEntry = { readonly resellerId: bigint; readonly sequence: bigint; readonly balance: bigint }

  /** Posts refunds of 5, as the functions that move payments do. */
  function postRefunds(entries: readonly NewEntry[]) {
    return test.database.query(
      `select post_entries(p_kind => 'refund', p_house_account => 'provider_clearing', p_resellers => $1::bigint[],
         p_sequences => $2::bigint[], p_amounts => $3::bigint[], p_balances => $4::bigint[],
         p_payments => $5::bigint[], p_remarks => $6::text[], p_at => clock_timestamp())`,
      [
        entries.map(({ resellerId }) => resellerId),
        entries.map(({ sequence }) => sequence),
        entries.map(() => 5n),
        entries.map(({ balance }) => balance),
        entries.map((_, index) => BigInt(index + 1)),
        entries.map(() => 'Refund'),
      ],
    )
  }

  it('take the wallet to the balance of the last one', async () => {
    const [one, other] = [await newReseller(), await newReseller()]
    for (const id of [one, other]) await pay(id, 10n)
    await postRefunds([
      { resellerId: one, sequence: 2n, balance: 15n },
      { resellerId: one, sequence: 3n, balance: 20n },
      { resellerId: other, sequence: 2n, balance: 15n },
    ])
    expect(await walletOf(one)).toEqual({ balance: 20n, sequence: 3n })
    expect(await walletOf(other)).toEqual({ balance: 15n, sequence: 2n })
  })

  it.each([
    ['leave a number out', 3n],
    ['leave many out', 100n],
  ])('are refused when they %s, and those of other wallets with them', async (_, sequence) => {
    const [one, other] = [await newReseller(), await newReseller()]
    for (const id of [one, other]) await pay(id, 10n)
    const posted = postRefunds([
      { resellerId: one, sequence: 2n, balance: 15n },
      { resellerId: other, sequence, balance: 15n },
    ])
    await expect(posted).rejects.toThrow('entries do not follow on their wallets: 1 of 2 wallets')
    for (const id of [one, other]) expect(await walletOf(id)).toEqual({ balance: 10n, sequence: 1n })
  })
})
