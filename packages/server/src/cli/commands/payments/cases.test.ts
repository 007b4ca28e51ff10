import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Env } from '../../../config.ts'
import type { CaseKind } from '../../../modules/cases/types.ts'
import type { CasesBench } from '../../../testing/cases.ts'
import { callerOf, numberOf, openCasesBench, requestFor } from '../../../testing/cases.ts'
import { expectSoundMoney } from '../../../testing/payments/payments.ts'
import { main } from '../../main.ts'

let bench: CasesBench
let dataDir: string
let env: Env
let resellerId: bigint

beforeAll(async () => {
  bench = await openCasesBench()
  dataDir = await mkdtemp(join(tmpdir(), 'warung-cases-'))
  env = {
    DATABASE_URL: bench.url,
    WARUNG_MASTER_KEY: bench.masterKey.bytes.toString('base64'),
    WARUNG_DATA_DIR: dataDir,
  }
  resellerId = await bench.newReseller(1_000_000n)
})
afterAll(async () => {
  await bench.close()
  await rm(dataDir, { recursive: true, force: true })
})

async function run(...args: string[]): Promise<{ code: number; out: string }> {
  let out = ''
  const io = {
    out: (text: string) => {
      out += text
    },
    err: () => {},
    readInput: async () => '',
  }
  return { code: await main(args, io, env), out }
}

type Document = Record<string, unknown> & { messages: { author: string; text: string }[] }

async function ask(...args: string[]): Promise<Document> {
  const { code, out } = await run(...args, '--json')
  expect({ code, out: code === 0 ? '' : out }).toEqual({ code: 0, out: '' })
  return JSON.parse(out)
}

async function refuse(...args: string[]): Promise<unknown> {
  const { code, out } = await run(...args, '--json')
  expect(code).toBe(1)
  return JSON.parse(out).error.code
}

async function open(kind: CaseKind) {
  const payment = await bench.succeed(resellerId)
  const request = requestFor(kind, payment)
  const number = numberOf(await bench.casesAt('staging').open(kind, callerOf(resellerId), request))
  return { payment, number }
}

describe('a void', () => {
  it('is taken, talked about, approved and refunded once', async () => {
    const { payment, number } = await open('void')
    const before = await bench.balanceOf(resellerId)
    expect(await ask('case', 'take', '--number', number)).toMatchObject({ number, state: 'in_progress' })
    await ask('case', 'message', '--number', number, '--text', 'We asked the biller.')
    const approve = ['case', 'approve', '--number', number, '--evidence', 'letter']
    const approved = await ask(...approve)
    expect(approved).toMatchObject({ kind: 'void', state: 'resolved', transaction_id: String(payment.id) })
    expect(approved.messages.map(({ author }) => author)).toEqual([
      'reseller',
      'operator',
      'operator',
      'operator',
    ])
    expect(await refuse(...approve)).toBe('case_closed')
    expect(await bench.balanceOf(resellerId)).toBe(before + payment.cost)
    expect(await bench.codeOf(payment)).toBe(53)
    await expectSoundMoney(bench.database)
  })

  it('is refused, and is not resolved without a refund', async () => {
    const { payment, number } = await open('void')
    expect(await refuse('case', 'resolve', '--number', number, '--message', 'x')).toBe('not_a_dispute')
    expect(await ask('case', 'refuse', '--number', number, '--reason', 'Too late')).toMatchObject({
      state: 'refused',
    })
    expect(await refuse('case', 'approve', '--number', number, '--evidence', 'x')).toBe('case_closed')
    expect(await bench.codeOf(payment)).toBe(20)
  })
})

it('a dispute is resolved, and never approved', async () => {
  const { number } = await open('dispute')
  expect(await refuse('case', 'approve', '--number', number, '--evidence', 'x')).toBe('not_a_void')
  const resolved = await ask('case', 'resolve', '--number', number, '--message', 'It was delivered.')
  expect(resolved).toMatchObject({ state: 'resolved', closed_at: expect.any(String) })
  expect(resolved.messages.at(-1)).toMatchObject({ author: 'operator', text: 'It was delivered.' })
})

it('cases are listed of all resellers or of one, by kind and state', async () => {
  const other = await bench.newReseller(100_000n)
  const payment = await bench.succeed(other)
  const request = requestFor('dispute', payment)
  const number = numberOf(await bench.casesAt('staging').open('dispute', callerOf(other), request))
  const list = async (...flags: string[]) =>
    (await ask('case', 'list', ...flags)).cases as { number: string; reseller: string }[]
  const [newest] = await list()
  expect(newest).toMatchObject({ number, reseller: expect.stringMatching(/^\d+$/) })
  expect(await list('--reseller', String(newest?.reseller))).toMatchObject([{ number }])
  expect(await list('--reseller', String(newest?.reseller), '--kind', 'void')).toEqual([])
  expect((await list('--state', 'open', '--limit', '1')).map((each) => each.number)).toEqual([number])
  expect((await run('case', 'list', '--state', 'shut')).code).not.toBe(0)
  expect((await run('case', 'show', '--number', number)).out).toContain(
    'A check of the transaction is requested.',
  )
  expect(await refuse('case', 'show', '--number', 'C-2026-999999')).toBe('not_found')
})
