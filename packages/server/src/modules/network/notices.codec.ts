import { Type } from 'typebox'
import type { Infer } from '../../http/codec.ts'
import { input, member, optionalMember, resource } from '../../http/codec.ts'
import { enumOf, Instant, orNull } from '../../http/schemas.ts'
import { INSTANT } from '../../lib/dates.ts'
import { BOOLEAN, oneOf, pattern, text } from '../../lib/input/fields.ts'
import { ID } from '../../lib/input/ids.ts'
import { optional } from '../../lib/input/parameters.ts'
import { AUTHOR } from '../../lib/input/records.ts'
import { NOTICE_STATES, noticeStateAt } from './notices.rules.ts'
import type { Notice } from './types.ts'
import { NOTICE_TARGETS } from './types.ts'

const MESSAGE_LENGTH_MAX = 500

export const NOTICE_INPUT = input({
  target: member(oneOf(NOTICE_TARGETS), { schema: enumOf(NOTICE_TARGETS) }),
  code: member(pattern('must be a code of 1 to 100 characters', /^[\x21-\x7e]{1,100}$/), {
    description: 'Code of the product, the category or the provider',
  }),
  message: member(text(1, MESSAGE_LENGTH_MAX), {
    description: 'The message',
    option: { value: 'TEXT', help: `the message; 1 to ${MESSAGE_LENGTH_MAX} characters` },
  }),
  startsAt: optionalMember(optional(INSTANT, null), {
    description: 'With its zone; left out: now',
    option: { name: 'starts', value: 'TIME', help: 'such as 2026-03-01T22:00:00+08:00; now if left out' },
  }),
  endsAt: optionalMember(optional(INSTANT, null), {
    description: 'With its zone; left out: until somebody ends it',
    option: { name: 'ends', value: 'TIME', help: 'without it, it holds until `notice end`' },
  }),
  stopsPayments: optionalMember(BOOLEAN, {
    option: { help: 'new payments are refused with 44 Product_Unavailable meanwhile' },
  }),
  createdBy: optionalMember(AUTHOR, {
    option: { name: 'by', value: 'NAME', help: 'who says so (default: operator)' },
  }),
})
export type NoticeInput = Infer<typeof NOTICE_INPUT>

export const NOTICE_KEY = input({
  id: member(ID, {
    identifies: 'open notice',
    option: { value: 'NUMBER', help: 'as `notice list` shows it' },
  }),
})

/** A notice, at the database's time in milliseconds. Times that the database wrote are never future. */
export const NOTICE = resource<Notice, number>()('Network notice', {
  id: [Type.String(), ({ id }) => String(id)],
  state: [
    enumOf(NOTICE_STATES),
    (notice, nowMs) =>
      noticeStateAt(notice, Math.max(nowMs, notice.createdAt.getTime(), notice.endedAt?.getTime() ?? 0)),
  ],
  target: [enumOf(NOTICE_TARGETS), ({ target }) => target.kind],
  code: [Type.String(), ({ target }) => target.code],
  message: [Type.String(), ({ message }) => message],
  stops_payments: [
    Type.Boolean({ description: 'New payments are refused meanwhile' }),
    (notice) => notice.stopsPayments,
  ],
  starts_at: [Instant, ({ startsAt }) => startsAt.toISOString()],
  ends_at: [orNull(Instant), ({ endsAt }) => endsAt?.toISOString() ?? null],
  ended_at: [orNull(Instant), ({ endedAt }) => endedAt?.toISOString() ?? null],
  created_by: [Type.String(), ({ createdBy }) => createdBy],
  created_at: [Instant, ({ createdAt }) => createdAt.toISOString()],
})
