import type { LevelPrice } from '../../api/operator.generated.ts'
import { percentOfFactor } from '../../text/factors.ts'
import type { Translated } from '../../text/language.ts'
import { moneyText } from '../../text/numbers.ts'
import type { CATALOG } from './messages.ts'

type Text = Translated<(typeof CATALOG)['en']>

/** Price of a level in words. */
export function priceText(
  { discount_type: type, value, currency }: Pick<LevelPrice, 'discount_type' | 'value' | 'currency'>,
  text: Text,
): string {
  return type === 'percentage'
    ? text.pays(percentOfFactor(value))
    : text.takesOff(moneyText(value.includes('.') ? value : `${value}.00`, currency))
}
