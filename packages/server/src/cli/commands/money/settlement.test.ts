import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Env } from '../../../config.ts'
import { dayOf, formatDay } from '../../../lib/dates.ts'
import type { Payment } from '../../../modules/payments/core/types.ts'
import type { ResolveCommand } from '../../../modules/payments/outcomes/resolve.service.ts'
import { withoutReference } from '../../../testing/command-line.ts'
import type { Node, PaymentsBench } from '../../../testing/payments/payments.ts'
import { expectSoundMoney, openPaymentsBench, payWith } from '../../../testing/payments/payments.ts'
import { PENDING, SUCCEEDED } from '../../../testing/providers/scripted-provider.ts'
import { main } from '../../main.ts'

let bench: PaymentsBench
let node: Node
let dir: string
let env: Env

beforeAll(async () => {
  bench = await openPaymentsBench()
  node = bench.openNode()
  dir = await mkdtemp(join(tmpdir(), 'warung-settlement-'))
  env = {
    DATABASE_URL: bench.url,
    WARUNG_MASTER_KEY: bench.masterKey.bytes.toString('base64'),
    WARUNG_DATA_DIR: dir,
  }
})
afterAll(async () => {
  await expectSoundMoney(bench.database)
  await bench.close()
  await rm(dir, { recursive: true, force: true })
})

type Document = Record<string, unknown>

async function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const ran = { code: -1, out: '', err: '' }
  const io = {
    out: (text: string) => {
      ran.out += text
    },
    err: (text: string) => {
      ran.err += text
    },
    readInput: async () => '',
  }
  ran.code = await main(args, io, env)
  return ran
}

async function ask<T = Document>(code: number, ...args: string[]): Promise<T> {
  const ran = await run(...args, '--json')
  expect({ code: ran.code, err: withoutReference(ran.err) }, ran.out).toEqual({ code, err: '' })
  return JSON.parse(ran.out)
}

const MAPPING = {
  reference: { column: 'ref' },
  amount: { column: 'sum' },
  state: { column: 'state', values: { OK: 'succeeded', NOK: 'failed' } },
}
const today = formatDay(dayOf(Date.now()))

async function written(name: string, content: string): Promise<string> {
  const path = join(dir, name)
  await writeFile(path, content)
  return path
}

async function importing(
  name: string,
  lines: readonly string[],
  mapping: unknown = MAPPING,
): Promise<string[]> {
  const file = await written(`${name}.csv`, ['ref,sum,state', ...lines].join('\n'))
  const map = await written(`${name}.json`, JSON.stringify(mapping))
  return ['settlement', 'import', '--provider', 'simulator', '--file', file, '--mapping', map, '--day', today]
}

async function pay(outcome: ResolveCommand['outcome']): Promise<Payment> {
  const payment = await payWith(node, await bench.newReseller(100_000n), { provider: 'simulator' })
  await node.resolver.submit({ ...payment, outcome, attempt: 1, nextMs: 600_000 })
  return payment
}

describe('an operator', () => {
  it('imports a file, sees what differs, lets it decide, accepts the rest, and is done', async () => {
    const [sold, waiting] = [await pay(SUCCEEDED), await pay(PENDING)]
    const args = await importing('day', [`W${sold.id}-1,1,OK`, `W${waiting.id}-1,1,OK`, 'W9-1,3,OK'])
    const file = await ask(0, ...args)
    expect(file).toMatchObject({ lines: 3, open_differences: 2, already_imported: false })
    expect(await ask(0, ...args)).toMatchObject({ file: file.file, already_imported: true })
    const of = ['--file', String(file.file)]
    const { differences } = await ask<{ differences: Document[] }>(0, 'settlement', 'differences', ...of)
    expect(differences).toMatchObject([
      { kind: 'state', line: 3, transaction_id: String(waiting.id), theirs: 'succeeded', ours: 'pending' },
      { kind: 'missing_here', line: 4, transaction_id: '9', reseller: null },
    ])
    expect(differences[0]?.reseller).toMatch(/^\d+$/)
    const [first, second] = differences.map(({ id }) => String(id)) as [string, string]
    const end = (id: string, how: string) =>
      ask(0, 'settlement', 'resolve', '--id', id, how, '--reason', 'their statement')
    expect(await end(first, '--apply')).toMatchObject({ closed_as: 'agrees' })
    expect(await end(second, '--accept')).toMatchObject({ closed_as: 'accepted', reason: 'their statement' })
    expect(await bench.codeOf(waiting)).toBe(20)
    expect(await ask(0, 'settlement', 'compare', ...of)).toMatchObject({ open_differences: 0 })
    expect(await ask(0, 'settlement', 'show', ...of)).toMatchObject({
      differences: [
        { kind: 'missing_here', open: 0, accepted: 1 },
        { kind: 'state', open: 0, agreeing: 1 },
      ],
    })
    expect(await ask(0, 'settlement', 'list', '--provider', 'simulator')).toMatchObject({
      files: [{ file: file.file, provider: 'simulator', day: today, open_differences: 0 }],
    })
  })

  it('compares a file in dollars with the answers of the supplier, and is told of a file in another currency', async () => {
    const sold = [await pay(SUCCEEDED), await pay(SUCCEEDED), await pay(SUCCEEDED), await pay(SUCCEEDED)]
    for (const [index, { resellerId, id }] of sold.slice(0, 3).entries()) {
      await bench.database.query(
        `insert into payment_supplier_costs (reseller_id, payment_id, attempt, provider, currency, amount, rate)
         values ($1, $2, 1, 'simulator', 'USD', $3, 4.7)`,
        [resellerId, id, [2_300, 2_349, 2_300][index]],
      )
    }
    const [first, second, third, fourth] = sold as [Payment, Payment, Payment, Payment]
    await bench.database.query(
      `insert into payment_supplier_references (reseller_id, payment_id, attempt, provider, reference)
       values ($1, $2, 1, 'simulator', '4711')`,
      [third.resellerId, third.id],
    )
    const mapping = { ...MAPPING, amount: { column: 'sum', of: 'cost', unit: 'unit' } }
    const lines = [
      `W${first.id}-1,0.23,OK`,
      `W${second.id}-1,0.23,OK`,
      '4711,0.25,OK',
      `W${fourth.id}-1,9,OK`,
    ]
    const euros = await importing('euros', lines, { ...mapping, currency: { is: 'EUR' } })
    expect(await ask(1, ...euros)).toMatchObject({
      problem_count: 3,
      problems: [
        { line: 2, message: 'the file is in EUR, and simulator took 0.23 USD by its answer' },
        { line: 3 },
        { line: 4 },
      ],
    })
    const file = await ask(0, ...(await importing('dollars', lines, { ...mapping, currency: { is: 'USD' } })))
    expect(file).toMatchObject({ currency: 'USD', amounts: 'cost', compared_costs: 3, costs_not_said: 1 })
    expect(file).toMatchObject({ theirs: '0.71 USD (3.337 MYR)', ours: '0.6949 USD (3.266 MYR)' })
    const differences = ['settlement', 'differences', '--file', String(file.file), '--kind', 'amount']
    expect(await ask(0, ...differences)).toMatchObject({
      differences: [
        { reference: '4711', theirs: '0.25 USD', ours: '0.23 USD', theirs_myr: '1.175', ours_myr: '1.081' },
      ],
    })
  })

  it('withdraws a file, and imports it again', async () => {
    const args = await importing('withdrawn', ['W11-1,3,OK'])
    const { file } = await ask(0, ...args)
    const withdraw = ['settlement', 'withdraw', '--file', String(file), '--reason', 'the wrong day']
    expect(await ask(0, ...withdraw)).toMatchObject({
      file,
      open_differences: 0,
      withdrawn_at: expect.any(String),
      withdrawn_reason: 'the wrong day',
    })
    expect(await ask(1, ...withdraw)).toMatchObject({ error: { code: 'withdrawn' } })
    expect(await ask(0, ...args)).toMatchObject({ already_imported: false, withdrawn_at: null })
    const target = ['--target', String(file), '--action', 'settlement.withdraw']
    const { records } = await ask<{ records: unknown[] }>(0, 'audit', 'list', ...target)
    expect(records).toMatchObject([{ reason: 'the wrong day', after: { withdrawn: true } }])
  })

  it('is told every mistake of a file with its line, and nothing is imported', async () => {
    const args = await importing('wrong', ['W1-1,x,OK', 'W1-1,1,OK', 'W1-1,1,HUH'])
    expect(await ask(1, ...args)).toEqual({
      imported: false,
      problem_count: 2,
      problems: [
        { line: 2, message: 'amount "x" cannot be read' },
        { line: 4, message: 'state "HUH" is not in the mapping' },
      ],
    })
    const { out } = await run(...args)
    expect(out).toContain('line 2: amount "x" cannot be read')
  })

  it('is told every mistake of a mapping with its path', async () => {
    const args = await importing('mapping', [], { reference: {}, separator: 7 })
    const { error } = await ask<{ error: { fields: Document } }>(1, ...args)
    expect(Object.keys(error.fields).sort()).toEqual([
      '$.amount',
      '$.reference.column',
      '$.separator',
      '$.state',
    ])
  })

  it('cannot name a provider that does not exist, a file that is not there, or both ways to end', async () => {
    const args = await importing('names', [])
    const misuse = async (...given: string[]) => (await run(...given)).code
    expect((await run(...args.with(3, 'simulater'))).err).toContain('Did you mean simulator?')
    expect((await run(...args.with(5, join(dir, 'nothing.csv')))).err).toContain('cannot be read')
    const both = ['settlement', 'resolve', '--id', '987654', '--reason', 'x']
    expect(await misuse(...both)).toBe(2)
    expect(await misuse(...both, '--apply', '--accept')).toBe(2)
    expect(await misuse('settlement', 'show', '--file', 'x')).toBe(2)
    expect(await ask(1, ...both, '--accept')).toMatchObject({ error: { code: 'not_found' } })
  })
})

describe('alerts and floats', () => {
  it('are listed, and an alert is cleared by its id', async () => {
    expect(await ask(0, 'alert', 'list')).toEqual({ alerts: [] })
    await bench.database.query(`select raise_alert('float_low', 'acme', 'acme: 5.00 is left', 'critical')`)
    const { alerts } = await ask<{ alerts: Document[] }>(0, 'alert', 'list')
    expect(alerts).toMatchObject([{ kind: 'float_low', subject: 'acme', severity: 'critical', times: 1 }])
    expect(await ask(0, 'alert', 'clear', '--id', String(alerts[0]?.id))).toMatchObject({
      cleared_at: expect.any(String),
    })
    expect(await ask(0, 'alert', 'list')).toEqual({ alerts: [] })
    expect((await ask<{ alerts: Document[] }>(0, 'alert', 'list', '--all')).alerts).toHaveLength(1)
    expect(await ask(1, 'alert', 'clear', '--id', '999')).toMatchObject({ error: { code: 'not_found' } })
    expect((await run('alert', 'clear', '--id', '-1')).code).toBe(2)
  })

  it('floats of providers are shown as they were last read', async () => {
    await bench.database.query(
      `insert into provider_floats (provider, amount, read_at, next_at) values ('acme', 50000, now(), now())`,
    )
    expect(await ask(0, 'provider', 'float')).toMatchObject({
      floats: [{ provider: 'acme', amount: 5, alert_below: null, failing_since: null }],
    })
    expect((await run('provider', 'float')).out).toContain('5.00')
  })
})
