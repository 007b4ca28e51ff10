import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Env } from '../../../config.ts'
import { withoutReference } from '../../../testing/command-line.ts'
import type { LedgerBench } from '../../../testing/ledger.ts'
import { openLedgerBench } from '../../../testing/ledger.ts'
import { main } from '../../main.ts'

let bench: LedgerBench
let folder: string
let env: Env

beforeAll(async () => {
  bench = await openLedgerBench()
  folder = await mkdtemp(join(tmpdir(), 'warung-ledger-'))
  env = {
    DATABASE_URL: bench.url,
    WARUNG_MASTER_KEY: bench.masterKey.bytes.toString('base64'),
    WARUNG_DATA_DIR: folder,
  }
})

afterAll(async () => {
  await bench.close()
  await rm(folder, { recursive: true, force: true })
})

type Ran = { code: number; out: string; err: string }
type Document = Record<string, unknown>

const run = (...args: string[]) => runIn(env, ...args)

async function runIn(environment: Env, ...args: string[]): Promise<Ran> {
  const ran = { code: -1, out: '', err: '' }
  const out = (text: string) => {
    ran.out += text
  }
  const err = (text: string) => {
    ran.err += text
  }
  ran.code = await main(args, { out, err, readInput: async () => '' }, environment)
  return ran
}

async function ask<T = Document>(...args: string[]): Promise<T> {
  const { code, out, err } = await run(...args, '--json')
  expect({ code, err: withoutReference(err), out: code === 0 ? '' : out }).toEqual({
    code: 0,
    err: '',
    out: '',
  })
  return JSON.parse(out)
}

async function refuse(...args: string[]): Promise<Document> {
  const { code, out } = await run(...args, '--json')
  expect(code).toBe(1)
  return JSON.parse(out).error
}

async function newAccount(): Promise<string> {
  return (await bench.newReseller()).account
}

const posting = (command: string, account: string, amount: string, ...more: string[]) => [
  command,
  ...['--reseller', account, `--amount=${amount}`, '--remarks', 'Why', ...more],
]

describe('warungd deposit, adjust and commission', () => {
  it('print the entry they made, with its reference and what became of it', async () => {
    const account = await newAccount()
    const made = await ask(...posting('deposit', account, '50'))
    expect(made).toEqual({
      account,
      sequence: 1,
      kind: 'deposit',
      amount: 50,
      balance: 50,
      remarks: 'Why',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      reference: expect.stringMatching(/^warungd-[0-9a-f]{18}$/),
      outcome: 'posted',
      repeated: false,
    })
    const fee = posting('commission', account, '0.25', '--reference', ' C-1 ')
    const paid = await ask(...fee)
    expect(paid).toMatchObject({ sequence: 2, kind: 'commission', reference: 'C-1', repeated: false })
    expect(await ask(...fee)).toEqual({ ...paid, repeated: true })
    expect((await run(...fee)).out).toContain('nothing was moved')
    expect(await ask(...posting('adjust', account, '-50.25'))).toMatchObject({ amount: -50.25, balance: 0 })
  })

  it('refuse what would go below zero, saying what is there, and a reference of something else', async () => {
    const account = await newAccount()
    await ask(...posting('deposit', account, '12.5', '--reference', 'D-1'))
    const low = await refuse(...posting('adjust', account, '-12.5001'))
    expect(low).toMatchObject({ code: 'insufficient_balance', message: expect.stringContaining('12.50') })
    expect(await refuse(...posting('deposit', account, '13', '--reference', 'D-1'))).toMatchObject({
      code: 'reference_taken',
    })
    expect(await ask('ledger', 'verify', '--reseller', account)).toMatchObject({ ok: true, entries: 1 })
  })

  it('refuse amounts and references that are none', async () => {
    const account = await newAccount()
    for (const amount of ['0', '-0', '--5', '+5', '5-', '-', '-1000000000.0001']) {
      expect(await refuse(...posting('adjust', account, amount))).toMatchObject({
        fields: { amount: [expect.any(String)] },
      })
    }
    for (const command of ['deposit', 'commission']) {
      expect(await refuse(...posting(command, account, '-5'))).toMatchObject({
        fields: { amount: [expect.any(String)] },
      })
    }
    for (const reference of ['', 'x'.repeat(101)]) {
      expect(await refuse(...posting('deposit', account, '5', '--reference', reference))).toMatchObject({
        fields: { reference: [expect.any(String)] },
      })
    }
  })
})

describe('warungd ledger', () => {
  it('shows the balance as of any instant', async () => {
    const account = await newAccount()
    const before = new Date().toISOString()
    await ask(...posting('deposit', account, '50'))
    const at = (instant: string) => ask('ledger', 'balance', '--reseller', account, '--at', instant)
    expect(await at(before)).toMatchObject({ account, balance: 0, sequence: 0, entry_at: null })
    const later = await at('2999-01-01T00:00:00+08:00')
    expect(later).toMatchObject({ at: '2998-12-31T16:00:00.000000Z', balance: 50, sequence: 1 })
    // The printed instant is exact: the entry counts at its own instant.
    expect(await at(String(later.entry_at))).toMatchObject({ balance: 50, sequence: 1 })
    expect(await refuse('ledger', 'balance', '--reseller', account, '--at', '2026-07-30')).toMatchObject({
      fields: { at: [expect.stringContaining('ISO 8601')] },
    })
  })

  it('shows what the house accounts hold, and that it comes to nothing with the wallets', async () => {
    const account = await newAccount()
    const before = await ask<{ wallets: number }>('ledger', 'house')
    await ask(...posting('deposit', account, '50'))
    await ask(...posting('adjust', account, '-20'))
    const sums = await ask<{ wallets: number; houses: Document[] }>('ledger', 'house')
    expect(sums).toMatchObject({ wallets: before.wallets + 30, total: 0 })
    expect(sums.houses.map((house) => house.house_account)).toContain('adjustments')
    expect((await run('ledger', 'house')).out).toMatch(/total +0\.00/)
  })

  it('verifies, chains, exports heads, and verifies against them', async () => {
    const account = await newAccount()
    await ask(...posting('deposit', account, '50'))
    await ask('ledger', 'chain')
    await ask(...posting('deposit', account, '60'))
    expect(await ask('ledger', 'verify', '--reseller', account)).toEqual({
      ok: true,
      wallets: 1,
      entries: 2,
      unchained: 1,
      unchained_since: expect.stringMatching(/\.\d{6}Z$/),
      exported_heads: 0,
      sums: null,
      first_break: null,
      breaks: [],
    })
    expect(await ask('ledger', 'chain')).toEqual({ entries: 1, broken: 0 })
    const exported = await ask<{ heads: Document[] }>('ledger', 'heads')
    const head = exported.heads.find((each) => each.account === account)
    expect(head).toEqual({
      account,
      sequence: 2,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      at: expect.stringMatching(/Z$/),
    })
    const file = join(folder, 'heads.json')
    await writeFile(file, JSON.stringify(exported))
    expect(await ask('ledger', 'verify', '--heads', file)).toMatchObject({
      ok: true,
      exported_heads: exported.heads.length,
    })
    await writeFile(file, JSON.stringify({ heads: [{ ...head, hash: '0'.repeat(64) }] }))
    const broken = await run('ledger', 'verify', '--heads', file)
    expect(broken.code).toBe(1)
    expect(broken.out).toContain(`BROKEN (exported_head) account ${account}, entry 2`)
    expect((await run('ledger', 'heads')).out).toContain(String(head?.hash))
  })

  it.each([
    ['no JSON', 'heads'],
    ['no heads', '{}'],
    ['null', 'null'],
    ['a head without a hash', '{"heads":[{"account":"1000","sequence":1}]}'],
    ['a hash that is none', '{"heads":[{"account":"1000","sequence":1,"hash":"00"}]}'],
    ['a sequence that is none', `{"heads":[{"account":"1000","sequence":0,"hash":"${'0'.repeat(64)}"}]}`],
    ['a null', '{"heads":[null]}'],
  ])('takes no file of heads that holds %s', async (_what, content) => {
    const file = join(folder, 'wrong.json')
    await writeFile(file, content)
    expect(await refuse('ledger', 'verify', '--heads', file)).toMatchObject({
      message: expect.stringContaining('must be what `warungd ledger heads --json` printed'),
    })
    expect(await refuse('ledger', 'verify', '--heads', join(folder, 'absent.json'))).toMatchObject({
      message: expect.stringContaining('ENOENT'),
    })
  })

  it('ends with 1 and names the break, in words and in JSON', async () => {
    const { id, account } = await bench.newReseller()
    await ask(...posting('deposit', account, '50'))
    await ask(...posting('deposit', account, '60'))
    await ask('ledger', 'chain')
    await bench.tamper('delete from transfers where reseller_id = $1 and sequence = 1', [id])
    const expected = { kind: 'sequence', account, sequence: 1, expected: 'entry 1', found: 'entry 2' }
    const json = await run('ledger', 'verify', '--reseller', account, '--json')
    expect(json).toMatchObject({ code: 1, err: '' })
    expect(JSON.parse(json.out)).toMatchObject({ ok: false, first_break: expected, breaks: [expected] })
    const { code, out } = await run('ledger', 'verify')
    expect(code).toBe(1)
    expect(out).toContain(
      `BROKEN (sequence) account ${account}, entry 1\n  expected: entry 1\n  found:    entry 2`,
    )
    await bench.tamper('delete from chain_heads where reseller_id = $1', [id])
    const chained = await run('ledger', 'chain')
    expect(chained.code).toBe(1)
    expect(chained.out).toContain('1 wallet(s) cannot be chained further')
  })

  it('names an entry of nobody, a wallet of nobody, and wallets that do not sum to zero with the house', async () => {
    const other = await openLedgerBench()
    const own = {
      ...env,
      DATABASE_URL: other.url,
      WARUNG_MASTER_KEY: other.masterKey.bytes.toString('base64'),
    }
    const verify = async () => {
      const { code, out } = await runIn(own, 'ledger', 'verify', '--json')
      return { code, ...(JSON.parse(out) as { breaks: Document[]; sums: Document }) }
    }
    const { id, account } = await other.newReseller()
    await other.deposit(id, 500_000n)
    expect(await verify()).toMatchObject({ code: 0, breaks: [], sums: { total: 0 } })

    await other.tamper('update wallets set balance = balance + 10000 where reseller_id = $1', [id])
    expect(await verify()).toMatchObject({
      code: 1,
      breaks: [
        { kind: 'wallet', account },
        { kind: 'sum', account: null, found: '1.00' },
      ],
      sums: { total: 1 },
    })
    await other.tamper('update wallets set balance = balance - 10000 where reseller_id = $1', [id])

    await other.tamper('insert into wallets values (999999, 0, 0)')
    expect(await verify()).toMatchObject({ code: 1, breaks: [{ kind: 'wallet', found: '2 wallets' }] })
    await other.tamper('delete from wallets where reseller_id = 999999')

    await other.tamper(
      `insert into transfers (reseller_id, sequence, kind, house_account, amount, balance_after, remarks)
       values (999999, 1, 'deposit', 'bank', 5, 5, 'Gift'), (999999, 2, 'adjustment', 'adjustments', -5, 0, '')`,
    )
    expect(await verify()).toMatchObject({
      code: 1,
      breaks: [{ kind: 'wallet', sequence: 1, expected: 'a wallet of this entry' }],
    })
    await other.close()
  })
})
