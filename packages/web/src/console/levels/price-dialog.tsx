import { useState } from 'react'
import type { LevelPrice, LevelPriceRequest, SetLevelPriceResponse } from '../../api/operator.generated.ts'
import { operator, operatorKey } from '../../api/operator.ts'
import { factorOfPercent, percentOfFactor } from '../../text/factors.ts'
import { useText } from '../../text/language.ts'
import { SelectField, TextField } from '../../ui/field.tsx'
import { Facts } from '../../ui/panel.tsx'
import { MeasuredDialog } from '../catalog/measured-dialog.tsx'
import { CATALOG } from '../catalog/messages.ts'
import { priceText } from '../catalog/price-text.ts'
import { ReasonField } from '../parts/act.tsx'
import { ProductFinder } from '../parts/finders.tsx'
import { LEVELS } from './messages.ts'

export type PriceDialogProps = {
  readonly level: string
  /** Price that is changed; undefined for a new one. */
  readonly price: LevelPrice | undefined
  readonly onClose: () => void
}

type Kind = LevelPriceRequest['discount_type']
type Measured = SetLevelPriceResponse['data']

const AMOUNT = /^\d{1,9}(?:\.\d{1,4})?$/

/** Sets a price: the service measures it first, and the operator sees what it would cost. */
export function PriceDialog({ level, price, onClose }: PriceDialogProps) {
  const text = useText(LEVELS)
  const [product, setProduct] = useState<string | undefined>(price?.product)
  const [kind, setKind] = useState<Kind>(price?.discount_type ?? 'percentage')
  const [value, setValue] = useState(price === undefined ? '' : typedValue(price))
  const [reason, setReason] = useState('')
  const sent = sentValue(kind, value)
  return (
    <MeasuredDialog<Measured>
      title={text.setTitle(level)}
      isFilled={product !== undefined && (kind === 'none' || sent !== undefined) && reason.trim() !== ''}
      call={(isDry) =>
        operator.call('setLevelPrice', {
          params: { code: level, product: product ?? '' },
          body: {
            discount_type: kind,
            ...(kind === 'none' ? {} : { value: sent ?? '' }),
            ...(isDry ? { dry_run: true } : {}),
            reason: reason.trim(),
          },
        })
      }
      measured={(measured) => <MeasuredPrice measured={measured} />}
      saved={text.saved}
      refresh={STALE}
      onClose={onClose}
      form={
        <>
          {price === undefined ? (
            <ProductFinder
              label={text.product}
              onCode={(code) => setProduct(code === '' ? undefined : code)}
            />
          ) : (
            <Facts facts={[{ term: text.product, value: <span className="mono">{price.product}</span> }]} />
          )}
          <SelectField
            label={text.kind}
            value={kind}
            onValue={(next) => setKind(next as Kind)}
            options={[
              { value: 'percentage', label: text.percentage },
              { value: 'fixed', label: text.fixed },
              { value: 'none', label: text.takeAway },
            ]}
          />
          <ValueField kind={kind} value={value} onValue={setValue} />
          <ReasonField value={reason} onValue={setReason} />
        </>
      }
    />
  )
}

const STALE = (
  ['getLevel', 'listLevels', 'listMargins', 'getCatalogueProduct', 'listApprovals'] as const
).map((id) => operatorKey(id))

function ValueField({
  kind,
  value,
  onValue,
}: {
  kind: Kind
  value: string
  onValue: (value: string) => void
}) {
  const text = useText(LEVELS)
  if (kind === 'none') return null
  const isPercentage = kind === 'percentage'
  return (
    <TextField
      label={isPercentage ? text.percent : text.amount}
      hint={isPercentage ? text.percentHint : text.amountHint}
      error={value !== '' && sentValue(kind, value) === undefined ? text.bad : undefined}
      before={isPercentage ? '%' : 'MYR'}
      inputMode="decimal"
      value={value}
      maxLength={14}
      onValue={onValue}
    />
  )
}

function typedValue({ discount_type: type, value }: LevelPrice): string {
  return type === 'percentage' ? percentOfFactor(value) : value
}

function sentValue(kind: Kind, typed: string): string | undefined {
  if (kind === 'percentage') return factorOfPercent(typed)
  return AMOUNT.test(typed.trim()) ? typed.trim() : undefined
}

function MeasuredPrice({ measured }: { measured: Measured }) {
  const text = useText(LEVELS)
  const catalog = useText(CATALOG)
  return (
    <>
      <Facts
        facts={[
          { term: text.product, value: <span className="mono">{measured.product}</span> },
          {
            term: text.becomes,
            value: measured.price === null ? text.isNone : priceText(measured.price, catalog),
          },
        ]}
      />
      <p className="mid">{text.affects(measured.summary.accounts_affected)}</p>
    </>
  )
}
