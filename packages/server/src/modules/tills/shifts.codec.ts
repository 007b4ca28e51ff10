import { Type } from 'typebox'
import { input, member, optionalMember, resource } from '../../http/codec.ts'
import { documentedAs } from '../../http/parameters.ts'
import { enumOf, Instant, orNull } from '../../http/schemas.ts'
import type { Rule } from '../../lib/input/fields.ts'
import { oneOf, text, textRule } from '../../lib/input/fields.ts'
import { ID } from '../../lib/input/ids.ts'
import type { Amount } from '../../lib/money.ts'
import { AMOUNT_MAX, formatMoney, MONEY_PATTERN, parseMoney } from '../../lib/money.ts'
import { POSTED_AMOUNT } from '../../lib/posted-amounts.ts'
import { OF_RESELLER } from '../accounts/resellers.codec.ts'
import { PLACED_TILL } from './codec.ts'
import type { ShiftDetails } from './service.ts'
import type { Movement, Shift, ShiftSale } from './types.ts'
import { MOVEMENT_KINDS } from './types.ts'

/** Secret of the cookie that makes a browser a till. It is read from the request, and never from its body. */
const BROWSER = optionalMember(text(1, 200), { description: 'Secret of the browser' })
/** Cash in a drawer, which may be empty. */
const CASH: Rule<Amount> = textRule({
  message: 'must be a plain decimal of ringgit, at most 1000000000, with up to 4 decimals',
  schema: { pattern: MONEY_PATTERN },
  parse(given) {
    const amount = parseMoney(given)
    return amount !== undefined && amount <= AMOUNT_MAX ? amount : undefined
  },
})
const cash = (description: string) =>
  member(CASH, { schema: documentedAs(CASH, Type.String({ description })) })

export const SHIFT_INPUT = input({
  account: OF_RESELLER,
  browser: BROWSER,
  float: cash('Cash in the drawer at the beginning, in ringgit'),
})

export const SHIFT_JOIN = input({ account: OF_RESELLER, browser: BROWSER })

export const MOVEMENT_INPUT = input({
  account: OF_RESELLER,
  id: member(ID, { identifies: 'shift' }),
  kind: member(oneOf(MOVEMENT_KINDS), {
    schema: enumOf(
      MOVEMENT_KINDS,
      '`pay_in`: cash put in; `pay_out`: cash taken out; `not_cash`: sales that were paid otherwise, such as by card',
    ),
  }),
  amount: member(POSTED_AMOUNT, {
    schema: documentedAs(POSTED_AMOUNT, Type.String({ description: 'In ringgit' })),
  }),
  reason: member(text(1, 100), { description: 'Purpose of it, as the Z report says it' }),
})

export const SHIFT_CLOSE = input({
  account: OF_RESELLER,
  id: member(ID, { identifies: 'shift' }),
  counted: cash('Cash that was counted in the drawer, in ringgit'),
})

const Money = Type.String({ description: 'Decimal with 2 to 4 places, in MYR' })

/** Names of members, by their ids; those of earlier members are not known. */
export type NamesOf = (memberId: bigint) => string

export const MOVEMENT = resource<Movement, NamesOf>()('Movement of cash', {
  id: [Type.String(), ({ id }) => String(id)],
  member: [Type.String({ description: 'User name' }), ({ memberId }, nameOf) => nameOf(memberId)],
  kind: [enumOf(MOVEMENT_KINDS), ({ kind }) => kind],
  amount: [Money, ({ amount }) => formatMoney(amount)],
  reason: [Type.String(), ({ reason }) => reason],
  at: [Instant, ({ at }) => at.toISOString()],
})

const END = resource<NonNullable<Shift['end']>, NamesOf>()('End of a shift', {
  number: [
    Type.Integer({ description: 'Number of the Z report at its till, without gaps' }),
    ({ number }) => number,
  ],
  closed_by: [Type.String({ description: 'User name' }), ({ closedBy }, nameOf) => nameOf(closedBy)],
  closed_at: [Instant, ({ closedMs }) => instantOf(closedMs)],
  counted: [Money, ({ counted }) => formatMoney(counted)],
  expected: [
    Type.String({ description: 'Cash that the drawer should have held; negative: more was taken out' }),
    ({ expected }) => formatMoney(expected),
  ],
  difference: [
    Type.String({ description: '`counted` less `expected`' }),
    ({ counted, expected }) => formatMoney(counted - expected),
  ],
})

export const SHIFT = resource<Shift, NamesOf>()('Shift', {
  id: [Type.String(), ({ id }) => String(id)],
  till: [PLACED_TILL.schema, ({ till }) => PLACED_TILL.encode(till)],
  opened_by: [Type.String({ description: 'User name' }), ({ openedBy }, nameOf) => nameOf(openedBy)],
  opened_at: [Instant, ({ openedMs }) => instantOf(openedMs)],
  float: [Money, ({ float }) => formatMoney(float)],
  end: [
    orNull(END.schema, 'null: the shift is open'),
    ({ end }, nameOf) => (end === null ? null : END.encode(end, nameOf)),
  ],
})

const Sums = {
  payments: Type.Integer({ description: 'Number of payments' }),
  sales: Money,
}

/** Names that a report needs. */
export type ReportNames = { readonly member: NamesOf; readonly category: (code: string) => string | null }

export const SHIFT_REPORT = resource<ShiftDetails, ReportNames>()('Shift report', {
  shift: [SHIFT.schema, ({ shift }, { member: nameOf }) => SHIFT.encode(shift, nameOf)],
  people: [
    Type.Array(Type.String(), { description: 'User names of those who sold in it' }),
    ({ memberIds }, { member: nameOf }) => memberIds.map(nameOf),
  ],
  movements: [
    Type.Array(MOVEMENT.schema),
    ({ movements }, { member: nameOf }) => movements.map((each) => MOVEMENT.encode(each, nameOf)),
  ],
  total: [
    orNull(Type.Object(Sums), 'Face values that were sold when it was closed; null: the shift is open'),
    ({ shift, sales }) => (shift.end === null ? null : sumsOf(sales)),
  ],
  categories: [
    Type.Array(
      Type.Object({
        code: Type.String({ description: 'Code of the category' }),
        name: orNull(Type.String(), 'null: it is not known any more'),
        ...Sums,
      }),
      { description: 'The same by category of the product' },
    ),
    ({ sales }, { category }) =>
      grouped(sales, (sale) => sale.category).map(([code, each]) => ({
        code,
        name: category(code),
        ...sumsOf(each),
      })),
  ],
  sellers: [
    Type.Array(Type.Object({ member: Type.String({ description: 'User name' }), ...Sums }), {
      description: 'The same by who sold',
    }),
    ({ sales }, { member: nameOf }) =>
      grouped(sales, (sale) => nameOf(sale.memberId)).map(([name, each]) => ({
        member: name,
        ...sumsOf(each),
      })),
  ],
  taken_back: [
    Type.Array(
      Type.Object({
        id: Type.String({ description: 'Payment' }),
        member: Type.String({ description: 'User name of who sold it' }),
        product_name: Type.String(),
        face_value: Money,
        is_void: Type.Boolean({ description: 'true: it was voided; false: it failed' }),
        at: Instant,
      }),
      {
        description:
          'Payments of `total` that failed or were voided after the shift was closed, at most 200; the report itself stays',
      },
    ),
    ({ takenBack }, { member: nameOf }) =>
      takenBack.map(({ id, memberId, productName, faceValue, code, changedAt }) => ({
        id: String(id),
        member: nameOf(memberId),
        product_name: productName,
        face_value: formatMoney(faceValue),
        is_void: code === VOIDED,
        at: changedAt.toISOString(),
      })),
  ],
})

const VOIDED = 53

function sumsOf(sales: readonly ShiftSale[]) {
  return {
    payments: Number(sales.reduce((sum, { payments }) => sum + payments, 0n)),
    sales: formatMoney(sales.reduce((sum, { faceValue }) => sum + faceValue, 0n)),
  }
}

function grouped(sales: readonly ShiftSale[], keyOf: (sale: ShiftSale) => string): [string, ShiftSale[]][] {
  const groups = new Map<string, ShiftSale[]>()
  for (const sale of sales) groups.set(keyOf(sale), [...(groups.get(keyOf(sale)) ?? []), sale])
  return [...groups]
}

function instantOf(ms: bigint): string {
  return new Date(Number(ms)).toISOString()
}
