import type { Catalog, NumberLookUp, Product } from '../../api/portal.generated.ts'
import { useText } from '../../text/language.ts'
import { Key } from '../../ui/button.tsx'
import { State } from '../../ui/state.tsx'
import { useIsInterrupted } from '../interruptions.ts'
import { SELL } from './messages.ts'
import { productKey } from './number.ts'
import { Picture } from './picture.tsx'

type NumberChoicesProps = {
  readonly catalog: Catalog
  /** Answer of the service about the number; undefined: it is being asked, or it is none. */
  readonly number: NumberLookUp | undefined
  readonly isAsking: boolean
  readonly codes: readonly string[]
  readonly current: string | undefined
  readonly onChoose: (code: string) => void
}

/** Operator of a number, and the products for it, the operator's first. Each has a key. */
export function NumberChoices(props: NumberChoicesProps) {
  const { catalog, number, isAsking, codes, current, onChoose } = props
  const text = useText(SELL)
  return (
    <div className="pick hits number">
      <div role="status">
        {number === undefined ? (
          <p className="small sub">{isAsking ? text.askingNumber : text.noNumber}</p>
        ) : (
          <>
            <h2>
              <span className="mono mid">{number.e164}</span>
              <span>{number.operator?.name ?? text.operatorUnknown}</span>
            </h2>
            <p className="small sub">{text.operatorFrom[sourceOf(number)]}</p>
            {codes.length === 0 ? <p className="small sub">{text.noNumberProduct}</p> : null}
          </>
        )}
      </div>
      <ul aria-busy={isAsking || undefined}>
        {codes.map((code, index) => {
          const product = catalog.products[code]
          return product === undefined ? null : (
            <Choice
              key={code}
              product={product}
              shortcut={productKey(index)}
              isOn={code === current}
              onChoose={() => onChoose(code)}
            />
          )
        })}
      </ul>
    </div>
  )
}

function sourceOf({ source }: NumberLookUp) {
  return source ?? 'none'
}

type ChoiceProps = {
  readonly product: Product
  readonly shortcut: string | undefined
  readonly isOn: boolean
  readonly onChoose: () => void
}

function Choice({ product, shortcut, isOn, onChoose }: ChoiceProps) {
  const text = useText(SELL)
  const isInterrupted = useIsInterrupted()(product.code)
  return (
    <li className={isOn ? 'on' : undefined}>
      <button type="button" tabIndex={-1} aria-pressed={isOn} aria-keyshortcuts={shortcut} onClick={onChoose}>
        <Picture product={product} />
        <span className="t">
          <b>{product.name}</b>
          <small>
            {isInterrupted ? (
              <State tone="warning">{text.interrupted}</State>
            ) : (
              text.times[product.processing_time]
            )}
          </small>
        </span>
        {shortcut === undefined ? null : <Key>{shortcut.toUpperCase()}</Key>}
      </button>
    </li>
  )
}
