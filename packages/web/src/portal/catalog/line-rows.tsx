import type { PriceLine } from '../../api/portal.generated.ts'
import { usePortal } from '../../api/portal.ts'
import { useText } from '../../text/language.ts'
import { moneyText } from '../../text/numbers.ts'
import { Money } from '../../ui/money.tsx'
import { State } from '../../ui/state.tsx'
import type { Sides } from './before-after.tsx'
import { BeforeAfter, once } from './before-after.tsx'
import { CATALOG } from './messages.ts'

/** Prices of a product, a line each; losing lines are tinted. */
export function LineRows({ code, sides }: { code: string; sides: Sides | undefined }) {
  const reading = usePortal('portalGetProduct', { params: { code } }, { isEnabled: sides === undefined })
  const after = sides?.after.lines ?? reading.data?.data.lines ?? []
  const before = new Map((sides?.before.lines ?? after).map((line) => [keyOf(line), line]))
  return after.map((line, index) => (
    <LineRow
      key={keyOf(line)}
      line={line}
      former={before.get(keyOf(line)) ?? line}
      isLast={index === after.length - 1}
    />
  ))
}

function keyOf({ option, denomination }: PriceLine): string {
  return `${option ?? ''} ${denomination}`
}

function LineRow({ line, former, isLast }: { line: PriceLine; former: PriceLine; isLast: boolean }) {
  const text = useText(CATALOG)
  const classes = [
    'ln',
    line.has_loss_risk ? 'lossr' : '',
    isLast ? 'last' : '',
    line.is_active ? '' : 'offr',
  ]
  return (
    <tr className={classes.filter((each) => each !== '').join(' ')}>
      <td />
      <td />
      <td className="sub p-b">{line.label === '' ? moneyText(line.denomination, 'MYR') : line.label}</td>
      <td className="mid wide-cell">
        <Money amount={line.cost} />
      </td>
      <td className="wide-cell">
        {line.has_loss_risk ? <State tone="critical">{text.belowCost}</State> : null}
      </td>
      <td className="r p-c">
        <BeforeAfter before={once(former.price)} after={once(line.price)} />
      </td>
      <td className="r p-e">
        <span className="margin-word">{text.marginWord}</span>
        <BeforeAfter before={once(former.margin)} after={once(line.margin)} marksLoss />
      </td>
      <td />
    </tr>
  )
}
