import { useLive } from '../../api/live.ts'
import { portalKey, usePortal } from '../../api/portal.ts'
import { useRenewal } from '../../api/renewal.ts'
import { PageLink } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Table } from '../../ui/table.tsx'
import { usePaymentColumns } from '../payments/columns.tsx'
import { OVERVIEW } from './messages.ts'

export const SHOWN = 5

/** The newest payments, live. */
export function LatestPanel() {
  const text = useText(OVERVIEW)
  const reading = usePortal('portalListPayments', { query: { limit: SHOWN } })
  const renew = useRenewal()
  useLive(['payment', 'payments'], () => renew(portalKey('portalListPayments')))
  const columns = usePaymentColumns()
  const shown = ['status', 'product', 'account', 'amount', 'time']
  return (
    <Panel
      isFlush
      title={text.latest}
      actions={
        <>
          <span className="live small">{text.live}</span>
          <PageLink className="link small" to="/portal/payments">
            {text.all}
          </PageLink>
        </>
      }
    >
      <Loaded
        reading={reading}
        empty={<Empty icon="payments" title={text.noPayments} about={text.noPaymentsAbout} />}
      >
        {({ data }) => (
          <Table
            caption={text.latest}
            columns={shown.flatMap((key) => columns.filter((each) => each.key === key))}
            rows={data.slice(0, SHOWN)}
            rowKey={({ id }) => id}
            linkTo={({ id }) => ({ to: `/portal/payments/${id}` })}
          />
        )}
      </Loaded>
    </Panel>
  )
}
