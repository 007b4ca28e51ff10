import type { PortalPayment } from '../../api/portal.generated.ts'
import { durationText, whenText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { useRemarks } from '../../text/remarks.ts'
import { Money } from '../../ui/money.tsx'
import { colourOf } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { PORTAL } from '../messages.ts'
import { PAYMENTS } from './messages.ts'
import { PaymentState, STATUS_TONES } from './status.tsx'

/** Columns of every table of payments. */
export function usePaymentColumns(): readonly Column<PortalPayment>[] {
  const text = useText(PAYMENTS)
  const pages = useText(PORTAL)
  const say = useRemarks()
  return [
    {
      key: 'status',
      head: text.status,
      folded: 'shape',
      width: 140,
      cell: ({ status, code, remarks, created_at: at }) => (
        <>
          <PaymentState status={status} />
          {status === 'pending' ? (
            <small className="under w">{text.processing(durationText(Date.now() - Date.parse(at)))}</small>
          ) : status === 'failed' ? (
            <small className="under w">
              {code} {say(remarks).slice(0, REMARK_LENGTH_MAX)}
            </small>
          ) : null}
        </>
      ),
    },
    {
      key: 'time',
      head: text.time,
      folded: 'time',
      className: 'nowrap',
      cell: (payment) => <Time {...payment} word={pages.status[payment.status]} />,
    },
    {
      key: 'product',
      head: text.product,
      folded: 'name',
      className: 'cut product',
      cell: ({ product_name: name, biller, pin, voucher_link: link }) => (
        <>
          <span className="mid-weight">{name}</span>{' '}
          <span className="sub">{biller ?? (pin !== '' ? 'PIN' : link !== '' ? 'link' : '')}</span>
        </>
      ),
    },
    {
      key: 'account',
      head: text.account,
      folded: 'detail',
      className: 'cut',
      cell: ({ account }) => account,
    },
    {
      key: 'amount',
      head: text.amount,
      isRight: true,
      folded: 'amount',
      cell: ({ amount, amount_currency: currency }) => <Money amount={amount} currency={currency ?? ''} />,
    },
    {
      key: 'cost',
      head: text.cost,
      isRight: true,
      rank: 2,
      cell: ({ cost, status }) =>
        status === 'failed' || status === 'refunded' ? (
          <s className="sub">
            <Money amount={cost} alignTo={4} />
          </s>
        ) : (
          <Money amount={cost} alignTo={4} />
        ),
    },
    {
      key: 'seller',
      head: text.soldBy,
      rank: 3,
      className: 'cut',
      cell: ({ sold_by: by }) => by?.name ?? '',
    },
    {
      key: 'refid',
      head: text.refid,
      rank: 3,
      className: 'cut refid',
      cell: ({ refid }) => <span className="mono">{refid}</span>,
    },
  ]
}

/** Columns that a person may add to the list. */
export function useFurtherColumns(): readonly Column<PortalPayment>[] {
  const text = useText(PAYMENTS)
  const say = useRemarks()
  return [
    {
      key: 'serial',
      head: text.serial,
      cell: ({ serial_number: serial }) => <span className="mono">{serial}</span>,
    },
    {
      key: 'value',
      head: text.faceValue,
      isRight: true,
      cell: ({ face_value: value }) => <Money amount={value} alignTo={4} />,
    },
    {
      key: 'ended',
      head: text.changed,
      className: 'nowrap',
      cell: ({ changed_at: at }) => <span className="sub">{whenText(at)}</span>,
    },
    { key: 'remarks', head: text.remarks, className: 'cut', cell: ({ remarks }) => say(remarks) },
  ]
}

const REMARK_LENGTH_MAX = 40

function Time({ created_at: at, status, word }: PortalPayment & { word: string }) {
  return (
    <span className="sub">
      {status === 'successful' ? null : (
        <span className={`pw ${colourOf(STATUS_TONES[status])}`}>{word}</span>
      )}
      {whenText(at)}
    </span>
  )
}
