import type { ResellerPaymentDetails } from '../../api/operator.generated.ts'
import { useOperator } from '../../api/operator.ts'
import { PageLink, useParam } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Money } from '../../ui/money.tsx'
import { PageHead, Panel } from '../../ui/panel.tsx'
import { CONSOLE } from '../messages.ts'
import { useMayOpen } from '../roles.ts'
import { AttemptsPanel } from './attempts-panel.tsx'
import { CallbacksPanel } from './callbacks-panel.tsx'
import { StatePill } from './columns.tsx'
import { DetailsPanel } from './details-panel.tsx'
import { KnownPanel } from './known-panel.tsx'
import { PAYMENT } from './payment-messages.ts'
import { QuotePanel } from './quote-panel.tsx'
import { ResolvePanel } from './resolve-panel.tsx'
import './payment.css'

/** One payment: all that is known about it, what to quote to the supplier, and how it is ended when it is stuck. */
export function Page() {
  const id = useParam('id')
  const reading = useOperator('getPayment', { params: { id } })
  return (
    <Loaded reading={reading} bones={12}>
      {({ data }) => <Payment payment={data} />}
    </Loaded>
  )
}

function Payment({ payment }: { payment: ResellerPaymentDetails }) {
  const text = useText(PAYMENT)
  const pages = useText(CONSOLE)
  return (
    <>
      <PageHead
        crumbs={
          <>
            <PageLink to={payment.stuck ? '/operator/stuck' : '/operator/payments'}>
              {payment.stuck ? pages.stuck : pages.payments}
            </PageLink>
            <Icon name="chevronRight" small />
            <span className="mono">{payment.refid}</span>
          </>
        }
        title={
          <span className="row wrap amt-line">
            <span className="amt">
              <Money amount={payment.face_value} currency="MYR" />
            </span>
            <StatePill {...payment} />
          </span>
        }
        about={text.about(payment.product_name, payment.customer, payment.reseller_name)}
        actions={
          <PageLink className={buttonClass({})} to={`/operator/resellers/${payment.reseller}`}>
            {text.openReseller}
          </PageLink>
        }
      />
      <div className="rg">
        <div className="grid">
          <KnownPanel payment={payment} />
          <AttemptsPanel attempts={payment.attempts} />
          <CallbacksPanel payment={payment} />
        </div>
        <div className="grid">
          {payment.stuck ? <ResolvePanel payment={payment} /> : null}
          <QuotePanel quote={payment.quote_to_supplier} />
          <DetailsPanel payment={payment} />
          <CasesPanel cases={payment.cases} />
        </div>
      </div>
    </>
  )
}

function CasesPanel({ cases }: { cases: ResellerPaymentDetails['cases'] }) {
  const text = useText(PAYMENT)
  const mayOpen = useMayOpen()
  return (
    <Panel title={text.cases} count={cases.length || undefined}>
      {cases.length === 0 ? (
        <p className="sub small">{text.noCases}</p>
      ) : (
        cases.map(({ number, kind, state }) => (
          <p key={number} className="small">
            {kind === 'void' || kind === 'dispute' ? text.caseKind[kind] : kind}{' '}
            {mayOpen('/operator/cases') ? (
              <PageLink className="link mono" to={`/operator/cases/${number}`}>
                {number}
              </PageLink>
            ) : (
              <span className="mono">{number}</span>
            )}{' '}
            <span className="sub">{state}</span>
          </p>
        ))
      )}
    </Panel>
  )
}
