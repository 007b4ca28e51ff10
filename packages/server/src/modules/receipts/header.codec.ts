import { Type } from 'typebox'
import { input, optionalMember, resource } from '../../http/codec.ts'
import { orNull } from '../../http/schemas.ts'
import { text } from '../../lib/input/fields.ts'
import { OF_RESELLER } from '../accounts/resellers.codec.ts'
import { LOGO, LOGO_BYTES_MAX, LOGO_SIDE_MAX } from './logo.rules.ts'
import type { ReceiptHeader } from './types.ts'

export const RECEIPT_HEADER_INPUT = input({
  account: OF_RESELLER,
  name: optionalMember(text(0, 80), { description: 'Name of the shop; empty: that of the account' }),
  address: optionalMember(text(0, 200), { description: 'Address of the shop, in one line' }),
  registrationNumber: optionalMember(text(0, 40), {
    description: 'Number by which the business is registered',
  }),
  footer: optionalMember(text(0, 200), { description: 'Last line, such as opening hours' }),
  logo: optionalMember(LOGO, {
    description: `Base64 of a PNG of at most ${LOGO_BYTES_MAX} bytes and ${LOGO_SIDE_MAX} by ${LOGO_SIDE_MAX} pixels; empty: none`,
  }),
})
export const RECEIPT_HEADER = resource<ReceiptHeader>()('Receipt header', {
  name: [Type.String({ description: 'Empty: that of the account' }), ({ name }) => name],
  address: [Type.String(), ({ address }) => address],
  registration_number: [Type.String(), ({ registrationNumber }) => registrationNumber],
  footer: [Type.String(), ({ footer }) => footer],
  logo: [
    orNull(Type.String(), 'Base64 of a PNG; null: none'),
    ({ logo }) => logo?.toString('base64') ?? null,
  ],
})
