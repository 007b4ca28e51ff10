import type { ResellerPaymentDetails } from '../../api/operator.generated.ts'
import { PageLink } from '../../shell/navigation.tsx'
import { compactDayText, dateTimeText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { useRemarks, useStandardText } from '../../text/remarks.ts'
import { Money } from '../../ui/money.tsx'
import { Facts, Panel } from '../../ui/panel.tsx'
import { PAYMENT } from './payment-messages.ts'

/** All other facts of a payment. The service masks its PIN. */
export function DetailsPanel({ payment }: { payment: ResellerPaymentDetails }) {
  const text = useText(PAYMENT)
  const say = useRemarks()
  const standard = useStandardText()
  const optional = (term: string, value: string | null) =>
    value === null || value === '' ? undefined : { term, value }
  return (
    <Panel title={text.details}>
      <Facts
        facts={[
          { term: text.id, value: <span className="mono">{payment.id}</span> },
          { term: text.refid, value: <span className="mono">{payment.refid}</span> },
          {
            term: text.reseller,
            value: (
              <PageLink className="link" to={`/operator/resellers/${payment.reseller}`}>
                {payment.reseller_name}
              </PageLink>
            ),
          },
          { term: text.customer, value: payment.customer },
          {
            term: text.product,
            value: (
              <>
                {payment.product_name} <span className="mono sub">{payment.product}</span>
              </>
            ),
          },
          optional(text.subproduct, payment.subproduct_code),
          optional(text.biller, payment.biller_code),
          optional(text.ref2, payment.ref2),
          optional(text.ic, payment.ic_number),
          {
            term: text.balanceAfter,
            value: <Money amount={payment.balance_after} currency="MYR" />,
            isApart: true,
          },
          { term: text.code, value: payment.code },
          optional(text.remarks, say(payment.remarks)),
          optional(text.serial, payment.serial_number),
          optional(text.pin, payment.pin),
          optional(text.expiry, compactDayText(payment.expiry)),
          optional(text.link, payment.voucher_link),
          optional(text.note, standard(payment.note)),
          { term: text.changed, value: dateTimeText(payment.changed_at) },
        ]}
      />
    </Panel>
  )
}
