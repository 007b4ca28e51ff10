import { usePortal } from '../../api/portal.ts'
import { useText } from '../../text/language.ts'
import { Checkbox, SelectField } from '../../ui/field.tsx'
import { PLAYGROUND } from './playground-messages.ts'
import type { OrderValues } from './snippets.ts'

const EXPIRIES = [300, 900, 1_800] as const
const SECONDS_PER_MINUTE = 60

type OrderFieldsProps = {
  readonly values: OrderValues
  readonly onValues: (values: OrderValues) => void
}

/** Choices of an order in the playground. */
export function OrderFields({ values, onValues }: OrderFieldsProps) {
  const text = useText(PLAYGROUND)
  const catalog = usePortal('portalGetCatalogue', {})
  const products = (catalog.data?.data.products ?? [])
    .filter((each) => each.is_active && each.is_enabled && !each.is_hidden)
    .sort((a, b) => a.name.localeCompare(b.name))
  return (
    <div className="order-fields">
      <SelectField
        label={text.product}
        value={values.product ?? ''}
        onValue={(code) => onValues({ ...values, product: code === '' ? undefined : code })}
        placeholder={text.everything}
        options={products.map(({ code, name }) => ({ value: code, label: name }))}
      />
      <SelectField
        label={text.language}
        value={values.language}
        onValue={(language) => onValues({ ...values, language: language === 'ms' ? 'ms' : 'en' })}
        options={[
          { value: 'en', label: text.languages.en },
          { value: 'ms', label: text.languages.ms },
        ]}
      />
      <SelectField
        label={text.expiry}
        value={String(values.expiresSeconds)}
        onValue={(seconds) => onValues({ ...values, expiresSeconds: Number(seconds) })}
        options={EXPIRIES.map((seconds) => ({
          value: String(seconds),
          label: text.minutes(seconds / SECONDS_PER_MINUTE),
        }))}
      />
      <Checkbox
        label={text.results}
        isOn={values.showsResults}
        onToggle={(showsResults) => onValues({ ...values, showsResults })}
      />
    </div>
  )
}
