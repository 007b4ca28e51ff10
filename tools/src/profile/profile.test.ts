import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { NEVER_ANSWERED } from '../bench/payers.ts'
import { labelOf, ownerOf } from './postgres.ts'
import type { Frame } from './stages.ts'
import { fileOf, NODE_STAGES, RULES, stageOf } from './stages.ts'
import type { Group, Measured } from './table.ts'
import { buildTable } from './table.ts'

const SOURCES = readdirSync(fileURLToPath(new URL('../../../packages/server/src', import.meta.url)), {
  recursive: true,
  encoding: 'utf8',
})
const PAYMENTS = 1_000

const frame = (functionName: string, path: string): Frame => ({ functionName, url: path })
const own = (functionName: string, path: string) =>
  frame(functionName, `file:///somewhere/packages/server/dist/${path}.js`)
const ROOT = frame('(root)', '')

describe('the stages of a payment', () => {
  it.each(RULES.filter(([, files]) => !isForeign(files)))('%s: %s names a file that exists', (_, files) => {
    expect(SOURCES.some((path) => files.test(path.replaceAll('\\', '/')))).toBe(true)
  })

  it('every rule has a stage of the table', () => {
    for (const [stage] of RULES) expect(NODE_STAGES).toContain(stage)
  })

  it('a function without a stage counts for the nearest caller that has one', () => {
    const stack = [
      frame('writev', ''),
      frame('emit', 'node:events'),
      own('respond', 'http/respond'),
      own('take', 'http/edge'),
      ROOT,
    ]
    expect(stageOf(stack)).toBe('answer')
  })

  it('the driver counts for the background work that uses it, and else for the payments', () => {
    const encode = own('textArrayOf', 'db/arrays')
    expect(stageOf([encode, own('takeBatch', 'modules/payments/take/intake.service'), ROOT])).toBe('encode')
    expect(stageOf([encode, own('chainBatch', 'modules/wallet/ledger/chain.jobs'), ROOT])).toBe('chain')
  })

  it('garbage collection, the event loop and what nobody owns are rows of their own', () => {
    expect(stageOf([frame('(garbage collector)', ''), own('take', 'http/edge'), ROOT])).toBe(
      'garbage collection',
    )
    expect(stageOf([frame('runMicrotasks', ''), ROOT])).toBe('event loop')
    expect(stageOf([frame('emit', 'node:events'), ROOT])).toBe('unassigned')
  })

  it('names files of packages and of the service alike on every machine', () => {
    expect(fileOf('file:///a/node_modules/pg/lib/result.js')).toBe('~pg/lib/result.js')
    expect(fileOf('file:///a/packages/server/dist/http/edge.js')).toBe('http/edge.js')
  })
})

function isForeign(files: RegExp) {
  return /\^(~|node:)/.test(files.source)
}

describe('the statements of the database', () => {
  it('a call is named after our function, another statement after its work and its table', () => {
    expect(labelOf('select * from take_payments(p_digests => $1::uuid[])')).toBe('take_payments')
    expect(labelOf('insert into transfer_chain (a)\n select 1')).toBe('chain: insert into transfer_chain')
  })

  it('a statement inside a function is found in the function that it was written in', () => {
    const text = readFileSync(
      new URL('../../../packages/server/functions/wallet/post_entries.sql', import.meta.url),
      'utf8',
    )
    const statement = /insert into transfers[^;]*/.exec(text)?.[0]
    expect(ownerOf(statement ?? '')).toBe('post_entries')
  })
})

describe('the cost table', () => {
  const cpu = (micros: number) => ({ cpu: micros * PAYMENTS, kernel: 0 })
  const measured = (sampledMicros: number): Measured => ({
    scenario: {
      name: 'created',
      payments: PAYMENTS,
      payment: NEVER_ANSWERED,
      settings: {},
      connections: 1,
    },
    plain: [
      {
        cpu: new Map([
          ['main threads', cpu(200)],
          ['helper threads', cpu(20)],
          ['first process', cpu(3)],
          ['backends', cpu(100)],
          ['WAL writer', cpu(7)],
        ]),
        payersCpu: 50 * PAYMENTS,
        startedMs: 0,
        endedMs: 0,
        perSecond: 0,
      },
    ],
    profiledCpu: new Map([['main threads', cpu(250)]]),
    stages: [{ stages: new Map([['judge', sampledMicros * PAYMENTS]]), functions: new Map() }],
    accounts: new Map([['take_payments', { bind: 10 * PAYMENTS, execute: 60 * PAYMENTS }]]),
    inner: new Map([['take_payments', { self: 200, statements: new Map([['insert into payments', 150]]) }]]),
  })
  const sumOf = (group: Group | undefined) => group?.rows.reduce((sum, [, micros]) => sum + micros, 0)
  const rowOf = (group: Group | undefined, label: string) =>
    group?.rows.find(([name]) => name.startsWith(label))?.[1]

  it.each([100, 250, 900])(
    'the rows add up to the CPU that was measured, with %i µs of samples',
    (sampled) => {
      const [node, postgres] = buildTable(measured(sampled)).groups
      expect(sumOf(node)).toBeCloseTo(223)
      expect(sumOf(postgres)).toBeCloseTo(107)
    },
  )

  it('the cost of the profiler is taken out, and the rest is shown as outside JavaScript', () => {
    const [node] = buildTable(measured(100)).groups
    expect(rowOf(node, 'judge')).toBeCloseTo(80)
    expect(rowOf(node, 'outside')).toBeCloseTo(120)
  })

  it('a function is divided among its statements and PL/pgSQL by their share of its time', () => {
    const [, postgres] = buildTable(measured(100)).groups
    expect(rowOf(postgres, 'take_payments: bind its values')).toBeCloseTo(10)
    expect(rowOf(postgres, 'take_payments: insert into payments')).toBeCloseTo(45)
    expect(rowOf(postgres, 'take_payments: PL/pgSQL')).toBeCloseTo(15)
  })

  it('the load generator is shown apart and is in no sum', () => {
    expect(buildTable(measured(100)).payers).toBeCloseTo(50)
  })
})
