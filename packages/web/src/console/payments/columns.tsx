import type { ResellerPayment } from '../../api/operator.generated.ts'
import { PageLink } from '../../shell/navigation.tsx'
import { durationText, whenText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { useRemarks } from '../../text/remarks.ts'
import { Money } from '../../ui/money.tsx'
import { colourOf, Pill, State } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { StateOf, toneOf, useWords } from '../states.ts'
import { PAYMENTS } from './messages.ts'

const REMARK_LENGTH_MAX = 40

/** Columns of the search's results. */
export function usePaymentColumns(): readonly Column<ResellerPayment>[] {
  const text = useText(PAYMENTS)
  return [
    {
      key: 'state',
      head: text.state,
      folded: 'shape',
      cell: (payment) => (
        <>
          <StateLabel {...payment} />
          <Under {...payment} />
        </>
      ),
    },
    { key: 'time', head: text.time, folded: 'time', className: 'nowrap', cell: (row) => <Time {...row} /> },
    {
      key: 'reseller',
      head: text.reseller,
      cell: ({ reseller, reseller_name: name }) => (
        <div className="who2">
          <PageLink className="mid-weight" to={`/operator/resellers/${reseller}`}>
            {name}
          </PageLink>
          <small>{reseller}</small>
        </div>
      ),
    },
    {
      key: 'product',
      head: text.product,
      folded: 'name',
      className: 'cut product',
      cell: ({ product_name: name }) => name,
    },
    {
      key: 'customer',
      head: text.customer,
      folded: 'detail',
      className: 'cut',
      cell: ({ customer }) => customer,
    },
    {
      key: 'face',
      head: text.faceValue,
      isRight: true,
      folded: 'amount',
      cell: ({ face_value: value }) => <Money amount={value} currency="MYR" />,
    },
    {
      key: 'cost',
      head: text.cost,
      isRight: true,
      rank: 2,
      cell: ({ cost }) => <Money amount={cost} alignTo={4} />,
    },
    {
      key: 'provider',
      head: text.provider,
      rank: 2,
      cell: ({ provider }) => <span className="mono">{provider}</span>,
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

function Under({ stuck, stuck_since: since, state, code, remarks }: ResellerPayment) {
  const text = useText(PAYMENTS)
  const say = useRemarks()
  if (stuck && since !== null) return <small className="under w">{text.pastDue(ageText(since))}</small>
  if (state !== 'failed' && state !== 'voided') return null
  return (
    <small className="under w">
      {code} {say(remarks).slice(0, REMARK_LENGTH_MAX)}
    </small>
  )
}

function Time({ created_at: at, state, stuck }: ResellerPayment) {
  const text = useText(PAYMENTS)
  const states = useWords('payment')
  const tone = stuck ? 'critical' : toneOf('payment', state)
  return (
    <span className="sub">
      {state === 'succeeded' ? null : (
        <span className={`pw ${colourOf(tone)}`}>{stuck ? text.stuck : states[state]}</span>
      )}
      {whenText(at)}
    </span>
  )
}

type Stated = Pick<ResellerPayment, 'state' | 'stuck' | 'stuck_since'>

/** State of a payment in a table. A stuck payment says so instead of "Processing". */
function StateLabel({ state, stuck }: Stated) {
  const text = useText(PAYMENTS)
  if (stuck) return <State tone="critical">{text.stuck}</State>
  return <StateOf kind="payment" state={state} />
}

/** State of a payment at the head of its page. */
export function StatePill({ state, stuck, stuck_since: since }: Stated) {
  const text = useText(PAYMENTS)
  if (!stuck) return <StateOf isPill kind="payment" state={state} />
  return (
    <Pill tone="critical">
      {since === null ? text.stuck : `${text.stuck}, ${text.pastDue(ageText(since))}`}
    </Pill>
  )
}

export function ageText(since: string): string {
  return durationText(Date.now() - Date.parse(since))
}
