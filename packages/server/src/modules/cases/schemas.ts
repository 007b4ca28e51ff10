import { Type } from 'typebox'
import { documentedAs, parameter } from '../../http/parameters.ts'
import { enumOf } from '../../http/schemas.ts'
import { CASE_LIST_RULES, CASE_NUMBER } from './listing.rules.ts'
import { SUPPORT_FIELDS } from './rules.ts'
import { CASE_KINDS, CASE_STATES } from './types.ts'

const names = {
  refid: Type.Optional(
    documentedAs(SUPPORT_FIELDS.refid, Type.String({ description: 'Reference of the payment' })),
  ),
  trxid: Type.Optional(
    documentedAs(
      SUPPORT_FIELDS.trxid,
      Type.String({ description: 'The transaction_id of the payment; wins if both are given' }),
    ),
  ),
  user_email: Type.Optional(
    documentedAs(
      SUPPORT_FIELDS.emails,
      Type.Array(Type.String(), { description: 'Addresses that get a copy of the mails' }),
    ),
  ),
}

export const DisputeBody = Type.Object(names, {
  title: 'Dispute request',
  description: 'One of refid and trxid is required',
})

export const VoidBody = Type.Object(
  {
    ...names,
    refund_type: documentedAs(
      SUPPORT_FIELDS.refundType,
      Type.Number({ description: '1 incorrect amount or wrong account, 2 duplicate transaction, 3 other' }),
    ),
    refund_reason: Type.Optional(
      documentedAs(
        SUPPORT_FIELDS.refundReason,
        Type.String({ description: 'Required when refund_type is 3, and not read otherwise' }),
      ),
    ),
  },
  { title: 'Void request', description: 'One of refid and trxid is required' },
)

export const SupportResponse = Type.Object(
  {
    data: Type.Object({
      refid: Type.String({ description: "The payment's" }),
      status: Type.Union([Type.Literal('Success'), Type.Literal('Failed')], {
        description: 'Whether the request was received',
      }),
      message: Type.String(),
    }),
  },
  {
    title: 'Support response',
    examples: [
      {
        data: {
          refid: 'INV-10045',
          status: 'Success',
          message: 'Your request was received. The case number is C-2026-000123.',
        },
      },
    ],
  },
)

const summary = {
  number: Type.String(),
  kind: enumOf(CASE_KINDS, 'dispute: the payment is questioned. void: it is to be given back.'),
  state: enumOf(CASE_STATES),
  refid: Type.String(),
  transaction_id: Type.String(),
  created_at: Type.String({ description: 'ISO 8601, UTC; so are the other times' }),
  updated_at: Type.String(),
  due_at: Type.String(),
  closed_at: Type.Union([Type.String(), Type.Null()]),
}

const Summary = Type.Object(summary, { title: 'Case' })

/** Data of a case in the event feed. */
export const CaseEventData = Type.Object(
  {
    number: summary.number,
    kind: summary.kind,
    state: summary.state,
    refid: summary.refid,
    transaction_id: summary.transaction_id,
    message: Type.String({ description: 'Message of this step' }),
  },
  { title: 'Case event data' },
)

export const CaseListParameters = Type.Object({
  state: parameter(CASE_LIST_RULES.state, 'Cases in this state alone'),
  kind: parameter(CASE_LIST_RULES.kind, 'Cases of this kind alone'),
  from: parameter(
    CASE_LIST_RULES.from,
    'Opened on or after: a day yyyy-MM-dd (GMT+8) or an ISO 8601 instant',
  ),
  to: parameter(CASE_LIST_RULES.to, 'Opened on or before: the same'),
  limit: parameter(CASE_LIST_RULES.limit, 'Cases of a page'),
  cursor: parameter(CASE_LIST_RULES.cursor, 'cursor of the page before'),
})

export const CaseListResponse = Type.Object(
  {
    data: Type.Array(Summary),
    cursor: Type.Union([Type.String(), Type.Null()], {
      description: 'For the next page; null: this is the last',
    }),
    has_more: Type.Boolean(),
  },
  { title: 'Case page' },
)

export const CaseParameters = Type.Object({
  number: documentedAs(CASE_NUMBER, Type.String()),
})

export const CaseResponse = Type.Object(
  {
    data: Type.Object({
      ...summary,
      cc: Type.Array(Type.String()),
      refund_type: Type.Union([Type.Number(), Type.Null()], { description: 'null: it is a dispute' }),
      refund_reason: Type.Union([Type.String(), Type.Null()]),
      messages: Type.Array(
        Type.Object({
          author: enumOf(['reseller', 'operator', 'system']),
          text: Type.String(),
          at: Type.String(),
        }),
        { description: 'Oldest first' },
      ),
    }),
  },
  { title: 'Case details response' },
)
