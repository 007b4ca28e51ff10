import type { DragEvent, KeyboardEvent } from 'react'
import { useId, useState } from 'react'
import type { PortalProduct, PriceLine } from '../../api/portal.generated.ts'
import { usePortal } from '../../api/portal.ts'
import { useText } from '../../text/language.ts'
import { moneyText } from '../../text/numbers.ts'
import { IconButton } from '../../ui/button.tsx'
import { Switch } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Money } from '../../ui/money.tsx'
import { State } from '../../ui/state.tsx'
import { useIsInterrupted } from '../interruptions.ts'
import { PORTAL } from '../messages.ts'
import type { Sides } from './adjustment-field.tsx'
import { AdjustmentField, BeforeAfter, costText, once, priceRange } from './adjustment-field.tsx'
import { drafted } from './draft.ts'
import type { Editor } from './editor.ts'
import { CATALOG } from './messages.ts'

type ProductRowProps = {
  readonly editor: Editor
  readonly product: PortalProduct
  /** Place among its neighbours; undefined where rows of several categories are mixed. */
  readonly at: number | undefined
  readonly onMove: (to: number, code?: string) => void
  readonly onEdit: () => void
}

/** One product in one line: switch, cost, adjustment, price and margin before and after. */
export function ProductRow({ editor, product, at, onMove, onEdit }: ProductRowProps) {
  const text = useText(CATALOG)
  const draft = editor.draft.products[product.code]
  const shown = drafted(product, draft)
  const sides = editor.sidesOf(product.code)
  const refusal = editor.refusalOf(product.code)
  const refusalId = useId()
  const isLosing = editor.newlyLosing.includes(product.code) || (sides?.after ?? product).has_loss_risk
  const [isOpen, setOpen] = useState<boolean | undefined>(undefined)
  const showsLines = isOpen ?? (draft?.adjustment !== undefined && isLosing)
  const classes = [
    draft === undefined ? '' : 'chg',
    shown.isEnabled ? '' : 'offr',
    isLosing ? 'lossr' : '',
  ].filter((each) => each !== '')
  return (
    <>
      <tr className={classes.join(' ') || undefined} {...dropAttributes(at, onMove)}>
        <td className="w20">
          {at === undefined || !editor.mayChange ? null : (
            <MoveHandle name={shown.name} code={product.code} at={at} onMove={onMove} />
          )}
        </td>
        <td className="w40 p-a">
          <Switch
            label={text.onSale(shown.name)}
            isOn={shown.isEnabled}
            isDisabled={!editor.mayChange}
            onToggle={(enabled) => editor.change(product, { enabled })}
          />
        </td>
        <td className="p-b">
          <NameCell editor={editor} product={product} />
        </td>
        <td className="nowrap mid wide-cell">{costText(product, text)}</td>
        <td className="wide-cell">
          <AdjustmentField
            name={shown.name}
            value={shown.adjustment}
            isChanged={draft?.adjustment !== undefined}
            isDisabled={!editor.mayChange}
            refusedBy={refusal === undefined ? undefined : refusalId}
            onValue={(adjustment) => editor.change(product, { adjustment })}
          />
        </td>
        <td className="r nowrap p-c">
          {sides === undefined ? null : (
            <BeforeAfter before={priceRange(sides.before.lines)} after={priceRange(sides.after.lines)} />
          )}
        </td>
        <td className="r nowrap p-e">
          <span className="margin-word">{text.marginWord}</span>
          <BeforeAfter before={product.margin} after={(sides?.after ?? product).margin} marksLoss />
        </td>
        <td className="r w64 p-d">
          {editor.mayChange ? (
            <IconButton small icon="edit" label={text.edit(shown.name)} onClick={onEdit} />
          ) : null}
          <IconButton
            small
            icon={showsLines ? 'chevronDown' : 'chevronRight'}
            label={text.lines(shown.name)}
            aria-expanded={showsLines}
            onClick={() => setOpen(!showsLines)}
          />
        </td>
      </tr>
      {refusal === undefined ? null : (
        <tr className="ln lossr refused">
          <td />
          <td />
          <td className="p-b" colSpan={6} id={refusalId}>
            <State tone="bad">{text.refused(refusal)}</State>
          </td>
        </tr>
      )}
      {showsLines ? <LineRows code={product.code} sides={sides} /> : null}
    </>
  )
}

function NameCell({ editor, product }: { editor: Editor; product: PortalProduct }) {
  const text = useText(CATALOG)
  const names = useText(PORTAL)
  const isInterrupted = useIsInterrupted()(product.code)
  const { name, isEnabled } = drafted(product, editor.draft.products[product.code])
  const lines = editor.sidesOf(product.code)?.after.lines
  const about = !isEnabled
    ? text.switchedOff
    : !product.is_active && product.is_enabled
      ? text.notOffered
      : name !== product.base_name
        ? text.was(product.base_name)
        : lines === undefined
          ? undefined
          : lines.every(({ option }) => option === null)
            ? text.anyAmount
            : text.amounts(lines.length)
  return (
    <div className="who2">
      <span className="mid-weight">{name}</span>
      <small>
        <span className="mono">{product.code}</span>
        {about === undefined ? null : ` · ${about}`}
        {isInterrupted ? ` · ${names.productInterrupted}` : null}
      </small>
    </div>
  )
}

type MoveHandleProps = { name: string; code: string; at: number; onMove: (to: number) => void }

/** Handle that moves a row by dragging, or with the arrow keys. */
function MoveHandle({ name, code, at, onMove }: MoveHandleProps) {
  const text = useText(CATALOG)
  const move = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
    event.preventDefault()
    onMove(event.key === 'ArrowUp' ? at - 1 : at + 1)
  }
  return (
    <button
      type="button"
      className="ib sm grab"
      draggable
      aria-label={text.move(name)}
      title={text.move(name)}
      onKeyDown={move}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move'
        event.dataTransfer.setData(DRAGGED, code)
      }}
    >
      <Icon name="drag" small />
    </button>
  )
}

const DRAGGED = 'text/x-warung-product'

function dropAttributes(at: number | undefined, onMove: (to: number, code?: string) => void) {
  if (at === undefined) return {}
  return {
    onDragOver: (event: DragEvent) => {
      if (event.dataTransfer.types.includes(DRAGGED)) event.preventDefault()
    },
    onDrop: (event: DragEvent) => {
      const code = event.dataTransfer.getData(DRAGGED)
      if (code === '') return
      event.preventDefault()
      onMove(at, code)
    },
  }
}

/** Prices of a product, a line each; losing lines are tinted. */
function LineRows({ code, sides }: { code: string; sides: Sides | undefined }) {
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
