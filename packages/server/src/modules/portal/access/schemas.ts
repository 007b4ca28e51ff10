import type { TSchema } from 'typebox'
import { Type } from 'typebox'
import { parameter } from '../../../http/parameters.ts'
import { DAY_RULES, PAGE_RULES } from './parameters.rules.ts'

export const Money = Type.String({ description: 'Decimal with 2 to 4 places, in MYR', examples: ['10.00'] })
export const Instant = Type.String({ description: 'ISO 8601, UTC' })
export const Day = Type.String({ description: 'yyyy-MM-dd, GMT+8' })

export const StatusCode = Type.Integer({ description: 'statusCode of the payment' })

export const dataOf = <S extends TSchema>(schema: S) => Type.Object({ data: schema })
export const listOf = <S extends TSchema>(schema: S) => Type.Object({ data: Type.Array(schema) })
export const pageOf = <S extends TSchema>(schema: S) =>
  Type.Object({
    data: Type.Array(schema),
    cursor: Type.Union([Type.String(), Type.Null()], {
      description: 'For the next page; null when there is none',
    }),
    has_more: Type.Boolean(),
  })

export const DAYS = {
  from: parameter(DAY_RULES.from, 'GMT+8; 30 days before `to` when left out'),
  to: parameter(DAY_RULES.to, 'GMT+8, included; today when left out'),
}

export const PAGE = {
  limit: parameter(PAGE_RULES.limit, 'Items of a page'),
  cursor: parameter(PAGE_RULES.cursor, 'That of the page before'),
}

export const CsvFile = Type.String({ contentMediaType: 'text/csv', description: 'CSV with a header line' })
