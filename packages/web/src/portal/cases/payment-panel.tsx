import { usePortal } from '../../api/portal.ts'
import { PageLink } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Money } from '../../ui/money.tsx'
import { Facts, Panel } from '../../ui/panel.tsx'
import { PaymentState } from '../payments/status.tsx'
import { CASES } from './messages.ts'

/** Payment that a case is about. It is read after the case, which has its refid already. */
export function PaymentPanel({ id, refid }: { id: string; refid: string }) {
  const text = useText(CASES)
  const reading = usePortal('portalGetPayment', { params: { id } })
  const link = (
    <PageLink className="link mono" to={`/portal/payments/${id}`}>
      {refid}
    </PageLink>
  )
  return (
    <Panel title={text.payment}>
      <Facts facts={[{ term: text.refid, value: link }]} />
      <Loaded reading={reading} bones={2}>
        {({ data }) => (
          <Facts
            facts={[
              { term: text.state, value: <PaymentState status={data.status} /> },
              { term: text.product, value: data.product_name },
              { term: text.account, value: data.account },
              {
                term: text.amount,
                value: <Money amount={data.amount} currency={data.amount_currency ?? ''} />,
                isApart: true,
              },
              { term: text.cost, value: <Money amount={data.cost} currency="MYR" /> },
            ]}
          />
        )}
      </Loaded>
    </Panel>
  )
}
