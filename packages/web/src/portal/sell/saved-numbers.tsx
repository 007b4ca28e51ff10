import { billerFieldOf } from '@warung/forms/form'
import { iconOf } from '@warung/forms/picks'
import { useState } from 'react'
import type { Catalog, Favourite, PortalListNumbersResponse, Product } from '../../api/portal.generated.ts'
import { portalDropFavourite } from '../../api/portal-acts.generated.ts'
import { useText } from '../../text/language.ts'
import { moneyText } from '../../text/numbers.ts'
import { IconButton, Key } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { PortalAct } from '../act.tsx'
import { useMay } from '../session.ts'
import { SELL } from './messages.ts'

/** Number that a sale begins with: a favourite, or one that was sold to a moment ago. */
export type SavedNumber = {
  readonly product: Product
  readonly number: string
  readonly amount: string | null
  readonly favourite: Favourite | undefined
}

/** Numbers that have a digit. */
const KEYS_MAX = 9

/** Favourites, and as many recent numbers as there are digits left. A product that is not sold any more hides its own. */
export function savedNumbers(
  catalog: Catalog,
  { favourites, recents }: PortalListNumbersResponse['data'],
): SavedNumber[] {
  const all = [
    ...favourites.map((each) => ({ ...each, favourite: each })),
    ...recents.map((each) => ({ ...each, favourite: undefined })),
  ]
  const seen = new Set<string>()
  const known = all.flatMap(({ product: code, number, amount, favourite }) => {
    const product = catalog.products[code]
    const key = JSON.stringify([code, number])
    if (product === undefined || billerFieldOf(product) !== undefined) return []
    if (favourite === undefined && seen.has(key)) return []
    seen.add(key)
    return [{ product, number, amount, favourite }]
  })
  const kept = known.filter(({ favourite }) => favourite !== undefined).length
  return known.slice(0, Math.max(kept, KEYS_MAX))
}

type SavedNumbersProps = {
  readonly numbers: readonly SavedNumber[]
  readonly current: SavedNumber | undefined
  readonly onChoose: (number: SavedNumber) => void
}

/** Favourites and recent numbers, each with the digit that begins its sale. */
export function SavedNumbers({ numbers, current, onChoose }: SavedNumbersProps) {
  const text = useText(SELL)
  const maySell = useMay('sell')
  const [dropped, setDropped] = useState<Favourite | undefined>(undefined)
  return (
    <div className="pick saved">
      <h2>
        <span>{text.saved}</span>
        <span>{text.savedAbout}</span>
      </h2>
      <ul>
        {numbers.map((each, index) => (
          <li
            key={`${each.favourite?.id ?? ''} ${each.product.code} ${each.number}`}
            className={each === current ? 'on' : undefined}
          >
            <button type="button" aria-pressed={each === current} onClick={() => onChoose(each)}>
              <Icon name={iconOf(each.product)} />
              <span className="t">
                <b>{each.favourite?.name ?? each.number}</b>
                <small>{aboutOf(each)}</small>
              </span>
              {index < KEYS_MAX ? <Key>{index + 1}</Key> : null}
            </button>
            {each.favourite === undefined || !maySell ? null : (
              <IconButton
                icon="close"
                small
                label={text.drop(each.favourite.name)}
                onClick={() => setDropped(each.favourite)}
              />
            )}
          </li>
        ))}
      </ul>
      {dropped === undefined ? null : (
        <PortalAct
          act={portalDropFavourite}
          input={{ params: { id: dropped.id } }}
          title={text.dropTitle(dropped.name)}
          action={text.dropAction}
          refresh={['portalListNumbers']}
          onClose={() => setDropped(undefined)}
        />
      )}
    </div>
  )
}

function aboutOf({ product, number, amount, favourite }: SavedNumber): string {
  const priced = product.fields.find(({ id }) => id === product.fulfillment.amount.from_field)
  const worth = amount === null ? [] : [moneyText(amount, priced?.currency ?? 'MYR')]
  return [product.name, ...worth, ...(favourite === undefined ? [] : [number])].join(' · ')
}
