import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createReseller } from '../modules/accounts/service.ts'
import type { CasesBench } from '../testing/cases.ts'
import { openCasesBench, openVoid } from '../testing/cases.ts'
import type { BreakableLine } from '../testing/network/breakable-line.ts'
import { openBreakableLine } from '../testing/network/breakable-line.ts'
import { expectSoundMoney, payWith } from '../testing/payments/payments.ts'
import { main } from './main.ts'

let bench: CasesBench
let line: BreakableLine
let account: string
let resellerId: bigint

beforeAll(async () => {
  bench = await openCasesBench()
  await newReseller()
  line = await openBreakableLine(bench.connection)
  // The very first command makes the audit log's key, in a commit of its own.
  expect(await warungd('deposit', ...posting('1', 'first-ever'))).toMatchObject({ code: 0 })
  await line.close()
})

afterAll(() => bench.close())

beforeEach(async () => {
  line = await openBreakableLine(bench.connection)
  await newReseller()
})

afterEach(async () => {
  await line.close()
  await expectSoundMoney(bench.database)
})

async function newReseller(): Promise<void> {
  const settings = { database: bench.database, vault: bench.vault, environment: 'staging' } as const
  const named = { name: 'Kedai Duit', email: 'duit@example.com', priceLevel: 'STANDARD' }
  const made = await createReseller(settings, named)
  account = made.account
  resellerId = made.id
}

type Said = {
  reference: string
  outcome: string
  repeated?: boolean
  error?: { code: string; message: string }
}

/** Runs the command with its own connection to the database and with `--json`. */
async function warungd(...args: string[]): Promise<{ code: number; said: Said; err: string }> {
  let [out, err] = ['', '']
  const io = {
    out: (text: string) => {
      out += text
    },
    err: (text: string) => {
      err += text
    },
    readInput: async () => '',
  }
  const env = { DATABASE_URL: line.url, WARUNG_MASTER_KEY: bench.masterKey.bytes.toString('base64') }
  const code = await main([...args, '--json'], io, env)
  return { code, said: JSON.parse(out) as Said, err }
}

function posting(amount: string, reference?: string): string[] {
  const given = reference === undefined ? [] : ['--reference', reference]
  return ['--reseller', account, '--amount', amount, '--remarks', 'Transfer', ...given]
}

async function referencesOf(): Promise<string[]> {
  const { rows } = await bench.database.query<{ reference: string }>(
    'select reference from transfers where reseller_id = $1 order by sequence',
    [resellerId],
  )
  return rows.map(({ reference }) => reference)
}

describe.each(['deposit', 'adjust', 'commission'])('%s', (command) => {
  it('refuses a reference of the kind that approvals get, which would block the posting of one', async () => {
    const { code, said } = await warungd(command, ...posting('50', 'approval-7'))
    expect(said).toMatchObject({ outcome: 'not_posted', error: { code: 'validation_failed' } })
    expect(code).toBe(1)
    expect(await referencesOf()).toEqual([])
  })

  it('says posted when the answer to COMMIT is lost, and there is one entry', async () => {
    line.breakCommit('after')
    const { code, said, err } = await warungd(command, ...posting('50'))
    expect(said).toMatchObject({ outcome: 'posted', repeated: false, amount: 50 })
    expect(code).toBe(0)
    expect(await referencesOf()).toEqual([said.reference])
    expect(err.startsWith(`reference: ${said.reference}\n`)).toBe(true)
  })

  it('says not posted when COMMIT never arrived, and there is no entry', async () => {
    line.breakCommit('before')
    const { code, said } = await warungd(command, ...posting('50'))
    expect(said).toMatchObject({ outcome: 'not_posted', error: { code: 'not_posted' } })
    expect(code).toBe(1)
    expect(await referencesOf()).toEqual([])
  })
})

describe('a database that cannot be looked at afterwards', () => {
  it.each(['before', 'after'] as const)(
    'COMMIT is cut %s it was carried out: unknown, and the same reference posts once',
    async (when) => {
      line.breakCommit(when, { isCut: true })
      const { code, said } = await warungd('deposit', ...posting('50'))
      expect(said).toMatchObject({ outcome: 'unknown', error: { code: 'unknown' } })
      expect(said.error?.message).toContain(`--reference ${said.reference}`)
      expect(code).toBe(3)
      line.mend()
      const again = await warungd('deposit', ...posting('50', said.reference))
      expect(again).toMatchObject({ code: 0, said: { outcome: 'posted', repeated: when === 'after' } })
      expect(await referencesOf()).toEqual([said.reference])
    },
    30_000,
  )
})

describe('a reference', () => {
  it('a reference that was posted posts nothing again and says so; with another amount it is refused', async () => {
    expect(await warungd('deposit', ...posting('50', 'B-1'))).toMatchObject({
      code: 0,
      said: { repeated: false },
    })
    expect(await warungd('deposit', ...posting('50', 'B-1'))).toMatchObject({
      code: 0,
      said: { repeated: true },
    })
    expect(await warungd('deposit', ...posting('51', 'B-1'))).toMatchObject({
      code: 1,
      said: { reference: 'B-1', outcome: 'not_posted', error: { code: 'reference_taken' } },
    })
    expect(await referencesOf()).toEqual(['B-1'])
  })

  it('is one entry however many commands bring it at once', async () => {
    const ran = await Promise.all(
      Array.from({ length: 8 }, () => warungd('deposit', ...posting('50', 'B-2'))),
    )
    expect(ran.map(({ code }) => code)).toEqual(ran.map(() => 0))
    expect(ran.filter(({ said }) => said.repeated === false)).toHaveLength(1)
    expect(await referencesOf()).toEqual(['B-2'])
  })

  it('is one entry over any sequence of lost commits and repeats, and what was said is true', async () => {
    const step = fc.record({
      reference: fc.constantFrom('P-1', 'P-2', 'P-3'),
      break: fc.constantFrom(undefined, 'before', 'after'),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        await newReseller()
        const posted = new Set<string>()
        for (const { reference, break: when } of steps) {
          if (when !== undefined) line.breakCommit(when as 'before' | 'after')
          const { said } = await warungd('deposit', ...posting('5', reference))
          if (said.outcome === 'posted') posted.add(reference)
          expect(new Set(await referencesOf())).toEqual(posted)
          expect((await referencesOf()).length).toBe(posted.size)
        }
      }),
      { numRuns: 8 },
    )
  }, 120_000)
})

describe('payment resolve', () => {
  async function stuck(): Promise<bigint> {
    await bench.deposit(resellerId, 1_000_000n)
    const payment = await payWith(bench.node, resellerId)
    await bench.age(payment, 86_400)
    return payment.id
  }
  const resolve = (id: bigint, ...more: string[]) =>
    warungd(
      'payment',
      'resolve',
      '--reseller',
      account,
      '--id',
      String(id),
      '--as',
      'failed',
      '--reason',
      'asked',
      ...more,
    )
  const refunds = async () => (await bench.entriesOf(resellerId)).filter(({ kind }) => kind === 'refund')

  it('says posted when the answer to COMMIT is lost: one refund', async () => {
    const id = await stuck()
    line.breakCommit('after')
    expect(await resolve(id)).toMatchObject({ code: 0, said: { outcome: 'posted', repeated: false } })
    expect(await refunds()).toHaveLength(1)
  })

  it('says not posted when COMMIT never arrived; a repeat with the reference refunds once', async () => {
    const id = await stuck()
    line.breakCommit('before')
    const { code, said } = await resolve(id)
    expect({ code, outcome: said.outcome }).toEqual({ code: 1, outcome: 'not_posted' })
    expect(await refunds()).toHaveLength(0)
    for (const repeated of [false, true]) {
      expect(await resolve(id, '--reference', said.reference)).toMatchObject({ code: 0, said: { repeated } })
    }
    expect(await resolve(id)).toMatchObject({
      code: 1,
      said: { outcome: 'not_posted', error: { code: 'already_final' } },
    })
    expect(await refunds()).toHaveLength(1)
  })
})

describe('case approve', () => {
  it.each([
    ['after', 0, 1],
    ['before', 1, 0],
  ] as const)('COMMIT cut %s it was carried out: exit %i, %i refund', async (when, code, count) => {
    await bench.deposit(resellerId, 1_000_000n)
    const payment = await bench.succeed(resellerId)
    const number = await openVoid(bench.casesAt('production'), payment)
    line.breakCommit(when)
    const approve = (...more: string[]) =>
      warungd('case', 'approve', '--number', number, '--evidence', 'a letter', ...more)
    const { said, code: exit } = await approve()
    expect(exit).toBe(code)
    const refunds = async () => (await bench.entriesOf(resellerId)).filter(({ kind }) => kind === 'refund')
    expect(await refunds()).toHaveLength(count)
    expect(await approve('--reference', said.reference)).toMatchObject({
      code: 0,
      said: { repeated: count === 1 },
    })
    expect(await refunds()).toHaveLength(1)
  })
})
