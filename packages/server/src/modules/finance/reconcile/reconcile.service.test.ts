import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FinanceBench } from '../../../testing/finance.ts'
import { at, openFinanceBench } from '../../../testing/finance.ts'
import type { PaymentCode } from '../../payments/core/types.ts'
import { printMismatches, printMismatchHeadings, reconcile } from './reconcile.service.ts'
import type { Mismatch, ReconcileSummary } from './reconcile.types.ts'

let bench: FinanceBench

beforeAll(async () => {
  bench = await openFinanceBench()
})

afterAll(() => bench.close())

const CODES = { accepted: 0, processing: 1, succeeded: 20, failed: 48, refunded: 53 } as const
type State = keyof typeof CODES

let numbers = 0

async function pay(
  resellerId: bigint,
  refid: string,
  when: string,
  state: State = 'succeeded',
): Promise<void> {
  numbers += 1
  const created = at(when)
  const id = (BigInt(created.getTime()) << 20n) | BigInt(numbers)
  const code: PaymentCode = CODES[state]
  await bench.database.query(
    `insert into payments (reseller_id, id, refid, product_code, product_name, account, amount, face_value, cost,
                           balance_after, code, remarks, sender, member_id, provider, created_at, changed_at)
     values ($1, $2, $3, 'NOVA', 'Nova', '60123456789', 100000, 110000, 97000, 0, $4, '', '192.0.2.7', '1', 'sim', $5,
             $5::timestamptz + interval '1 minute')`,
    [resellerId, id, refid, code, created],
  )
}

type Compared = { summary: ReconcileSummary; found: Mismatch[]; short: string[] }

async function* inPieces(content: string | Buffer, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(content)
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
}

async function compare(
  resellerId: bigint,
  content: string | Buffer,
  { from = '2026-10-01', to = '2026-10-31', pieceBytes = 64 * 1024 } = {},
): Promise<Compared> {
  const found: Mismatch[] = []
  const summary = await reconcile(bench.database, {
    resellerId,
    from,
    to,
    open: () => inPieces(content, pieceBytes),
    onMismatches: async (page) => void found.push(...page),
  })
  const short = found.map(({ line, refid, kind, cause }) => `${line} ${refid} ${kind} ${cause}`)
  return { summary, found, short }
}

describe('each difference has its cause', () => {
  it.each<[string, State | null, string, string, string[]]>([
    ['agrees', 'succeeded', '2026-10-05 10:00', 'R,10.00,Succesful,2026-10-05', []],
    ['agrees with the face value', 'succeeded', '2026-10-05 10:00', 'R,11,20,', []],
    ['agrees with the cost', 'succeeded', '2026-10-05 10:00', 'R,9.70,SUCCESS,05/10/2026', []],
    ['agrees on a failure', 'failed', '2026-10-05 10:00', 'R,10,Failed,', []],
    ['agrees that the money is back', 'refunded', '2026-10-05 10:00', 'R,10,Failed,', []],
    ['agrees on a refund', 'refunded', '2026-10-05 10:00', 'R,10,Refund,', []],
    ['agrees that it is open', 'processing', '2026-10-05 10:00', 'R,10,Accepted,', []],
    ['agrees by saying nothing more', 'failed', '2026-10-05 10:00', 'R,,,', []],
    ['never received', null, '', 'R,10,Succesful,2026-10-05', ['missing_here never_received']],
    ['rounded by a spreadsheet', null, '', '2.02E+15,10,,', ['missing_here spreadsheet']],
    ['another amount', 'succeeded', '2026-10-05 10:00', 'R,10.01,,', ['amount other_amount']],
    ['failed here', 'failed', '2026-10-05 10:00', 'R,10,Succesful,', ['status failed_here']],
    ['pending here', 'accepted', '2026-10-05 10:00', 'R,10,Succesful,', ['status pending_here']],
    ['refunded since', 'refunded', '2026-10-05 10:00', 'R,10,Succesful,', ['status refunded_since']],
    ['succeeded here', 'succeeded', '2026-10-05 10:00', 'R,10,Failed,', ['status succeeded_here']],
    ['not refunded here', 'succeeded', '2026-10-05 10:00', 'R,10,Refunded,', ['status succeeded_here']],
    ['final here', 'failed', '2026-10-05 10:00', 'R,10,Pending,', ['status failed_here']],
    ['midnight', 'succeeded', '2026-10-05 00:00:03', 'R,10,,2026-10-04', ['day midnight']],
    ['zone', 'succeeded', '2026-10-05 06:00', 'R,10,,2026-10-04 22:00:00', ['day zone']],
    ['another day', 'succeeded', '2026-10-05 10:00', 'R,10,,2026-10-03', ['day other_day']],
    ['taken after the range', 'succeeded', '2026-11-01 00:00:01', 'R,10,,2026-10-31', ['day midnight']],
    ['taken outside the range', 'succeeded', '2026-11-07 10:00', 'R,10,,', ['day outside_range']],
    ['dated outside, taken inside', 'succeeded', '2026-10-31 23:59', 'R,10,,2026-11-01', ['day midnight']],
    ['about another month', 'succeeded', '2026-11-07 10:00', 'R,99,Failed,2026-11-07', []],
    ['about another month, unknown', null, '', 'R,10,Succesful,2026-11-07', []],
    [
      'several at once',
      'failed',
      '2026-10-05 10:00',
      'R,1,Succesful,2026-10-09',
      ['amount other_amount', 'status failed_here', 'day other_day'],
    ],
    ['unreadable', null, '', 'R,ten,,', ['unreadable unreadable']],
  ])('%s', async (_, state, when, line, causes) => {
    const { id } = await bench.newReseller()
    if (state !== null) await pay(id, 'R', when, state)
    const { found } = await compare(id, `refid,amount,status,date\n${line}\n`)
    expect(found.map(({ kind, cause }) => `${kind} ${cause}`)).toEqual(causes)
    expect(found.every((each) => each.line === 2 && each.detail !== '')).toBe(true)
  })

  it.each<[State, string]>([
    ['succeeded', 'not_listed'],
    ['processing', 'not_listed_pending'],
    ['failed', 'not_listed_failed'],
    ['refunded', 'not_listed_failed'],
  ])('%s here and not in the file: %s', async (state, cause) => {
    const { id } = await bench.newReseller()
    await pay(id, 'R', '2026-10-31 23:59:59.999', state)
    expect((await compare(id, 'refid\n')).short).toEqual([`0 R missing_there ${cause}`])
    expect((await compare(id, 'refid\nR\n')).short).toEqual([])
  })
})

it('payments outside the days, and of others, are not missed', async () => {
  const [mine, other] = [await bench.newReseller(), await bench.newReseller()]
  await pay(mine.id, 'BEFORE', '2026-09-30 23:59:59.999')
  await pay(mine.id, 'FIRST', '2026-10-01 00:00')
  await pay(mine.id, 'AFTER', '2026-11-01 00:00')
  await pay(other.id, 'OTHER', '2026-10-10 00:00')
  const { short, summary } = await compare(mine.id, 'refid\nOTHER\n')
  expect(short).toEqual(['2 OTHER missing_here never_received', '0 FIRST missing_there not_listed'])
  expect(summary).toMatchObject({ lines: 1, payments: 1, agreed: 0, outside: 0, mismatches: 2 })
})

it('a refid that is listed again is a duplicate of its first line, with every line told in order', async () => {
  const { id } = await bench.newReseller()
  await pay(id, 'A', '2026-10-02 10:00')
  await pay(id, 'B', '2026-10-02 10:00')
  const { short, summary, found } = await compare(id, 'refid\nA\nB\nA\nghost\nA\nghost\n')
  expect(short).toEqual([
    '4 A duplicate listed_twice',
    '5 ghost missing_here never_received',
    '6 A duplicate listed_twice',
    '7 ghost duplicate listed_twice',
  ])
  expect(found[2]?.detail).toContain('line 2')
  expect(summary).toMatchObject({ lines: 6, agreed: 2, kinds: { duplicate: 3, missing_here: 1 } })
})

describe('files as they come', () => {
  const lines = ['Status;x;REFID;Date;Amount', 'Succesful;"a;b";R-1;2026-10-02;10,00', ';;"R;2";;']

  it.each([1, 2, 7, 65_536])(
    'BOM, CRLF, semicolons, quotes and other columns, in pieces of %i bytes',
    async (size) => {
      const { id } = await bench.newReseller()
      await pay(id, 'R-1', '2026-10-02 10:00')
      await pay(id, 'R;2', '2026-10-02 10:00')
      for (const content of [
        `\ufeff${lines.join('\r\n')}\r\n`,
        lines.join('\r'),
        `sep=;\r\n${lines.join('\r\n')}\r\n;;;;\r\n\r\n`,
      ]) {
        const { short, summary } = await compare(id, content, { pieceBytes: size })
        expect(short).toEqual([])
        expect(summary).toMatchObject({ lines: 2, agreed: 2 })
      }
    },
  )

  it('a line that cannot be read is told with its number, and the rest is compared', async () => {
    const { id } = await bench.newReseller()
    await pay(id, 'OK', '2026-10-02 10:00')
    const content = 'sep=,\nrefid,amount\n"a""\nb\0",1\nx"y,1\n,1\nOK,10\n"never closed,1\n'
    const { found, short } = await compare(id, content)
    expect(short).toEqual([
      '3  unreadable unreadable',
      '5  unreadable unreadable',
      '6  unreadable unreadable',
      '8  unreadable unreadable',
    ])
    expect(found.map(({ detail }) => detail)).toEqual([
      expect.stringContaining('characters that cannot be read'),
      expect.stringContaining('a quote inside a cell'),
      'refid: is empty',
      expect.stringContaining('never ends'),
    ])
  })

  it('spaces around a refid are its own where we have it so, and stray where we have not', async () => {
    const { id } = await bench.newReseller()
    await pay(id, ' A', '2026-10-02 10:00')
    await pay(id, 'B', '2026-10-02 10:00')
    await pay(id, 'C\nD', '2026-10-02 10:00')
    const { short, summary } = await compare(
      id,
      'date, refid \n2026-10-02, A\n2026-10-02, B \n,"C\nD"\n, E\n',
    )
    expect(summary).toMatchObject({ lines: 4, agreed: 3 })
    expect(short).toEqual(['6 E missing_here never_received'])
  })

  it('days before there were payments, and after there can be any, have none', async () => {
    const { id } = await bench.newReseller()
    for (const year of ['0001', '9999']) {
      const days = { from: `${year}-01-01`, to: `${year}-01-31` }
      expect((await compare(id, 'refid,amount\nA,99999999999999999999\n', days)).short).toEqual([
        '2  unreadable unreadable',
      ])
    }
  })

  it('bytes that are no UTF-8 spoil a refid and not the customer beside it', async () => {
    const { id } = await bench.newReseller()
    await pay(id, 'R-1', '2026-10-02 10:00')
    const content = Buffer.from('refid,name\nR-1,Jos\xe9\nR\xe9,x\n', 'latin1')
    expect((await compare(id, content)).short).toEqual(['3  unreadable unreadable'])
  })

  it.each([
    ['', /no column refid/],
    ['id,amount\n1,2\n', /no column refid; there is: id, amount/],
    ['refid,refid\n', /twice/],
    ['"refid\n', /headings cannot be read/],
    ['x'.repeat(70_000), /first line has no end/],
  ])('%j is refused with words', async (content, words) => {
    const { id } = await bench.newReseller()
    await expect(compare(id, content)).rejects.toMatchObject({
      status: 400,
      fields: { file: [expect.stringMatching(words)] },
    })
    // The connection is clean again: the next comparison has its own table.
    expect((await compare(id, 'refid\n')).short).toEqual([])
  })
})

it.each([
  ['2026-10-32', '2026-10-31'],
  ['2026-10-02', '2026-10-01'],
  ['2025-10-01', '2026-10-02'],
])('the days from %s to %s are refused', async (from, to) => {
  const { id } = await bench.newReseller()
  await expect(async () => compare(id, 'refid\n', { from, to })).rejects.toMatchObject({ status: 400 })
})

it('comparisons at once do not meet', async () => {
  const resellers = await Promise.all([1, 2, 3, 4].map(() => bench.newReseller()))
  for (const { id } of resellers) await pay(id, `R-${id}`, '2026-10-02 10:00')
  const all = await Promise.all(
    resellers.map(({ id }) => compare(id, `refid\n${resellers.map((each) => `R-${each.id}\n`).join('')}`)),
  )
  for (const { summary } of all) expect(summary).toMatchObject({ agreed: 1, kinds: { missing_here: 3 } })
})

it('many pages of lines and payments are compared both ways', async () => {
  const { id } = await bench.newReseller()
  await bench.database.query(
    `insert into payments (reseller_id, id, refid, product_code, product_name, account, amount, face_value, cost,
                           balance_after, code, remarks, sender, member_id, provider, created_at, changed_at)
     select $1, ($2::bigint << 20) + n, 'M-' || n, 'NOVA', 'Nova', '6', 100000, 100000, 97000, 0, 20, '', '', '1', 'sim',
            to_timestamp($2 / 1000.0), to_timestamp($2 / 1000.0)
       from generate_series(1, 5000) as n`,
    [id, at('2026-10-20 12:00').getTime()],
  )
  // Every third payment of ours is left out, and replaced by a refid that was never sent.
  const refids = Array.from({ length: 5_000 }, (_, index) =>
    index % 3 === 0 ? `X-${index}` : `M-${index + 1}`,
  )
  const { summary } = await compare(id, `refid\n${refids.join('\n')}`)
  expect(summary).toMatchObject({
    lines: 5_000,
    payments: 5_000,
    agreed: 3_333,
    kinds: { missing_here: 1_667, missing_there: 1_667 },
  })
})

it('a file of short lines is given up soon after its deadline: each page of lines looks at it', async () => {
  const { id } = await bench.newReseller()
  let looks = 0
  const looksAtLines: number[] = []
  await reconcile(bench.database, {
    resellerId: id,
    from: '2026-10-01',
    to: '2026-10-01',
    open: () => inPieces(`refid\n${'a\n'.repeat(20_000)}`, 64 * 1024),
    onMismatches: async () => {},
    onLines: () => looksAtLines.push(looks),
    checkDeadline() {
      looks += 1
    },
  })
  expect(looksAtLines[0]).toBeGreaterThanOrEqual(20_000 / 2_000)
})

it('texts of the reseller cannot run in the spreadsheet that shows the differences', () => {
  const mismatch = {
    kind: 'missing_here',
    cause: 'never_received',
    line: 2,
    paymentId: null,
    ours: '',
  } as const
  const text =
    printMismatchHeadings() + printMismatches([{ ...mismatch, refid: '=1+1', theirs: '@x', detail: 'a, b' }])
  expect(text).toBe(
    'kind,cause,line,refid,transaction_id,theirs,ours,detail\r\n' +
      `missing_here,never_received,2,'=1+1,,'@x,,"a, b"\r\n`,
  )
})
