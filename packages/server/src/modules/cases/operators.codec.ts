import { Type } from 'typebox'
import type { InputCodec, Member } from '../../http/codec.ts'
import { columns, input, member, resource } from '../../http/codec.ts'
import { enumOf, Instant, orNull } from '../../http/schemas.ts'
import { textRule } from '../../lib/input/fields.ts'
import { CASE_NUMBER, parseNumber } from './listing.rules.ts'
import type { OperatorCase, OperatorReport } from './operators.service.ts'
import { CASE_FIELDS } from './operators.service.ts'
import { CASE_KINDS, CASE_STATES } from './types.ts'

// Cases as operators give and see them.

export const OF_CASE = member(
  textRule({ ...CASE_NUMBER, parse: (text) => (parseNumber(text) === undefined ? undefined : text) }),
  { identifies: 'case', option: { value: 'NUMBER', help: 'the case, such as C-2026-000123' } },
)

export const CASE_KEY = input({ number: OF_CASE })

export type CaseMessageInput = { readonly number: string; readonly message: string }

/** Input of a step that says something to the reseller; the commands have different names for its message. */
export function messageInput(option: string): InputCodec<CaseMessageInput> {
  return input({
    number: OF_CASE,
    message: member(CASE_FIELDS.message, {
      description: 'Message for the reseller',
      option: { name: option, value: 'TEXT', help: 'what the reseller reads' },
    }) satisfies Member<string>,
  })
}

const SUMMARY = columns<OperatorCase>()({
  reseller: [Type.String(), ({ account }) => account],
  number: [Type.String({ examples: ['C-2026-000123'] }), ({ number }) => number],
  kind: [enumOf(CASE_KINDS), ({ kind }) => kind],
  state: [enumOf(CASE_STATES), ({ state }) => state],
  refid: [Type.String(), ({ refid }) => refid],
  payment_id: [Type.String(), ({ paymentId }) => String(paymentId)],
  created_at: [Instant, ({ openedAt }) => openedAt.toISOString()],
  updated_at: [Instant, ({ changedAt }) => changedAt.toISOString()],
  due_at: [Instant, ({ dueAt }) => dueAt.toISOString()],
  closed_at: [orNull(Instant), ({ closedAt }) => closedAt?.toISOString() ?? null],
})

export const RESELLER_CASE = resource<OperatorCase>()('Reseller case', SUMMARY)

const MESSAGE = Type.Object({
  author: enumOf(['reseller', 'operator', 'system']),
  text: Type.String(),
  at: Instant,
})

const DETAILS = resource<OperatorCase & Pick<OperatorReport, 'messages'>>()('Reseller case details', {
  ...SUMMARY,
  cc: [Type.Array(Type.String()), ({ cc }) => [...cc]],
  refund_type: [orNull(Type.Number(), 'null: it is a dispute'), ({ refund }) => refund?.type ?? null],
  refund_reason: [orNull(Type.String()), ({ refund }) => refund?.reason ?? null],
  messages: [
    Type.Array(MESSAGE, { description: 'Oldest first' }),
    ({ messages }) => messages.map(({ author, text, at }) => ({ author, text, at: at.toISOString() })),
  ],
})

export const RESELLER_CASE_DETAILS = {
  schema: DETAILS.schema,
  encode: ({ case: each, account, messages }: OperatorReport) =>
    DETAILS.encode({ ...each, account, messages }),
}
