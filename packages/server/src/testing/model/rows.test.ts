import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { PaymentCode } from '../../modules/payments/core/types.ts'
import { listHeld, releaseAttempts } from '../../modules/payments/fulfil/attempts.sql.ts'
import { beginAttempts, claimWork } from '../../modules/payments/fulfil/work.sql.ts'
import { resolvePayments } from '../../modules/payments/outcomes/resolve.sql.ts'
import { holdWork } from '../../modules/payments/support/settled.sql.ts'
import type { PaymentsBench } from '../payments/payments.ts'
import { LEASE_MS, openPaymentsBench } from '../payments/payments.ts'
import { begin, claim, hold, isHeld, release, resolve } from './rows.ts'
import type { Answer, Begin, Holder, Row, Work } from './rows.types.ts'
import type { StoredRows } from './stored-rows.ts'
import { comparable, putRows } from './stored-rows.ts'

// The model's statements against the real ones: every pair of row and command, each pair with a payment of its own.

let bench: PaymentsBench
let reseller: bigint

beforeAll(async () => {
  bench = await openPaymentsBench()
  reseller = await bench.newReseller()
})
afterAll(() => bench.close())
beforeEach(async () => {
  await bench.database.query('truncate payment_work, payment_open_attempts')
})

const BOTH = [false, true] as const
const LEASE = 3

/** Rows of payments that are not final: every work that a node may find. */
const UNFINISHED: readonly Row[] = ([0, 1] as const).flatMap((code) =>
  [1, 2].flatMap((attempt) =>
    BOTH.flatMap((isLeased) =>
      BOTH.flatMap((isDue) =>
        BOTH.flatMap((isUnsent) =>
          [0, 1].flatMap((repeats) => {
            const work = { attempt, lease: LEASE, isLeased, isDue, isUnsent, repeats }
            const row = { code, work: { ...work, isEarly: false, isProven: true, request: 0 } }
            return withSurroundings(row, attempt)
          }),
        ),
      ),
    ),
  ),
)

function withSurroundings(base: { code: PaymentCode; work: Work }, attempt: number): Row[] {
  const plain: Row = {
    ...base,
    providers: ['alpha', 'beta'].slice(0, attempt),
    open: [],
    routed: [],
    ended: null,
    contradictions: [],
  }
  if (attempt === 1) return [plain]
  const open = [{ attempt: 1, lease: 2, isLeased: false, isDue: false, isProven: false }]
  return [plain, { ...plain, open }]
}

/** Rows of payments that have ended, by an answer about any attempt or about the payment itself. */
const ENDED: readonly Row[] = ([20, 48, 53] as const).flatMap((code) =>
  [1, 2].flatMap((attempts) =>
    [null, 1, 2]
      .filter((attempt) => (attempt ?? 0) <= attempts)
      .flatMap((attempt) =>
        BOTH.flatMap((isOpen) =>
          BOTH.flatMap((isRouted) =>
            BOTH.map((isNoted) => endedRow({ code, attempts, attempt, isOpen, isRouted, isNoted })),
          ),
        ),
      ),
  ),
)

function endedRow(of: {
  code: 20 | 48 | 53
  attempts: number
  attempt: number | null
  isOpen: boolean
  isRouted: boolean
  isNoted: boolean
}): Row {
  const other = of.attempt === 1 ? 2 : 1
  const isOther = of.isOpen && other <= of.attempts
  return {
    code: of.code,
    providers: ['alpha', 'beta'].slice(0, of.attempts),
    work: null,
    open: isOther ? [{ attempt: other, lease: 2, isLeased: true, isDue: true, isProven: true }] : [],
    routed: of.isRouted ? [1] : [],
    ended: { code: of.code === 53 ? 20 : of.code, attempt: of.attempt },
    contradictions: of.isNoted ? ['20 1'] : [],
  }
}

const ATTEMPTS = [null, 1, 2, 3] as const
const ANSWERS: readonly Answer[] = ([1, 20, 48, 53] as const).flatMap((code) =>
  ATTEMPTS.flatMap((attempt) => [null, LEASE, LEASE - 1].map((lease) => ({ code, attempt, lease }))),
)

type Case<Command> = { readonly row: Row; readonly command: Command }

function pairs<Command>(rows: readonly Row[], commands: readonly Command[]): Case<Command>[] {
  return rows.flatMap((row) => commands.map((command) => ({ row, command })))
}

/** Work whose time does not matter to a statement is tried with two of its forms. */
const isUsualTime = ({ work }: Row) => work === null || work.isLeased !== work.isDue

function toMoves(stored: StoredRows, cases: readonly Case<Answer>[]) {
  const nothing = { failure: null, serialNumber: null, expiry: null, note: null, sealedOutput: null }
  return cases.map(({ command }, place) => ({
    ...nothing,
    ...command,
    resellerId: reseller,
    id: stored.idOf(place),
    nextMs: 3_600_000,
  }))
}

/** Compares the database with the model, and returns the first few pairs in which they differ. */
async function differences<Command>(
  stored: StoredRows,
  cases: readonly Case<Command>[],
  expected: (row: Row, command: Command) => { readonly row: Row; readonly refunds: number },
): Promise<object[]> {
  const found = await stored.read()
  expect(found).toHaveLength(cases.length)
  return cases
    .map(({ row, command }, place) => {
      const wanted = expected(row, command)
      return { row, command, model: { ...wanted, row: comparable(wanted.row) }, database: found[place] }
    })
    .filter(({ model, database }) => !isSame(model, database))
    .slice(0, 3)
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))
}

/** Copies a value with the members of every object in one order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]))
}

const resolved = (row: Row, answer: Answer) => {
  const { row: after, isRefunded } = resolve(row, answer)
  return { row: after, refunds: isRefunded ? 1 : 0 }
}

it('resolve_payments does what the model does, for every state, answer, attempt and lease', async () => {
  const cases = [...pairs(UNFINISHED.filter(isUsualTime), ANSWERS), ...pairs(ENDED, ANSWERS)]
  const stored = await putRows(
    bench.database,
    reseller,
    cases.map(({ row }) => row),
  )
  const moves = toMoves(stored, cases)
  const resolution = await resolvePayments(bench.database, moves)
  expect(await differences(stored, cases, resolved)).toEqual([])
  const wanted = cases.map(({ row, command }) => resolve(row, command))
  expect([...resolution.moved.keys()].sort((a, b) => a - b)).toEqual(placesOf(wanted, 'isMoved'))
  expect([...resolution.contradictions].sort((a, b) => a - b)).toEqual(placesOf(wanted, 'isContradiction'))
})

function placesOf<T>(values: readonly T[], mark: keyof T): number[] {
  return values.flatMap((value, place) => (value[mark] === true ? [place] : []))
}

it('an answer alone in its batch has the same effect as one among others', async () => {
  const rows = [...UNFINISHED.filter((row) => isUsualTime(row) && row.open.length > 0), ...ENDED]
  // A part of the pairs is enough: the batch above has them all, and each of these is a statement of its own.
  const cases = pairs(rows, ANSWERS).filter((_, place) => place % 23 === 0)
  const stored = await putRows(
    bench.database,
    reseller,
    cases.map(({ row }) => row),
  )
  for (const move of toMoves(stored, cases)) await resolvePayments(bench.database, [move])
  expect(await differences(stored, cases, resolved)).toEqual([])
})

it('an attempt is begun as the model does it, for every work and command', async () => {
  const commands: Begin[] = [1, 2, 3].flatMap((attempt) =>
    [null, LEASE, LEASE - 1].flatMap((lease) => [
      { attempt, lease, provider: 'gamma', isBegun: true, isRepeat: false },
      { attempt, lease, provider: null, isBegun: true, isRepeat: true },
      { attempt, lease, provider: null, isBegun: false, isRepeat: false },
    ]),
  )
  const cases = pairs([...UNFINISHED.filter(isUsualTime), ...ENDED.slice(0, 4)], commands)
  const stored = await putRows(
    bench.database,
    reseller,
    cases.map(({ row }) => row),
  )
  const given = cases.map(({ command }, place) => ({
    ...command,
    resellerId: reseller,
    paymentId: stored.idOf(place),
    reason: 'as a test',
  }))
  const begun = await bench.database.transaction((tx) => beginAttempts(tx, given, LEASE_MS))
  expect(
    await differences(stored, cases, (row, command) => ({ row: begin(row, command).row, refunds: 0 })),
  ).toEqual([])
  const leases = cases.flatMap(({ row, command }, place) => {
    const { lease } = begin(row, command)
    return lease === undefined ? [] : [[place + 1, lease]]
  })
  expect(
    begun.map(({ command, lease }) => [command, lease]).sort(([a], [b]) => Number(a) - Number(b)),
  ).toEqual(leases)
})

const HOLDERS: readonly Holder[] = [1, 2].flatMap((attempt) =>
  [LEASE - 1, LEASE, LEASE + 1].flatMap((lease) => BOTH.map((isRepeat) => ({ attempt, lease, isRepeat }))),
)

it('an unsent attempt is released, and a lease is confirmed, as the model does it', async () => {
  const cases = pairs([...UNFINISHED, ...ENDED.slice(0, 16)], HOLDERS)
  const stored = await putRows(
    bench.database,
    reseller,
    cases.map(({ row }) => row),
  )
  const keys = cases.map(({ command }, place) => ({
    ...command,
    resellerId: reseller,
    paymentId: stored.idOf(place),
  }))
  const held = await listHeld(bench.database, keys)
  expect([...held].sort((a, b) => a - b)).toEqual(
    cases.flatMap(({ row, command }, place) => (isHeld(row, command) ? [place + 1] : [])),
  )
  await releaseAttempts(bench.database, keys)
  expect(
    await differences(stored, cases, (row, command) => ({ row: release(row, command), refunds: 0 })),
  ).toEqual([])
})

it('work is claimed, and held by an operator, as the model does it; an unbelieved end of a lease is none', async () => {
  const rows = UNFINISHED.flatMap((row) =>
    BOTH.map((isEarly): Row => (row.work === null ? row : { ...row, work: { ...row.work, isEarly } })),
  )
  const cases = pairs(rows, ['claim'])
  const stored = await putRows(bench.database, reseller, rows)
  const { rows: clock } = await bench.database.query<{ at: Date }>(
    `select now() - interval '30 seconds' as at`,
  )
  const terms = { limit: 10_000, leaseMs: 3_600_000, believedUntil: clock[0]?.at as Date }
  await claimWork(bench.database, terms)
  expect(await differences(stored, cases, (row) => ({ row: claim(row) ?? row, refunds: 0 }))).toEqual([])

  await bench.database.query('truncate payment_work, payment_open_attempts')
  const again = pairs(UNFINISHED.slice(0, 16), ['hold'])
  const other = await putRows(
    bench.database,
    reseller,
    again.map(({ row }) => row),
  )
  for (const place of again.keys()) await holdWork(bench.database, reseller, other.idOf(place), 3_600_000)
  expect(await differences(other, again, (row) => ({ row: hold(row) ?? row, refunds: 0 }))).toEqual([])
})
