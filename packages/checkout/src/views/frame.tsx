import { isLanguage, LANGUAGES } from '@warung/forms/texts'
import type { ReactNode } from 'react'
import type { Problem } from '../api/client.ts'
import { unitsOf } from '../rules/order.ts'
import type { Checkout } from '../state/checkout.ts'
import { moneyText, openText } from '../text/format.ts'
import type { Texts } from '../text/messages.ts'
import { After } from './after.tsx'
import { Basket } from './basket.tsx'
import type { Surroundings } from './parts.tsx'
import { Button, Icon, Note, Shape, Title } from './parts.tsx'
import { ProductForm } from './product.tsx'
import { Shop } from './shop.tsx'

/** Name of the screen. The focus moves when it changes. */
export function screenOf(checkout: Checkout): string {
  const { order, view, trouble } = checkout.state()
  if (trouble !== undefined) return `trouble ${trouble.code}`
  if (order === undefined) return 'loading'
  if (order.status !== 'draft') return order.status
  return view.name === 'product' ? `product ${view.code}` : view.name
}

/** The whole checkout as it is now. */
export function Frame(props: Surroundings) {
  const { checkout } = props
  const { language, trouble, order, busy } = checkout.state()
  const isLoading =
    trouble === undefined && (order === undefined || (order.status === 'draft' && busy === 'loading'))
  return (
    <div className="checkout" lang={language} aria-busy={isLoading || undefined}>
      <Header checkout={checkout} />
      <Notices checkout={checkout} />
      {trouble !== undefined ? (
        <Trouble {...props} problem={trouble} />
      ) : isLoading ? (
        <Bones checkout={checkout} />
      ) : (
        <Body {...props} />
      )}
    </div>
  )
}

type Props = { readonly checkout: Checkout }

function Header({ checkout }: Props) {
  const { order, leftMs, language } = checkout.state()
  const text = checkout.text()
  const isOpen = order !== undefined && (order.status === 'draft' || order.status === 'awaiting_payment')
  return (
    <header className="top">
      <div>
        <b className="merchant">{order?.merchant.name}</b>
        {isOpen ? (
          <span className="sub small left">
            <Icon name="clock" />
            {openText(leftMs, text)}
          </span>
        ) : null}
      </div>
      <select
        className="small languages"
        aria-label={text.language}
        value={language}
        onChange={(event) => {
          const { value } = event.currentTarget
          if (isLanguage(value)) checkout.setLanguage(value)
        }}
      >
        {Object.entries(LANGUAGES).map(([code, name]) => (
          <option key={code} value={code} lang={code}>
            {name}
          </option>
        ))}
      </select>
    </header>
  )
}

/** Messages about the last action. The places exist always, so that a reader hears what comes into them. */
function Notices({ checkout }: Props) {
  const { notice, failure } = checkout.state()
  const text = checkout.text()
  const close = (
    <Button className="bare" aria-label={text.close} onClick={checkout.closeNotice}>
      <Icon name="close" />
    </Button>
  )
  return (
    <>
      <div className="notices" role="status">
        {notice === undefined ? null : (
          <Note tone={notice.tone} end={close}>
            {notice.text}
          </Note>
        )}
      </div>
      <div className="notices" role="alert">
        {failure === undefined ? null : (
          <Note tone="bad" end={close}>
            <p>{problemText(failure.problem, text)}</p>
            <Button className="small" onClick={failure.retry}>
              {text.retry}
            </Button>
          </Note>
        )}
      </div>
    </>
  )
}

/** Says what a problem means for the customer. The service's own sentence is for its developers. */
export function problemText({ status, code, lines, isUncertain }: Problem, text: Texts): string {
  if (status === 0) return text.offline
  if (code === 'too_many_changes') return text.changedTooOften
  if (code === 'shop_closed') return text.shopClosed
  if (lines.length > 0) return text.linesRefused(lines.join(', '))
  if (status === 429) return text.tooOften
  if (status === 422 || status === 400) return text.refused
  return isUncertain ? text.busy : text.unexpected
}

function Trouble({ checkout, problem, level, origin }: Surroundings & { readonly problem: Problem }) {
  const text = checkout.text()
  const { status, code, requestId } = problem
  const isRefused = code === 'origin_not_allowed'
  const isGone = status === 404 || status === 401 || status === 400
  const heading = isRefused ? text.refusedTitle : isGone ? text.notFoundTitle : text.unexpected
  const about = isRefused
    ? text.refusedAbout(origin)
    : isGone
      ? text.notFoundAbout
      : problemText(problem, text)
  return (
    <div className="panel outcome" role="alert">
      <Shape tone={isGone ? 'off' : 'bad'} />
      <Title level={level}>{status === 0 ? text.offlineStart : heading}</Title>
      {status === 0 ? null : <p className="mid">{about}</p>}
      {requestId === undefined ? null : <p className="sub small mono">{text.requestId(requestId)}</p>}
      {isRefused || isGone ? null : (
        <Button className="primary" onClick={() => void checkout.load()}>
          {text.retry}
        </Button>
      )}
    </div>
  )
}

function Bones({ checkout }: Props) {
  return (
    <div className="panel">
      <p className="visually" role="status">
        {checkout.text().loading}
      </p>
      {[1, 2, 3, 4].map((each) => (
        <div className="bones" key={each} />
      ))}
    </div>
  )
}

function Narrow({ children }: { children: ReactNode }) {
  return <div className="panel narrow">{children}</div>
}

function Body(props: Surroundings) {
  const { checkout } = props
  const { order, view } = checkout.state()
  if (order === undefined) return <Bones checkout={checkout} />
  if (order.status !== 'draft') {
    return (
      <Narrow key={order.status}>
        <After {...props} />
      </Narrow>
    )
  }
  if (view.name === 'basket' || (order.is_fixed && view.name === 'shop')) {
    return (
      <Narrow key="basket">
        <Basket {...props} />
      </Narrow>
    )
  }
  const isShop = view.name === 'shop'
  return (
    <div className={order.is_fixed ? 'narrow' : 'sides'} key={isShop ? 'shop' : `product ${view.code}`}>
      <div className="panel">{isShop ? <Shop {...props} /> : <ProductForm {...props} />}</div>
      {order.is_fixed ? null : (
        <div className="panel side">
          <Basket {...props} isAside />
        </div>
      )}
      {!order.is_fixed && isShop ? <Bar checkout={checkout} /> : null}
    </div>
  )
}

/** Bar at the bottom of narrow screens that leads to the basket. */
function Bar({ checkout }: Props) {
  const { order } = checkout.state()
  const text = checkout.text()
  if (order === undefined || order.items.length === 0) return null
  return (
    <div className="bar">
      <span>
        <small>{text.basketOf(unitsOf(order))}</small>
        <b>{moneyText(order.total_amount)}</b>
      </span>
      <Button className="primary" onClick={() => checkout.go({ name: 'basket' })}>
        <Icon name="basket" />
        {text.viewBasket}
      </Button>
    </div>
  )
}
