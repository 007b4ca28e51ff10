import { iconOf } from '@warung/forms/picks'
import type { Order, OrderItem } from '../api/wire.ts'
import { isComplete, quantityLimit } from '../rules/order.ts'
import type { Checkout } from '../state/checkout.ts'
import { moneyText } from '../text/format.ts'
import type { Surroundings } from './parts.tsx'
import { Button, Icon, Picture, Shape, Stepper, Title } from './parts.tsx'

type OrderProps = { readonly checkout: Checkout; readonly order: Order }
type ItemProps = { readonly checkout: Checkout; readonly item: OrderItem }

/** Basket with its total, and the step that submits it. Beside the products it stands as a summary. */
export function Basket({ checkout, level, focusOn, isAside = false }: Surroundings & { isAside?: boolean }) {
  const { order } = checkout.state()
  const text = checkout.text()
  if (order === undefined) return null
  const heading = isAside ? (
    <h2 className="title">{text.basket}</h2>
  ) : (
    <Title level={level}>{text.basket}</Title>
  )
  const goToShop = () => checkout.go({ name: 'shop' })
  if (order.items.length === 0) {
    return (
      <>
        {heading}
        <p className="empty">{text.emptyBasket}</p>
        {isAside ? null : (
          <Button className="primary" onClick={goToShop}>
            {text.pickProduct}
          </Button>
        )}
      </>
    )
  }
  return (
    <>
      {heading}
      <ul className="lines">
        {order.items.map((item) => (
          <Line key={item.line} checkout={checkout} order={order} item={item} />
        ))}
      </ul>
      <TotalRow checkout={checkout} order={order} />
      <Submit checkout={checkout} order={order} isAside={isAside} focusOn={focusOn} />
      {isAside || order.is_fixed ? null : (
        <Button className="wide" onClick={goToShop}>
          <Icon name="plus" />
          {text.addAnother}
        </Button>
      )}
      {isAside ? null : <CancelPart checkout={checkout} isSubmitted={false} focusOn={focusOn} />}
    </>
  )
}

export function LineHead({ checkout, item }: ItemProps) {
  const { catalog } = checkout.state()
  const text = checkout.text()
  const product = catalog?.products[item.product_code]
  return (
    <div className="line-head">
      <Picture url={item.image_url} icon={product === undefined ? 'bill' : iconOf(product)} />
      <span className="what">
        <b>{item.product_name}</b>
        {item.account === null || item.account === '' ? null : <small>{text.forAccount(item.account)}</small>}
        {item.quantity > 1 ? <small>{`${item.quantity} × ${moneyText(item.unit_price)}`}</small> : null}
      </span>
      <b className="amount">{moneyText(item.price)}</b>
    </div>
  )
}

function Line({ checkout, order, item }: OrderProps & ItemProps) {
  const text = checkout.text()
  const { busy } = checkout.state()
  const name = item.product_name
  return (
    <li className="line">
      <LineHead checkout={checkout} item={item} />
      {item.missing.length === 0 ? null : (
        <div className="between">
          <span className="state wait">
            <Shape tone="wait" />
            {text.missing}
          </span>
          <Button
            className="primary"
            aria-label={`${text.fillIn}: ${name}`}
            onClick={() => checkout.go({ name: 'product', code: item.product_code, line: item.line })}
          >
            {text.fillIn}
          </Button>
        </div>
      )}
      {item.is_fixed ? null : (
        <div className="between">
          <Stepper
            id={`q-${item.line}`}
            checkout={checkout}
            label={`${text.quantity}: ${name}`}
            name={name}
            value={item.quantity}
            max={quantityLimit(order, item.line)}
            isDisabled={busy !== undefined}
            onValue={(quantity) => void checkout.setLineQuantity(item.line, quantity)}
          />
          <Button
            className="quiet danger"
            aria-label={text.removeItem(name)}
            isOff={busy !== undefined}
            onClick={() => void checkout.removeLine(item)}
          >
            {text.remove}
          </Button>
        </div>
      )}
    </li>
  )
}

export function TotalRow({ checkout, order }: OrderProps) {
  return (
    <div className="between total">
      <span>{checkout.text().total}</span>
      <b className="figure">{moneyText(order.total_amount)}</b>
    </div>
  )
}

type SubmitProps = OrderProps & { isAside: boolean; focusOn: (id: string) => void }

function Submit({ checkout, order, isAside, focusOn }: SubmitProps) {
  const text = checkout.text()
  const { busy, repeats } = checkout.state()
  const canSubmit = isComplete(order)
  if (repeats.length > 0) return <Repeats checkout={checkout} order={order} focusOn={focusOn} />
  return (
    <>
      <Button
        className="primary wide"
        isOff={!canSubmit || busy !== undefined}
        id="submit"
        onClick={() => {
          if (canSubmit) void checkout.submit().then(() => focusOn('one'))
        }}
      >
        {busy === 'submitting' ? text.submitting : text.goOnAmount(moneyText(order.total_amount))}
      </Button>
      <p className="sub small">{canSubmit ? (isAside ? '' : text.lastChange) : text.fillInAll}</p>
    </>
  )
}

/** Shows the earlier payments that the basket repeats, and asks whether the same is wanted again. */
function Repeats({ checkout, order, focusOn }: Omit<SubmitProps, 'isAside'>) {
  const text = checkout.text()
  const { busy, repeats } = checkout.state()
  return (
    // biome-ignore lint/a11y/useSemanticElements: it is a question, no part of a form.
    <div className="ask" role="group" aria-label={text.repeatAsk} aria-describedby="repeat-about">
      <b>{text.repeatAsk}</b>
      <div id="repeat-about">
        <p>{text.repeatAbout}</p>
        <ul>
          {repeats.map(({ line, seconds }) => {
            const item = order.items.find((each) => each.line === line)
            return item === undefined ? null : (
              <li key={line}>
                {text.repeated(item.product_name, item.amount, item.account ?? '')},{' '}
                {text.minutesAgo(Math.floor(seconds / 60))}
              </li>
            )
          })}
        </ul>
      </div>
      <div className="buttons">
        <Button
          id="one"
          onClick={() => {
            checkout.dropRepeats()
            focusOn('submit')
          }}
        >
          {text.keepOne}
        </Button>
        <Button className="primary" isOff={busy !== undefined} onClick={() => void checkout.submit(true)}>
          {text.buyAgain}
        </Button>
      </div>
    </div>
  )
}

type CancelProps = { checkout: Checkout; isSubmitted: boolean; focusOn: (id: string) => void }

/** Cancels after a question, because the basket is lost. */
export function CancelPart({ checkout, isSubmitted, focusOn }: CancelProps) {
  const text = checkout.text()
  const { isAskingToCancel, busy } = checkout.state()
  const ask = (isAsking: boolean, next: string) => () => {
    checkout.askToCancel(isAsking)
    focusOn(next)
  }
  if (!isAskingToCancel) {
    return (
      <Button key="cancel" className="quiet danger" id="cancel" onClick={ask(true, 'keep')}>
        {text.cancel}
      </Button>
    )
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: it is a question, no part of a form.
    <div key="ask" className="ask" role="group" aria-label={text.cancelAsk} aria-describedby="cancel-about">
      <b>{text.cancelAsk}</b>
      <p id="cancel-about">{isSubmitted ? text.cancelAfterPay : text.cancelAbout}</p>
      <div className="buttons">
        <Button id="keep" onClick={ask(false, 'cancel')}>
          {text.keep}
        </Button>
        <Button className="danger-full" isOff={busy !== undefined} onClick={() => void checkout.cancel()}>
          {text.cancel}
        </Button>
      </div>
    </div>
  )
}
