import type { ItemStatus, Order, UnitResult } from '../api/wire.ts'
import { isFinal } from '../rules/order.ts'
import type { Checkout } from '../state/checkout.ts'
import { dayText, moneyText } from '../text/format.ts'
import { CancelPart, LineHead, TotalRow } from './basket.tsx'
import type { Surroundings, Tone } from './parts.tsx'
import { Button, Icon, Shape, safeUrl, Title } from './parts.tsx'

type OrderProps = { readonly checkout: Checkout; readonly order: Order }

/** Screens after the basket was submitted: pay, wait, progress, result. */
export function After(props: Surroundings) {
  const { checkout, level } = props
  const { order } = checkout.state()
  if (order === undefined) return null
  if (order.status === 'awaiting_payment') return <PayScreen {...props} order={order} />
  const url = order.status === 'confirmed' ? undefined : safeUrl(order.continue_url)
  return (
    <>
      <Outcome checkout={checkout} order={order} level={level} />
      <Lines checkout={checkout} order={order} />
      <TotalRow checkout={checkout} order={order} />
      <Results checkout={checkout} order={order} />
      {level === 1 && isFinal(order.status) ? (
        <Button className="wide" onClick={() => window.print()}>
          {checkout.text().print}
        </Button>
      ) : null}
      {url === undefined ? null : (
        <a className="btn primary wide" href={url} target="_top">
          {checkout.text().backToShop(order.merchant.name)}
        </a>
      )}
    </>
  )
}

function PayScreen({ checkout, order, level, pay, focusOn }: Surroundings & OrderProps) {
  const text = checkout.text()
  const { hasGoneToPay } = checkout.state()
  const merchant = order.merchant.name
  const url = safeUrl(order.continue_url)
  return (
    <>
      <div className="outcome">
        {hasGoneToPay ? <Shape tone="wait" /> : null}
        <Title level={level}>{hasGoneToPay ? text.waitTitle : text.payTitle}</Title>
        <p className="mid" role="status">
          {hasGoneToPay ? text.waitAbout(merchant) : text.payAbout(merchant)}
        </p>
      </div>
      <Lines checkout={checkout} order={order} />
      <TotalRow checkout={checkout} order={order} />
      {url === undefined ? null : (
        <a className={hasGoneToPay ? 'btn wide' : 'btn primary wide'} href={url} target="_top" onClick={pay}>
          {hasGoneToPay ? text.payAgain : text.payAmount(moneyText(order.total_amount))}
        </a>
      )}
      <CancelPart checkout={checkout} isSubmitted focusOn={focusOn} />
    </>
  )
}

const OUTCOME_TONES: Readonly<Record<Order['status'], Tone>> = {
  draft: 'off',
  awaiting_payment: 'wait',
  confirmed: 'wait',
  completed: 'ok',
  partially_completed: 'wait',
  failed: 'bad',
  cancelled: 'off',
  timeout: 'off',
}

function Outcome({ checkout, order, level }: OrderProps & Pick<Surroundings, 'level'>) {
  const text = checkout.text()
  const refund = text.refundAbout(moneyText(order.refund_amount), order.merchant.name)
  const words: Readonly<Record<Order['status'], readonly [string, string]>> = {
    draft: [text.loading, ''],
    awaiting_payment: [text.waitTitle, ''],
    confirmed: [text.progressTitle, text.progressAbout],
    completed: [text.completedTitle, text.completedAbout],
    partially_completed: [text.partialTitle, refund],
    failed: [text.failedTitle, refund],
    cancelled: [text.cancelledTitle, text.cancelledAbout],
    timeout: [text.timeoutTitle, text.timeoutAbout],
  }
  const [heading, about] = words[order.status]
  return (
    <div className="outcome">
      <Shape tone={OUTCOME_TONES[order.status]} />
      <Title level={level}>{heading}</Title>
      <p className="mid" role="status">
        {about}
      </p>
    </div>
  )
}

const ITEM_TONES: Readonly<Record<ItemStatus, Tone>> = {
  pending: 'off',
  processing: 'wait',
  succeeded: 'ok',
  partially_succeeded: 'wait',
  failed: 'bad',
}

const WITHOUT_STATES: readonly Order['status'][] = ['awaiting_payment', 'cancelled', 'timeout']

function Lines({ checkout, order }: OrderProps) {
  const text = checkout.text()
  const { results = [] } = checkout.state()
  return (
    <ul className="lines">
      {order.items.map((item) => (
        <li key={item.line} className="line">
          <LineHead checkout={checkout} item={item} />
          {WITHOUT_STATES.includes(order.status) ? null : (
            <span className={`state ${ITEM_TONES[item.status]}`}>
              <Shape tone={ITEM_TONES[item.status]} />
              {text.states[item.status]}
            </span>
          )}
          {results
            .filter((result) => result.line === item.line && !isEmpty(result))
            .map((result) => (
              <Unit key={result.number} checkout={checkout} result={result} />
            ))}
        </li>
      ))}
    </ul>
  )
}

/** PINs and links are shown when somebody asks, because others may see the screen. */
function Results({ checkout, order }: OrderProps) {
  const { results: shown, busy } = checkout.state()
  const text = checkout.text()
  const hasResults = order.show_results && order.items.some(({ status }) => status.endsWith('succeeded'))
  if (!hasResults) return null
  if (shown === undefined) {
    return (
      <Button
        key="show"
        className="wide"
        isOff={busy !== undefined}
        onClick={() => void checkout.showResults()}
      >
        {text.showResults}
      </Button>
    )
  }
  return (
    <>
      {shown.every(isEmpty) ? <p className="sub">{text.noResults}</p> : null}
      <Button key="hide" className="wide" onClick={checkout.hideResults}>
        {text.hideResults}
      </Button>
    </>
  )
}

function isEmpty({ pin, sn, voucherlink }: UnitResult): boolean {
  return pin === '' && sn === '' && voucherlink === ''
}

function Unit({ checkout, result }: { checkout: Checkout; result: UnitResult }) {
  const text = checkout.text()
  const { pin, sn, expiry, redemption } = result
  const link = safeUrl(result.voucherlink)
  const copy = () => {
    // A page without this right leaves the PIN to be read.
    void navigator.clipboard?.writeText(pin).then(
      () => checkout.say('ok', text.copied),
      () => undefined,
    )
  }
  return (
    <dl className="slip">
      {pin === '' ? null : (
        <>
          <dt>{text.pin}</dt>
          <dd>
            <span className="pin">{pin}</span>
            <Button className="bare" aria-label={`${text.copy} ${pin}`} onClick={copy}>
              <Icon name="copy" />
            </Button>
          </dd>
        </>
      )}
      {sn === '' ? null : (
        <>
          <dt>{text.serial}</dt>
          <dd className="mono">{sn}</dd>
        </>
      )}
      {redemption === null ? null : (
        <>
          <dt>{text.redemption}</dt>
          <dd>{redemption}</dd>
        </>
      )}
      {expiry === '' ? null : (
        <>
          <dt>{text.expires}</dt>
          <dd>{dayText(expiry, checkout.state().language)}</dd>
        </>
      )}
      {link === undefined ? null : (
        <>
          <dt />
          <dd>
            <a className="link" href={link} target="_blank" rel="noopener noreferrer">
              {text.openLink}
            </a>
          </dd>
        </>
      )}
    </dl>
  )
}
