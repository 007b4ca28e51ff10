import type { ResellerPaymentDetails } from '../../api/operator.generated.ts'
import { PageLink } from '../../shell/navigation.tsx'
import { whenText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { Panel } from '../../ui/panel.tsx'
import { State } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { useMay } from '../roles.ts'
import { PAYMENT } from './payment-messages.ts'

type Callback = ResellerPaymentDetails['callbacks'][number]

/** Callbacks about a payment, and what the reseller's receiver answered. */
export function CallbacksPanel({ payment }: { payment: ResellerPaymentDetails }) {
  const text = useText(PAYMENT)
  const may = useMay()
  const columns: Column<Callback>[] = [
    {
      key: 'state',
      head: text.callbackState,
      folded: 'name',
      cell: (callback) => <Delivery {...callback} />,
    },
    {
      key: 'event',
      head: text.event,
      folded: 'detail',
      cell: ({ event_id: event, replay_of: original }) => (
        <>
          <span className="mono sub">{event}</span> {original === null ? null : text.replay}
        </>
      ),
    },
    {
      key: 'answer',
      head: text.httpStatus,
      folded: 'amount',
      isRight: true,
      cell: ({ response_status: status }) => (status === 0 ? text.noAnswer : status),
    },
    { key: 'tries', head: text.tries, isRight: true, cell: ({ attempts }) => attempts },
    {
      key: 'at',
      head: text.at,
      folded: 'time',
      isRight: true,
      className: 'nowrap',
      cell: ({ completed_at: completed, created_at: created }) => whenText(completed ?? created),
    },
  ]
  return (
    <Panel
      isFlush
      title={text.told}
      actions={
        may('deliveries.read') && payment.callbacks.length > 0 ? (
          <PageLink className="link" to={`/operator/deliveries/${payment.reseller}/callback`}>
            {text.receiver}
          </PageLink>
        ) : undefined
      }
    >
      {payment.callbacks.length === 0 ? (
        <p className="in sub small">{text.nothingTold}</p>
      ) : (
        <Table caption={text.told} columns={columns} rows={payment.callbacks} rowKey={({ id }) => id} />
      )}
    </Panel>
  )
}

function Delivery({ status, completed_at: completed, error }: Callback) {
  const text = useText(PAYMENT)
  const [tone, word] =
    status === 'success'
      ? (['ok', text.delivery.success] as const)
      : completed === null
        ? (['wait', text.delivery.pending] as const)
        : (['bad', text.delivery.failed] as const)
  return (
    <>
      <State tone={tone}>{word}</State>
      {error === '' ? null : <small className="under anywhere">{error}</small>}
    </>
  )
}
