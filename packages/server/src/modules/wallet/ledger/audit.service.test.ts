import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
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
import type { BreakKind, ExportedHead } from './audit.types.ts'
import { CHAIN_START } from './chain.rules.ts'

describe('faults in a wallet', () => {
  let bench: LedgerBench
  let wallet: ChainedWallet

  beforeAll(async () => {
    bench = await openLedgerBench()
    // An attacker with all rights can also drop constraints.
    await bench.database.query('alter table transfers drop constraint transfers_sequence_check')
    await bench.database.query('drop index transfers_one_refund')
  })

  afterAll(() => bench.close())

  beforeEach(async () => {
    wallet = await openChainedWallet(bench)
    expect(await wallet.firstBreak()).toBeUndefined()
  })

  function foundAt(sequence: number, kind: BreakKind) {
    return { account: wallet.account, sequence: BigInt(sequence), kind }
  }

  it.each<[string, string[], number, BreakKind]>([
    ['amount', [updateEntry(3, 'amount = 11')], 3, 'balance'],
    ['balance', [updateEntry(3, 'balance_after = 31')], 3, 'balance'],
    [
      'amount and every balance after it',
      [
        updateEntry(3, 'amount = amount + 1'),
        'update transfers set balance_after = balance_after + 1 where reseller_id = $1 and sequence >= 3',
        updateWallet('balance = balance + 1'),
      ],
      3,
      'hash',
    ],
    [
      'amount, made up for by the next one',
      [updateEntry(3, 'amount = 9, balance_after = 29'), updateEntry(4, 'amount = 11')],
      3,
      'hash',
    ],
    ['remarks', [updateEntry(4, `remarks = 'No. x'`)], 4, 'hash'],
    ['reference', [updateEntry(4, `reference = 'R9'`)], 4, 'hash'],
    ['reference, to none', [updateEntry(4, 'reference = null')], 4, 'hash'],
    [
      'payment',
      [updateEntry(2, `kind = 'refund', house_account = 'provider_clearing', payment_id = 1`)],
      2,
      'hash',
    ],
    ['kind', [updateEntry(2, `kind = 'commission', house_account = 'commissions'`)], 2, 'hash'],
    ['kind alone', [updateEntry(2, `kind = 'commission'`)], 2, 'shape'],
    ['house account alone', [updateEntry(2, `house_account = 'commissions'`)], 2, 'shape'],
    [
      'time, by a microsecond',
      [updateEntry(1, `created_at = created_at - interval '1 microsecond'`)],
      1,
      'hash',
    ],
    [
      'time, to before the last one',
      [updateEntry(3, `created_at = created_at - interval '1 day'`)],
      3,
      'time',
    ],
  ])('an entry that was given another %s is named', async (_what, statements, sequence, kind) => {
    await wallet.tamper(...statements)
    const found = await wallet.firstBreak()
    expect(found).toMatchObject(foundAt(sequence, kind))
    expect(found?.expected).not.toBe(found?.found)
  })

  const walletBeforeLast = updateWallet(`balance = 50, sequence = ${LAST - 1}`)
  const insertGift = (sequence: number, balance: number) =>
    `insert into transfers (reseller_id, sequence, kind, house_account, amount, balance_after, remarks)
     values ($1, ${sequence}, 'deposit', 'bank', 5, ${balance}, 'Gift')`

  it.each<[string, readonly string[], number, BreakKind]>([
    ['a middle entry taken out', [deleteEntry(3)], 3, 'sequence'],
    ['the first entry taken out', [deleteEntry(1)], 1, 'sequence'],
    ['the last entry taken out', [deleteEntry(LAST)], LAST, 'sequence'],
    ['the last one, and the wallet set back', [deleteEntry(LAST), walletBeforeLast], LAST, 'sequence'],
    [
      'the last one, and wallet and head set back',
      [deleteEntry(LAST), walletBeforeLast, updateHeadTo(LAST - 1)],
      LAST,
      'sequence',
    ],
    [
      'the last one and its hash, and the wallet set back',
      [deleteEntry(LAST), walletBeforeLast, deleteHashesFrom(LAST)],
      LAST,
      'sequence',
    ],
    ['an entry put in at the end', [insertGift(LAST + 1, 45)], LAST + 1, 'wallet'],
    ['an entry with a number below all others', [insertGift(-1, 5)], 1, 'sequence'],
    [
      'an entry put in in the middle, the later ones moved',
      [
        'update transfers set sequence = sequence + 100 where reseller_id = $1 and sequence >= 3',
        `update transfers set sequence = sequence - 99, balance_after = balance_after + 5
          where reseller_id = $1 and sequence > 100`,
        insertGift(3, 25),
        updateEntry(
          3,
          `created_at = (select created_at from transfers where reseller_id = $1 and sequence = 4)`,
        ),
        updateWallet('balance = balance + 5, sequence = sequence + 1'),
      ],
      3,
      'hash',
    ],
    [
      'two entries of one amount swapped',
      [
        updateEntry(3, 'sequence = -3'),
        updateEntry(4, 'sequence = 3, balance_after = 30'),
        updateEntry(-3, 'sequence = 4, balance_after = 40'),
        `update transfers set created_at = (select max(created_at) from transfers where reseller_id = $1)
          where reseller_id = $1 and sequence >= 3`,
      ],
      3,
      'hash',
    ],
    ['another balance in the row of the wallet', [updateWallet('balance = balance + 1')], LAST, 'wallet'],
  ])('%s: is named', async (_what, statements, sequence, kind) => {
    await wallet.tamper(...statements)
    expect(await wallet.firstBreak()).toMatchObject(foundAt(sequence, kind))
  })

  type Movement = readonly [kind: 'payment' | 'refund', amount: number, paymentId: number]

  /** Appends entries after the balance of 40, chained like all others. */
  async function move(...movements: readonly Movement[]): Promise<void> {
    let balance = 40
    let sequence = LAST
    for (const [kind, amount, paymentId] of movements) {
      balance += amount
      sequence += 1
      await wallet.tamper(
        `insert into transfers
           (reseller_id, sequence, kind, house_account, amount, balance_after, remarks, payment_id)
         values ($1, ${sequence}, '${kind}', 'provider_clearing', ${amount}, ${balance}, '', ${paymentId})`,
      )
    }
    await wallet.tamper(updateWallet(`balance = ${balance}, sequence = ${sequence}`))
    await bench.chain()
  }

  it('payments taken once, and given back in full or not at all, are right', async () => {
    await move(['payment', -5, 1], ['payment', -6, 2], ['refund', 5, 1])
    expect(await wallet.firstBreak()).toBeUndefined()
  })

  const TAKEN: Movement = ['payment', -5, 1]
  const GIVEN_BACK: Movement = ['refund', 5, 1]

  it.each<[string, Movement[], number, BreakKind]>([
    ['taken twice', [TAKEN, TAKEN], 1, 'payment'],
    ['given back twice', [['payment', -6, 2], TAKEN, GIVEN_BACK, GIVEN_BACK], 2, 'payment'],
    ['given back with another amount', [TAKEN, ['refund', 4, 1]], 1, 'payment'],
    ['given back and never taken', [GIVEN_BACK], 1, 'payment'],
    ['given back before it was taken', [GIVEN_BACK, TAKEN], 1, 'payment'],
    ['that gives', [['payment', 5, 1]], 1, 'shape'],
    ['whose refund takes', [TAKEN, ['refund', -5, 1]], 2, 'shape'],
  ])('a payment %s is named', async (_what, movements, place, kind) => {
    await move(...movements)
    expect(await wallet.firstBreak()).toMatchObject(foundAt(LAST + place, kind))
  })
})

describe('faults in the whole ledger', () => {
  let ledger: LedgerBench
  let one: { id: bigint; account: string }

  beforeEach(async () => {
    ledger = await openLedgerBench()
    await ledger.deposit((await ledger.newReseller()).id, 77n)
    one = await ledger.newReseller()
    for (const amount of [10n, 40n, -10n]) await ledger.adjust(one.id, amount)
    await ledger.chain()
    const whole = { breaks: [], walletCount: 2, entryCount: 4n, unchainedCount: 0n }
    expect(await ledger.verify()).toMatchObject(whole)
  })

  afterEach(() => ledger.close())

  it('an entry of nobody is named', async () => {
    await ledger.tamper(
      `insert into transfers (reseller_id, sequence, kind, house_account, amount, balance_after, remarks)
       values (999999, 1, 'deposit', 'bank', 5, 5, 'Gift'), (999999, 2, 'adjustment', 'adjustments', -5, 0, '')`,
    )
    expect(await ledger.firstBreak()).toMatchObject({
      kind: 'wallet',
      sequence: 1n,
      found: expect.stringMatching(/999999/),
    })
  })

  it('a reseller without a wallet and a wallet without a reseller are named', async () => {
    await ledger.tamper('delete from wallets where reseller_id = $1', [one.id])
    expect(await ledger.firstBreak()).toMatchObject({ kind: 'wallet', account: one.account, found: 'none' })
    await ledger.tamper('insert into wallets values ($1, 40, 3)', [one.id])
    await ledger.tamper('delete from resellers where id = $1', [one.id])
    expect(await ledger.firstBreak()).toMatchObject({ kind: 'wallet', found: '2 wallets' })
  })

  it('another key in place of its own is named', async () => {
    await ledger.tamper('update chain_keys set sealed_key = $1', [randomBytes(80)])
    expect(await ledger.firstBreak()).toMatchObject({
      kind: 'chain_key',
      found: expect.stringMatching(/does not open/),
    })
    const sealed = ledger.vault.seal('api_key:wk_stolen', randomBytes(32))
    await ledger.tamper('update chain_keys set sealed_key = $1', [sealed])
    expect(await ledger.firstBreak()).toMatchObject({
      kind: 'chain_key',
      found: expect.stringMatching(/does not open/),
    })
  })

  it('an exported head of an account that is gone is named', async () => {
    const gone: ExportedHead = { account: '99999999', sequence: 3n, hash: CHAIN_START }
    const expected = { kind: 'exported_head', account: '99999999', found: 'no such account' }
    expect(await ledger.firstBreak({ exportedHeads: [gone] })).toMatchObject(expected)
  })

  it('the first break of each wallet is named, and of one wallet alone when asked', async () => {
    const third = await ledger.newReseller()
    await ledger.deposit(third.id, 10n)
    await ledger.tamper(`update transfers set remarks = 'x' where reseller_id = $1`, [one.id])
    await ledger.tamper('update wallets set balance = 11 where reseller_id = $1', [third.id])
    const { breaks, sums } = await ledger.verify()
    expect(breaks.map(({ account: each, kind }) => [each, kind])).toEqual([
      [one.account, 'hash'],
      [third.account, 'wallet'],
      [undefined, 'sum'],
    ])
    expect(sums?.walletsBalance).toBe(128n)
    const alone = await ledger.verify({ account: third.account })
    expect(alone).toMatchObject({ breaks: [{ account: third.account }], walletCount: 1, sums: undefined })
    await expect(ledger.verify({ account: '00000' })).rejects.toThrow('reseller')
  })

  it('nothing at all is whole', async () => {
    const empty = await openLedgerBench()
    expect(await empty.verify()).toMatchObject({ breaks: [], walletCount: 0, entryCount: 0n })
    await empty.newReseller()
    expect(await empty.verify()).toMatchObject({ breaks: [], walletCount: 1, entryCount: 0n })
    await empty.close()
  })

  it('one moment is looked at, whatever is posted and chained meanwhile', async () => {
    let isOver = false
    const posting = (async () => {
      while (!isOver) {
        await ledger.deposit(one.id, 1n)
        await ledger.adjust(one.id, -1n)
        await ledger.chain()
      }
    })()
    for (let run = 0; run < 20; run += 1) expect(await ledger.firstBreak()).toBeUndefined()
    isOver = true
    await posting
  })
})
