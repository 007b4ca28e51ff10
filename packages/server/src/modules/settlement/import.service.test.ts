import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestDatabase } from '../../testing/database.ts'
import { openTestDatabase } from '../../testing/database.ts'
import type { ImportInput } from './import.service.ts'
import { importSettlement } from './import.service.ts'
import { listLines } from './sql.ts'

let test: TestDatabase

beforeAll(async () => {
  test = await openTestDatabase()
})
afterAll(() => test.close())

const MAPPING = {
  reference: { column: 'ref' },
  amount: { column: 'amount' },
  state: { column: 'state', values: { OK: 'succeeded', NOK: 'failed', FEE: 'skip' } },
  time: { column: 'time', format: 'yyyy-MM-dd HH:mm:ss' },
  skip_first_cells: ['TOTAL'],
}
const HEAD = 'ref,amount,state,time\n'
const at = '2026-11-14 10:00:00'

/** Cuts the content into pieces of a few bytes, so that characters and records are split. */
function pieces(content: string | Buffer, size = 7): () => AsyncIterable<Buffer> {
  const bytes = Buffer.from(content)
  return async function* () {
    for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
  }
}

function importing(content: string | Buffer, change: Partial<ImportInput> = {}) {
  return importSettlement(test.database, {
    provider: 'acme',
    day: '2026-11-14',
    name: 'acme.csv',
    mapping: MAPPING,
    open: pieces(content),
    ...change,
  })
}

const counts = async () => {
  const { rows } = await test.database.query<{ files: bigint; lines: bigint }>(
    'select (select count(*) from settlement_files) as files, (select count(*) from settlement_lines) as lines',
  )
  return rows[0]
}

describe('a settlement file', () => {
  it('is taken over line by line, without what is no order', async () => {
    const result = await importing(
      `\uFEFF${HEAD}W5-1,10.00,OK,${at}\nTOTAL,1,,\n\nthéirs,5,NOK,${at}\nfee,1,FEE,${at}\n`,
    )
    expect(result).toMatchObject({
      kind: 'imported',
      file: { provider: 'acme', day: '2026-11-14', lines: 2 },
    })
    if (result.kind !== 'imported') throw new Error()
    const lines = await listLines(test.database, result.file.id, { afterLine: 0, limit: 10 })
    expect(lines).toMatchObject([
      { line: 2, reference: 'W5-1', paymentId: 5n, attempt: 1, amount: 100_000n, state: 'succeeded' },
      { line: 5, reference: 'théirs', paymentId: null, attempt: null, amount: 50_000n, state: 'failed' },
    ])
    expect(lines[0]?.at).toEqual(new Date('2026-11-14T02:00:00Z'))
  })

  it.each([
    ['a blank line before the headings', `My shop\n\n${HEAD}`, 3],
    ['a cell of several lines before the headings', `"My\nshop"\n${HEAD}`, 3],
    ['headings of several lines', 'ref,amount,state,time,"and\nmore"\n', 1],
    ['headings of several lines, counted as lines', 'ref,amount,state,time,"and\nmore"\n', 2],
  ])('has its orders after %s', async (_, head, headerLines) => {
    const result = await importing(`${head}W8-1,10,OK,${at},\nW9-1,10,OK,${at},\n`, {
      provider: `headed${headerLines}${head.length}`,
      mapping: { ...MAPPING, header_lines: headerLines },
    })
    expect(result).toMatchObject({ kind: 'imported', file: { lines: 2 } })
  })

  it('is imported once, whatever it is called, also by two at once', async () => {
    const content = `${HEAD}W6-1,10,OK,${at}\n`
    const results = await Promise.all([importing(content), importing(content), importing(content)])
    results.push(await importing(content, { name: 'again.csv', day: '2026-11-15' }))
    const ids = results.map((result) => (result.kind === 'refused' ? null : result.file.id))
    expect(new Set(ids).size).toBe(1)
    expect(results.at(-1)?.kind).toBe('known')
    const other = await importing(content, { provider: 'other' })
    expect(other.kind).toBe('imported')
  })

  it('a settlement file with mistakes is refused with the line of each, and nothing is left of it', async () => {
    const before = await counts()
    const good = Array.from({ length: 5_000 }, (_, index) => `W${index + 1}-1,1,OK,${at}`).join('\n')
    const bad = [
      'W1-1,-1,OK,yesterday',
      'W1-1,1,MAYBE',
      ',1,OK,2026-11-14 10:00:00',
      '"a"b,1,OK,2026-11-14 10:00:00',
    ]
    const content = `${HEAD}${good}\n${bad.join('\n')}\n`
    const result = await importing(content, { open: pieces(content, 4_096) })
    expect(result).toEqual({
      kind: 'refused',
      problemCount: 5,
      problems: [
        { line: 5_002, message: 'amount "-1" cannot be read' },
        { line: 5_002, message: 'time "yesterday" is not yyyy-MM-dd HH:mm:ss' },
        { line: 5_003, message: 'the line has 3 cells of 4' },
        { line: 5_004, message: 'reference "" is none' },
        { line: 5_005, message: 'text after a closing quote' },
      ],
    })
    expect(await counts()).toEqual(before)
  })

  it.each<[string, string | Buffer, RegExp]>([
    [
      'without a column of the mapping',
      'ref,sum,state,time\nx,1,OK,y\n',
      /no column amount; the file has: ref, sum/,
    ],
    ['with a column twice', 'ref,amount,amount,state,time\n', /two columns amount/],
    ['that is empty', '', /no headings/],
    ['that begins after the line of its headings', `\n${HEAD}`, /no headings up to line 1/],
    [
      'that is no UTF-8',
      Buffer.concat([Buffer.from(`${HEAD}W1-1,1,OK,`), Buffer.from([0xff, 0xfe])]),
      /not utf-8/,
    ],
  ])('%s is refused', async (_, content, message) => {
    const result = await importing(content)
    expect(result).toMatchObject({ kind: 'refused', problems: [{ message: expect.stringMatching(message) }] })
  })

  it('a settlement file with countless mistakes is refused with the first of them and their number', async () => {
    const result = await importing(`${HEAD}${'W1-1,x,OK,2026-11-14 10:00:00\n'.repeat(1_500)}`)
    if (result.kind !== 'refused') throw new Error()
    expect([result.problemCount, result.problems.length]).toEqual([1_500, 1_000])
  })

  it('a settlement file that changes while it is read is refused', async () => {
    const before = await counts()
    let times = 0
    const open = () => {
      times += 1
      return pieces(`${HEAD}W7-${times},1,OK,${at}\n`)()
    }
    expect(await importing('', { open })).toMatchObject({
      kind: 'refused',
      problems: [{ message: expect.stringContaining('changed while it was read') }],
    })
    expect(await counts()).toEqual(before)
  })

  it.each<[Partial<ImportInput>, string]>([
    [{ provider: 'A B' }, 'provider'],
    [{ day: '2026-02-30' }, 'day'],
    [{ mapping: { ...MAPPING, separator: '' } }, '$.separator'],
  ])('a settlement file with %j is refused by name', async (change, field) => {
    await expect(importing(HEAD, change)).rejects.toMatchObject({
      status: 400,
      fields: { [field]: [expect.any(String)] },
    })
  })
})
