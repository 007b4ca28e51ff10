import { describe, expect, it } from 'vitest'
import { RequestError } from '../../lib/errors.ts'
import {
  asksProvider,
  copiesOf,
  DUE_AFTER_SECONDS,
  firstNote,
  isClosed,
  mayMove,
  nextQuestionMs,
  notFinalYet,
  notRefundable,
  OVERDUE_AGAIN_SECONDS,
  readSupportRequest,
  refusedText,
  SUPPORT_FIELDS,
  unknownTransaction,
  unreadableRequest,
} from './rules.ts'
import type { CaseKind } from './types.ts'
import { CASE_STATES } from './types.ts'

const VOID = { trxid: '17', refund_type: 1 }

function errorsOf(kind: CaseKind, body: unknown): Record<string, readonly string[]> {
  try {
    readSupportRequest(kind, body)
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
    expect(error.status).toBe(400)
    return { ...error.fields }
  }
  throw new Error('it was taken')
}

describe('the transaction that a request means', () => {
  it.each([
    [{ trxid: '17' }, { id: 17n }],
    [{ refid: 'A-1' }, { refid: 'A-1' }],
    [{ refid: ' A-1 ' }, { refid: ' A-1 ' }],
    [{ trxid: '17', refid: 'A-1' }, { id: 17n }],
    [{ trxid: '17', refid: 5 }, { id: 17n }],
    [{ trxid: null, refid: 'A-1' }, { refid: 'A-1' }],
    [{ trxid: '', refid: 'A-1' }, { refid: 'A-1' }],
  ])('%j', (body, payment) => {
    expect(readSupportRequest('dispute', body)).toEqual({ payment, emails: [], refund: null })
  })

  it.each([
    { trxid: 'abc' },
    { trxid: '017' },
    { trxid: '-1' },
    { trxid: '9223372036854775808' },
    { trxid: '99999999999999999999999' },
    { refid: 'x'.repeat(101) },
    { refid: 'a\0b' },
    // The trxid has priority, even though a payment with the refid may exist.
    { trxid: 'abc', refid: 'A-1' },
  ])('%j is nobody’s, which is not a mistake of form', (body) => {
    expect(readSupportRequest('dispute', body).payment).toBeUndefined()
  })

  it.each([undefined, null, [], 'text', 7, {}, { refid: '' }, { trxid: null }, { trxid: 17 }, { refid: 17 }])(
    '%j is refused, under trxid',
    (body) => {
      expect(Object.keys(errorsOf('dispute', body))).toEqual(['trxid'])
    },
  )
})

describe('copies', () => {
  it('go to the addresses given, however many up to 20', () => {
    const emails = Array.from({ length: 20 }, (_, index) => `a${index}@shop.example.com`)
    expect(readSupportRequest('dispute', { trxid: '1', user_email: emails }).emails).toEqual(emails)
    expect(readSupportRequest('dispute', { trxid: '1', user_email: [] }).emails).toEqual([])
    expect(readSupportRequest('dispute', { trxid: '1', user_email: null }).emails).toEqual([])
  })

  it.each([
    ['a@example.com'],
    [{}],
    [['nobody']],
    [['a@b']],
    [['a@-b.com']],
    [['a@b..com']],
    [['a b@example.com']],
    [['a@example.com\r\nBcc: b@example.com']],
    [['a@example.com, b@example.com']],
    [['<a@example.com>']],
    [['a@b@example.com']],
    [['']],
    [[null]],
    [[7]],
    [[`${'a'.repeat(250)}@example.com`]],
    [Array.from({ length: 21 }, () => 'a@example.com')],
    [['good@example.com', 'bad']],
  ])('%j is refused under user_email and trxid', (user_email) => {
    expect(Object.keys(errorsOf('dispute', { trxid: '1', user_email })).sort()).toEqual([
      'trxid',
      'user_email',
    ])
  })

  it('are one for each address, the registered one first', () => {
    expect(copiesOf('Shop@example.com', ['a@example.com', 'shop@EXAMPLE.com', 'A@example.com'])).toEqual([
      'Shop@example.com',
      'a@example.com',
    ])
  })
})

describe('a void', () => {
  it.each([
    [{ refund_type: 1 }, { type: 1, reason: null }],
    [
      { refund_type: 2, refund_reason: 'not read' },
      { type: 2, reason: null },
    ],
    [
      { refund_type: 1, refund_reason: 7 },
      { type: 1, reason: null },
    ],
    [
      { refund_type: 3, refund_reason: '  moved\n house ' },
      { type: 3, reason: 'moved house' },
    ],
    [
      { refund_type: 3, refund_reason: 'x'.repeat(500) },
      { type: 3, reason: 'x'.repeat(500) },
    ],
  ])('%j', (given, refund) => {
    expect(readSupportRequest('void', { trxid: '17', ...given }).refund).toEqual(refund)
  })

  it.each([undefined, null, 0, 4, 1.5, '1', [1], true])('a void of type %j is refused', (refund_type) => {
    expect(Object.keys(errorsOf('void', { ...VOID, refund_type })).sort()).toEqual(['refund_type', 'trxid'])
  })

  it.each([undefined, null, '', '   ', 7, 'x'.repeat(501), 'a\0b'])(
    'a void of type 3 for the reason %j is refused',
    (refund_reason) => {
      const errors = errorsOf('void', { trxid: '17', refund_type: 3, refund_reason })
      expect(Object.keys(errors).sort()).toEqual(['refund_reason', 'trxid'])
    },
  )

  it('a void with everything wrong is told everything at once, and all of it under trxid', () => {
    const errors = errorsOf('void', { user_email: 'x', refund_type: 9 })
    expect(Object.keys(errors).sort()).toEqual(['refund_type', 'trxid', 'user_email'])
    expect(errors.trxid).toHaveLength(3)
  })

  it('is asked for at the provider; in staging for two accounts alone; a dispute never is', () => {
    expect(asksProvider('void', '60123456789', false)).toBe(true)
    expect(asksProvider('void', '60123456789', true)).toBe(false)
    expect(asksProvider('void', '60123454001', true)).toBe(true)
    expect(asksProvider('void', '60123454002', true)).toBe(true)
    expect(asksProvider('dispute', '60123454001', true)).toBe(false)
    expect(asksProvider('dispute', '60123456789', false)).toBe(false)
  })
})

it('a closed case stays closed, and no case becomes open again', () => {
  const moves = CASE_STATES.flatMap((from) =>
    CASE_STATES.filter((to) => mayMove(from, to)).map((to) => `${from} ${to}`),
  )
  expect(moves).toEqual([
    'open in_progress',
    'open resolved',
    'open refused',
    'in_progress resolved',
    'in_progress refused',
  ])
  expect(CASE_STATES.filter(isClosed)).toEqual(['resolved', 'refused'])
})

it('questions come ever more rarely, and never end', () => {
  const seconds = Array.from({ length: 10 }, (_, index) => nextQuestionMs(index) / 1_000)
  expect(seconds).toEqual([5, 15, 30, 60, 120, 300, 600, 1_800, 3_600, 3_600])
  expect(nextQuestionMs(1_000_000)).toBe(3_600_000)
})

it('a reason from outside is one short line', () => {
  expect(refusedText(`no\r\nnever\0${'x'.repeat(1_000)}`)).toBe(
    `The biller refused the void: no never ${'x'.repeat(291)}`,
  )
})

it('a case is due after three days, and operators are told again after one', () => {
  expect([DUE_AFTER_SECONDS, OVERDUE_AGAIN_SECONDS]).toEqual([259_200, 86_400])
})

it('a mistake of form is told in words', () => {
  expect(errorsOf('dispute', { trxid: 17 })).toEqual({ trxid: ['The trxid field must be a string.'] })
  expect(errorsOf('dispute', { refid: 17 })).toEqual({ trxid: ['The refid field must be a string.'] })
  const { user_email } = errorsOf('dispute', { trxid: '1', user_email: ['good@example.com', 'bad'] })
  expect(user_email).toEqual([expect.stringMatching(/^The user_email\.1 field must be /)])
})

it('a reason has no spaces around it', () => {
  expect(refusedText(' no ')).toBe('The biller refused the void: no')
})

it('the first message says why', () => {
  expect(firstNote(null)).toBe('A check of the transaction is requested.')
  expect(firstNote({ type: 1, reason: null })).toBe(
    'A void of the transaction is requested: incorrect amount or wrong account',
  )
  expect(firstNote({ type: 2, reason: null })).toBe(
    'A void of the transaction is requested: duplicate transaction',
  )
  expect(firstNote({ type: 3, reason: null })).toBe('A void of the transaction is requested: other')
  expect(firstNote({ type: 3, reason: 'he left' })).toBe('A void of the transaction is requested: he left')
})

it.each([
  ['an unknown transaction', unknownTransaction()],
  ['one that is not final', notFinalYet()],
  ['one of a product without voids', notRefundable()],
  ['a body that cannot be read', unreadableRequest('The body must be JSON.')],
])('%s is refused under trxid, in the words of the answer', (_, error) => {
  const { status, code, publicText, fields } = error as RequestError
  expect({ status, code, fields }).toEqual({
    status: 400,
    code: 'validation_failed',
    fields: { trxid: [publicText] },
  })
})

it('the document has the limits that are read', () => {
  expect(SUPPORT_FIELDS.emails.schema).toMatchObject({ type: 'array', maxItems: 20 })
  expect(SUPPORT_FIELDS.refundType.schema).toEqual({ type: 'integer', minimum: 1, maximum: 3 })
})
