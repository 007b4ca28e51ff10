import { parseMoney } from '../../lib/money.ts'
import type { CataloguePage, Provider, SupplierOffer } from '../../modules/providers/port/types.ts'
import { createScriptedProvider, UNKNOWN } from './scripted-provider.ts'

/** Makes an offer in ringgit; its value is the number in its code. */
export function offerSample(
  code: string,
  {
    cost,
    hours,
    ...change
  }: Partial<Omit<SupplierOffer, 'cost' | 'hours'>> & {
    readonly cost?: string
    readonly hours?: readonly [opens: string, closes: string]
  } = {},
): SupplierOffer {
  const amount = parseMoney(/\d+$/.exec(code)?.[0] ?? '1') ?? 0n
  return {
    code,
    name: `Offer ${code}`,
    brand: 'Nova',
    country: 'MY',
    type: 'TOPUP',
    description: null,
    image: null,
    isOpen: true,
    face: { currency: 'MYR', min: amount, max: amount },
    cost: cost === undefined ? null : { amount: parseMoney(cost) ?? 0n, currency: 'MYR' },
    hours: hours === undefined ? null : { opens: hours[0], closes: hours[1] },
    validity: null,
    requires: [],
    values: {},
    ...change,
  }
}

type Page = Extract<CataloguePage, { kind: 'page' }>

/** Makes the pages of a list; the cursor is the number of the page. */
export function offersOf(...pages: readonly (readonly SupplierOffer[])[]): Page[] {
  return pages.map((offers, index) => ({
    kind: 'page',
    offers,
    unread: [],
    next: index + 1 < pages.length ? String(index + 1) : null,
    waitMs: 0,
  }))
}

/** Supplier at the edge whose list the test writes: a page, or the reason why there is none. */
export function supplierWith(code: string) {
  let release: (() => void) | undefined
  let held: Promise<void> | undefined
  let asked: () => void = () => {}
  let first: Promise<void> = Promise.resolve()
  const provider: Provider = {
    ...createScriptedProvider(UNKNOWN, UNKNOWN, { code }),
    catalogue: {
      async readPage(cursor) {
        supplier.asked.push(cursor)
        const waiting = held
        held = undefined
        asked()
        await waiting
        const page = supplier.pages[Number(cursor ?? 0)] ?? 'there is no such page'
        if (typeof page === 'string') return { kind: 'unavailable', reason: page, retryAfterMs: 60_000 }
        return { ...page, unread: page.next === null ? supplier.unread : [], waitMs: supplier.waitMs }
      },
    },
  }
  const supplier = {
    provider,
    pages: [] as (Page | string)[],
    unread: [] as string[],
    waitMs: 0,
    asked: [] as (string | null)[],
    /** Makes the next question wait until `letGo`. */
    hold() {
      held = new Promise((resolve) => {
        release = resolve
      })
      first = new Promise((resolve) => {
        asked = resolve
      })
    },
    isAsked: () => first,
    letGo: () => release?.(),
  }
  return supplier
}
