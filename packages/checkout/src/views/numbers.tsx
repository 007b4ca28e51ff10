import { iconOf } from '@warung/forms/picks'
import type { Product } from '../api/wire.ts'
import { isInterrupted } from '../rules/order.ts'
import type { Checkout } from '../state/checkout.ts'
import { numberFieldOf, productsOf } from '../state/numbers.ts'
import { Button, Icon, Picture, Shape } from './parts.tsx'

type Props = { readonly checkout: Checkout; readonly level: 1 | 2 }

/** Products for the number in the search field, its operator's first. */
export function NumberChoices({ checkout }: Pick<Props, 'checkout'>) {
  const { catalog, number } = checkout.state()
  const text = checkout.text()
  if (catalog === undefined || number === undefined) return null
  const { answer, isRefused, typed } = number
  const products = answer === undefined ? [] : productsOf(catalog, answer)
  const operator = answer?.operator?.name
  const about = () => {
    if (answer === undefined && !isRefused) return text.askingNumber
    if (products.length === 0) return text.noNumber
    if (operator === undefined) return text.operatorUnknown
    return answer?.is_certain === true ? text.operatorIs(operator) : text.operatorGuess(operator)
  }
  return (
    <section aria-label={text.forNumber}>
      <p className="sub small" role="status">
        {about()}
      </p>
      <ul className="list">
        {products.map((product) => (
          <Choice
            key={product.code}
            checkout={checkout}
            product={product}
            number={typed}
            name={product.name}
          />
        ))}
      </ul>
    </section>
  )
}

/** Numbers that were bought for on this device, and the ways to be rid of them. */
export function RecentNumbers({ checkout, level }: Props) {
  const { catalog, recents, remembers } = checkout.state()
  const text = checkout.text()
  const Name = `h${level + 1}` as 'h2' | 'h3'
  if (!remembers)
    return (
      <p>
        <button type="button" className="link" onClick={() => checkout.forgetNumbers(true)}>
          {text.remember}
        </button>
      </p>
    )
  const shown = recents.flatMap(({ product: code, number }) => {
    const product = catalog?.products[code]
    return product === undefined || numberFieldOf(product) === undefined ? [] : [{ product, number }]
  })
  if (shown.length === 0) return null
  return (
    <section className="group">
      <Name className="g1">{text.recents}</Name>
      <ul className="list">
        {shown.map(({ product, number }) => (
          <Choice
            key={`${product.code} ${number}`}
            checkout={checkout}
            product={product}
            number={number}
            name={number}
          />
        ))}
      </ul>
      <p className="between">
        <Button className="small" onClick={() => checkout.forgetNumbers(true)}>
          {text.forgetNumbers}
        </Button>
        <button type="button" className="link" onClick={() => checkout.forgetNumbers(false)}>
          {text.rememberNot}
        </button>
      </p>
    </section>
  )
}

type ChoiceProps = {
  readonly checkout: Checkout
  readonly product: Product
  readonly number: string
  readonly name: string
}

/** Product for a number, which opens its form with the number filled in. */
function Choice({ checkout, product, number, name }: ChoiceProps) {
  const text = checkout.text()
  const { catalog } = checkout.state()
  const about = name === product.name ? text.times[product.processing_time] : product.name
  return (
    <li>
      <button type="button" className="pick" onClick={() => checkout.begin(product, number)}>
        <Picture url={product.image_url} icon={iconOf(product)} />
        <span className="what">
          <b>{name}</b>
          {isInterrupted(catalog, product.code) ? (
            <small className="state wait">
              <Shape tone="wait" />
              {text.interrupted}
            </small>
          ) : (
            <small>{about}</small>
          )}
        </span>
        <Icon name="next" />
      </button>
    </li>
  )
}
