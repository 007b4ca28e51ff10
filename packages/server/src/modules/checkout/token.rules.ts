import { CLIENT_TOKEN, ORDER_CODE } from '../orders/core/fields.rules.ts'

const BEARER = /^bearer +/i

/** Claim of a customer, in the form that every real one has: nothing else is worth a question to the database. */
export type Claim = { readonly code: string; readonly token: string }

/** Reads the order of a path and the token of an Authorization header; undefined: no order has such ones. */
export function readClaim(
  code: string | undefined,
  header: string | readonly string[] | undefined,
): Claim | undefined {
  if (code === undefined || !isOrderCode(code)) return undefined
  if (typeof header !== 'string' || !BEARER.test(header)) return undefined
  const token = CLIENT_TOKEN.read(header.replace(BEARER, ''))
  return token === undefined ? undefined : { code, token }
}

export function isOrderCode(text: string): boolean {
  return ORDER_CODE.read(text) !== undefined
}
