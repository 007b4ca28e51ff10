import { pattern } from './fields.ts'

// Codes that several domains take: accounts name a price level, routes and stock name a product.

const PRODUCT_CODE_FORM = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,49}$/

/** Source of the form without its anchors, for forms that contain a code: a picture's path, a route's product. */
export const PRODUCT_CODE_SOURCE = PRODUCT_CODE_FORM.source.slice(1, -1)

/** Code of a product, a group or a category. */
export const PRODUCT_CODE = pattern(
  'must be 1 to 50 letters, digits, _ - or . and begin with a letter or digit',
  PRODUCT_CODE_FORM,
)

export const PRICE_LEVEL = pattern('must be 1 to 40 capital letters, digits or _', /^[A-Z0-9_]{1,40}$/)

export const PROVIDER_CODE = pattern(
  'must be 1 to 40 small letters, digits, _ or - and begin with a letter or digit',
  /^[a-z0-9][a-z0-9_-]{0,39}$/,
)

export const ACCOUNT_NUMBER = pattern('must be 4 to 20 digits', /^[0-9]{4,20}$/)

/** Currency by ISO 4217. Units of games have codes of their own, in the catalogue. */
export const CURRENCY_CODE = pattern('must be three capital letters, such as USD', /^[A-Z]{3}$/)
