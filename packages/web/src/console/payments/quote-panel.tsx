import type { QuoteForTheSupplier } from '../../api/operator.generated.ts'
import { useText } from '../../text/language.ts'
import { moneyText } from '../../text/numbers.ts'
import { CopyButton } from '../../ui/copy.tsx'
import { Facts, Panel } from '../../ui/panel.tsx'
import { PAYMENT } from './payment-messages.ts'

/** Details by which a supplier finds the order, ready to be pasted into a mail or read aloud. */
export function QuotePanel({ quote }: { quote: QuoteForTheSupplier }) {
  const text = useText(PAYMENT)
  const all: readonly (readonly [term: string, value: string])[] = [
    [text.supplier, `${quote.supplier} (${quote.supplier_code})`],
    [text.ourReference, quote.our_reference],
    [text.theirSerial, quote.their_serial_number],
    [text.sent, quote.sent_at ?? ''],
    [text.product, quote.product],
    [text.account, quote.account],
    [text.amount, quote.amount],
    [text.faceValue, moneyText(quote.face_value, 'MYR')],
  ]
  const lines = all.filter(([, value]) => value !== '')
  return (
    <Panel
      title={text.quote}
      actions={
        <CopyButton
          label={text.copyAll}
          value={lines.map(([term, value]) => `${term}: ${value}`).join('\n')}
        />
      }
    >
      <p className="sub small quote-about">{text.quoteAbout}</p>
      <Facts facts={lines.map(([term, value]) => ({ term, value: <span className="mono">{value}</span> }))} />
    </Panel>
  )
}
