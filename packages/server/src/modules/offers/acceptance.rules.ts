import { parseMoney } from '../../lib/money.ts'
import { findPricingField } from '../catalog/model/pricing.rules.ts'
import type { Option } from '../catalog/model/types.ts'
import type { Route } from '../providers/connections/routing.types.ts'
import type { Rates } from '../rates/types.ts'
import type { Wish } from './adopt.rules.ts'
import { adopt, imageOf, noRate } from './adopt.rules.ts'
import { placesOf, placesOfProduct, withCode } from './places.rules.ts'
import { ringgitOfCost } from './routes.rules.ts'
import { applied } from './rules.ts'
import type { Shelf } from './shelf.rules.ts'
import { canonicalJson } from './stored.rules.ts'
import type { Offer, Place, Proposal, RefusedProposal } from './types.ts'

// Effects of accepted proposals on the catalogue and on the connection's codes.

/** The present state that proposals are applied to, one after the other. The shelf takes what they change. */
export type Ground = {
  readonly provider: string
  readonly shelf: Shelf
  readonly config: unknown
  readonly rates: Rates
  /** All routes of the installation. */
  readonly routes: readonly Route[]
  /** Offers of the proposals, as they are followed. */
  readonly known: ReadonlyMap<string, Offer | null>
}

export type Acceptance = {
  readonly accepted: readonly Proposal[]
  readonly refused: readonly RefusedProposal[]
  readonly config: unknown
  /** Offers that are followed otherwise from now on. */
  readonly known: ReadonlyMap<string, Offer | null>
  /** Products whose routes follow from what is accepted. */
  readonly products: ReadonlySet<string>
}

type Bench = { config: unknown; readonly known: Map<string, Offer | null>; readonly products: Set<string> }

export function planAcceptance(ground: Ground, proposals: readonly Proposal[], wish: Wish = {}): Acceptance {
  const bench: Bench = { config: ground.config, known: new Map(), products: new Set() }
  const accepted: Proposal[] = []
  const refused: RefusedProposal[] = []
  for (const proposal of proposals) {
    const reason = apply(ground, bench, proposal, wish)
    if (reason !== undefined) refused.push({ proposal, reason })
    else accepted.push(proposal)
  }
  return { accepted, refused, ...bench }
}

/** Applies a proposal, or returns why it cannot be. */
function apply(ground: Ground, bench: Bench, proposal: Proposal, wish: Wish): string | undefined {
  const { code, kind } = proposal
  const before = bench.known.get(code) ?? ground.known.get(code) ?? null
  const after = applied(before, proposal)
  const places = placesOf(bench.config).get(code) ?? []
  const reason =
    kind === 'new' && places.length === 0
      ? takeNew(ground, bench, after, wish)
      : follow(ground, bench, { proposal, before, after, places })
  if (reason !== undefined) return reason
  bench.known.set(code, after)
  for (const { product } of placesOf(bench.config).get(code) ?? []) bench.products.add(product)
  return undefined
}

function takeNew(ground: Ground, bench: Bench, offer: Offer | null, wish: Wish): string | undefined {
  if (offer === null) return 'the list has it no more'
  const { shelf, rates } = ground
  if (offer.cost !== null && ringgitOfCost(offer.cost, rates) === null) return noRate(offer.cost.currency)
  const adopted = adopt({ shelf, rates, config: bench.config, offer }, wish)
  if ('refusal' in adopted) return adopted.refusal
  const { code, values, open } = offer
  const config = withCode(bench.config, adopted.place, {
    code,
    values,
    ...(!open && { isClosed: true as const }),
  })
  if (config === undefined) return `${adopted.place.product} is bought by codes of another form`
  bench.config = config
  return undefined
}

type Followed = {
  readonly proposal: Proposal
  readonly before: Offer | null
  readonly after: Offer | null
  readonly places: readonly Place[]
}

function follow(ground: Ground, bench: Bench, followed: Followed): string | undefined {
  const { proposal, before, after, places } = followed
  switch (proposal.kind) {
    case 'new':
    case 'hours_changed':
      return undefined
    case 'cost_changed': {
      const cost = after?.cost ?? null
      const hasRate = cost === null || ringgitOfCost(cost, ground.rates) !== null
      return hasRate ? undefined : noRate(cost.currency)
    }
    case 'gone':
    case 'closed':
    case 'reopened':
      for (const place of places) {
        setCode(bench, place, before ?? after, proposal.kind !== 'reopened')
        setOption(ground, place, proposal.kind === 'reopened')
      }
      return undefined
    case 'changed':
      return describeAnew(ground, bench, followed)
    default:
      return proposal.kind satisfies never
  }
}

/** A closed code stays where it is: orders that were sent are still asked about by it. */
function setCode(bench: Bench, place: Place, offer: Offer | null, isClosed: boolean): void {
  if (offer === null) return
  const { code, values } = offer
  bench.config =
    withCode(bench.config, place, { code, values, ...(isClosed && { isClosed }) }) ?? bench.config
}

/** An option that no other supplier may have is switched with the offer; otherwise the others go on selling it. */
function setOption({ shelf, routes, provider }: Ground, place: Place, isActive: boolean): void {
  const product = shelf.product(place.product)
  const field = product && findPricingField(product)
  if (product === undefined || field?.type !== 'select' || place.by === 'product') return
  const own = routes.filter(({ productCode }) => productCode === product.code)
  if (own.length === 0 || own.some((route) => route.provider !== provider)) return
  for (const option of optionsAt(shelf, product.code, field.id, place))
    shelf.putOption({ ...option, isActive })
}

function optionsAt(shelf: Shelf, product: string, fieldId: string, place: Place): Option[] {
  if (place.by === 'product') return []
  const amount = parseMoney(place.key)
  return [...shelf.optionsOf(product, fieldId).values()].filter(({ code, denomination }) =>
    place.by === 'subproduct' ? code === place.key : denomination === amount,
  )
}

/** Takes over names, pictures and values, where they are still the supplier's own. */
function describeAnew(
  { shelf }: Ground,
  bench: Bench,
  { before, after, places }: Followed,
): string | undefined {
  if (before === null || after === null) return undefined
  if (canonicalJson(before.face) !== canonicalJson(after.face)) {
    return `its value changed from ${faceText(before)} to ${faceText(after)}: map it by hand`
  }
  for (const place of places) {
    setCode(bench, place, after, place.isClosed === true)
    const product = shelf.product(place.product)
    const field = product && findPricingField(product)
    if (product === undefined || field === undefined) continue
    const image = imageOf(after, product.code)
    if (product.imageUrl === imageOf(before, product.code) && product.imageUrl !== image) {
      shelf.putProduct({ ...product, imageUrl: image })
    }
    for (const option of optionsAt(shelf, product.code, field.id, place)) {
      if (option.label !== before.name) continue
      const { name: label, description, validity } = after
      shelf.putOption({ ...option, label, description, validity })
    }
  }
  return undefined
}

function faceText({ face }: Offer): string {
  if (face === null) return 'none'
  const { currency, min, max } = face
  return `${currency} ${min === max ? min : `${min} to ${max}`}`
}

/** Tells whether every offer of a product is closed at this supplier. */
export function isClosedAt(config: unknown, product: string): boolean {
  const places = placesOfProduct(config, product)
  return places.length > 0 && places.every(([, place]) => place.isClosed === true)
}
