import { Type } from 'typebox'
import { input, member, optionalMember, resource } from '../../http/codec.ts'
import { documentedAs } from '../../http/parameters.ts'
import { orNull } from '../../http/schemas.ts'
import { PRODUCT_CODE } from '../../lib/input/codes.ts'
import { BOOLEAN, text } from '../../lib/input/fields.ts'
import { ID } from '../../lib/input/ids.ts'
import { formatMoney } from '../../lib/money.ts'
import { POSTED_AMOUNT } from '../../lib/posted-amounts.ts'
import { OF_RESELLER } from '../accounts/resellers.codec.ts'
import { CUSTOMER_ACCOUNT } from '../payments/core/fields.rules.ts'
import type { Favourite } from './types.ts'

const NAME_LENGTH_MAX = 40

export const FAVOURITE_INPUT = input({
  account: OF_RESELLER,
  name: member(text(1, NAME_LENGTH_MAX), { description: 'Name that people know the number by' }),
  isShared: member(BOOLEAN, { description: 'true: for everybody of the shop; false: for oneself' }),
  product: member(PRODUCT_CODE, { description: 'Product that is sold' }),
  number: member(CUSTOMER_ACCOUNT, { description: 'Account of the customer' }),
  amount: optionalMember(POSTED_AMOUNT, {
    schema: documentedAs(
      POSTED_AMOUNT,
      Type.String({ description: "In the product's own unit; left out: asked each time" }),
    ),
  }),
})

export const FAVOURITE_KEY = input({
  account: OF_RESELLER,
  id: member(ID, { identifies: 'favourite' }),
})

export const FAVOURITE = resource<Favourite>()('Favourite', {
  id: [Type.String(), ({ id }) => String(id)],
  name: [Type.String({ description: 'Name that people know the number by' }), ({ name }) => name],
  is_shared: [
    Type.Boolean({ description: 'true: for everybody of the shop; false: for oneself' }),
    ({ memberId }) => memberId === null,
  ],
  product: [Type.String({ description: 'Product that is sold' }), ({ productCode }) => productCode],
  number: [Type.String({ description: 'Account of the customer' }), ({ account }) => account],
  amount: [
    orNull(Type.String(), "In the product's own unit; null: asked each time"),
    ({ amount }) => (amount === null ? null : formatMoney(amount)),
  ],
})
