import type { Values } from '@warung/forms/form'
import { accountOf } from '@warung/forms/form'
import { maybeNumber } from '@warung/forms/numbers'
import type { Client } from '../api/client.ts'
import type { Catalog, NumberAnswer, Product } from '../api/wire.ts'
import type { Kept } from './kept.ts'
import { draftName } from './kept.ts'
import type { Recent, State } from './types.ts'

// A customer begins with a number, or with one of those that were bought for before. They stay on the device, for each
// shop apart, unless the customer does not want that; only telephone numbers are kept, never what was bought.

const LOOKUP_DELAY_MS = 250
const RECENTS_MAX = 5

type NumbersDeps = {
  readonly client: Pick<Client, 'number'>
  readonly kept: Kept
  readonly device: Kept
  readonly state: () => State
  readonly change: (part: Partial<State>) => void
}

/** Id of the field that takes the telephone number of a product; undefined: it takes none. */
export function numberFieldOf(product: Product): string | undefined {
  const id = accountOf(product)?.from_field
  return product.fields.some((field) => field.id === id && field.number_kind !== undefined) ? id : undefined
}

/** Products for a number that this catalogue sells, in the order of the answer. */
export function productsOf(catalog: Catalog, answer: NumberAnswer): Product[] {
  return answer.products.flatMap((code) => {
    const product = catalog.products[code]
    return product === undefined || numberFieldOf(product) === undefined ? [] : [product]
  })
}

export function createNumbers({ client, kept, device, state, change }: NumbersDeps) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let asking: AbortController | undefined

  const nameOf = () => `recents.${state().order?.merchant.name ?? ''}`
  const remembers = () => device.get('remembers') !== false

  function stop(): void {
    clearTimeout(timer)
    asking?.abort()
  }

  return {
    stop,
    /** Takes what is typed into the search field. A number is asked about once typing has paused. */
    search(search: string): void {
      change({ search })
      const typed = search.trim()
      if (state().number?.typed === typed) return
      stop()
      if (!maybeNumber(typed)) {
        if (state().number !== undefined) change({ number: undefined })
        return
      }
      change({ number: { typed, answer: undefined, isRefused: false } })
      const own = new AbortController()
      asking = own
      const put = (answer: NumberAnswer | undefined) => {
        if (!own.signal.aborted) change({ number: { typed, answer, isRefused: answer === undefined } })
      }
      timer = setTimeout(() => {
        client.number(typed, own.signal).then(put, () => put(undefined))
      }, LOOKUP_DELAY_MS)
    },
    /** Fills a number into the form that is opened next. */
    fill(product: Product, number: string): void {
      const field = numberFieldOf(product)
      if (field !== undefined) kept.set(draftName(product.code, undefined), { values: { [field]: number } })
    },
    /** Reads what the device knows of this shop. */
    load(): void {
      change({ recents: remembers() ? recentsIn(device.get(nameOf())) : [], remembers: remembers() })
    },
    remember(product: Product, values: Values): void {
      const field = numberFieldOf(product)
      const number = field === undefined ? undefined : values[field]
      if (!remembers() || typeof number !== 'string' || number === '') return
      const own = { product: product.code, number }
      const others = state().recents.filter(
        (each) => each.product !== own.product || each.number !== own.number,
      )
      const recents = [own, ...others].slice(0, RECENTS_MAX)
      device.set(nameOf(), recents)
      change({ recents })
    },
    /** Forgets the numbers of this shop; `remembersNext`: whether the next ones are kept. */
    forget(remembersNext: boolean): void {
      device.set(nameOf(), null)
      device.set('remembers', remembersNext ? null : false)
      change({ recents: [], remembers: remembersNext })
    },
  }
}

/** Reads kept numbers again. Anything else is left out: other scripts share the storage. */
export function recentsIn(kept: unknown): Recent[] {
  if (!Array.isArray(kept)) return []
  return kept
    .flatMap((each: unknown) => {
      const { product, number } = (typeof each === 'object' && each !== null ? each : {}) as Partial<Recent>
      return typeof product === 'string' && typeof number === 'string' ? [{ product, number }] : []
    })
    .slice(0, RECENTS_MAX)
}
