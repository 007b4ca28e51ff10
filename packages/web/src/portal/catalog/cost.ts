import type { PortalProduct } from '../../api/portal.generated.ts'
import { percentOfFactor } from '../../text/factors.ts'
import type { Translated } from '../../text/language.ts'
import { moneyParts } from '../../text/numbers.ts'
import type { CATALOG } from './messages.ts'

type Text = Translated<(typeof CATALOG)['en']>

/** Cost in words: a part of the face value, or an amount beside it. */
export function costText({ discount }: Pick<PortalProduct, 'discount'>, text: Text): string {
  if (discount === null) return text.noPrice
  if (discount.type === 'percentage') return `${percentOfFactor(discount.unit_price)}%`
  const value = discount.unit_price
  const { main, beyond } = moneyParts(value.replace('-', '').includes('.') ? value : `${value}.00`)
  return value.startsWith('-') ? text.faceLess(main + beyond) : text.facePlus(main + beyond)
}
