import { Type } from 'typebox'
import type { Infer } from '../../http/codec.ts'
import { input, member, optionalMember, resource } from '../../http/codec.ts'
import { documentedAs } from '../../http/parameters.ts'
import { enumOf, Instant, orNull } from '../../http/schemas.ts'
import { PRODUCT_CODE, PROVIDER_CODE } from '../../lib/input/codes.ts'
import { arrayOf, checked, nullable, oneOf, wholeNumber } from '../../lib/input/fields.ts'
import { ID } from '../../lib/input/ids.ts'
import { formatMoney } from '../../lib/money.ts'
import type {
  Accepted,
  MarginGap,
  Offer,
  OfferMargin,
  Rejected,
  Scheduled,
  ShownProposal,
  Sync,
} from './types.ts'
import { MARGIN_GAPS, PROPOSAL_KINDS, PROPOSAL_STATES, SYNC_STATES } from './types.ts'

/** Limit of proposals that one act decides. */
export const BATCH_MAX = 500

const provider = member(PROVIDER_CODE, {
  identifies: 'provider',
  option: { value: 'CODE', help: 'the supplier' },
})

const CHOICE = {
  provider,
  ids: optionalMember(arrayOf(ID, BATCH_MAX), {
    schema: Type.Array(documentedAs(ID, Type.String()), {
      maxItems: BATCH_MAX,
      description: 'Proposals, as they were shown; left out: those of the rule',
    }),
    option: { name: 'id', value: 'ID', help: 'a proposal, as `catalog proposals` shows it; may be repeated' },
  }),
  kinds: optionalMember(arrayOf(oneOf(PROPOSAL_KINDS), PROPOSAL_KINDS.length), {
    schema: Type.Array(enumOf(PROPOSAL_KINDS), {
      description: `Rule: open proposals of these kinds, at most ${BATCH_MAX} at once`,
    }),
    option: {
      name: 'kind',
      value: 'KIND',
      help: `all open ones of a kind (may be repeated): ${PROPOSAL_KINDS.join(', ')}`,
    },
  }),
  after: optionalMember(ID, {
    description: 'Rule: only those after this proposal, the `next` of the act before',
    option: { value: 'ID', help: 'with --kind: only those after this proposal' },
  }),
}

export const ACCEPT_INPUT = input({
  ...CHOICE,
  costUpTo: optionalMember(wholeNumber(0, 1_000), {
    description: 'Rule: of changed costs, only those that rise by at most so many percent; lower ones always',
    option: { value: 'PERCENT', help: 'of changed costs, only those that rise by at most so much' },
  }),
  product: optionalMember(PRODUCT_CODE, {
    description: 'Product that takes the new offers; left out: one of their brand and kind',
    option: {
      name: 'into',
      value: 'CODE',
      help: 'the product that takes the new offers; default: one of their brand and kind',
    },
  }),
  category: optionalMember(PRODUCT_CODE, {
    description: 'Category of new products; left out: the one in which their kind is sold already',
    identifies: 'category',
    option: { value: 'CODE', help: 'the category of new products; default: that of their kind' },
  }),
})
export type AcceptInput = Infer<typeof ACCEPT_INPUT>

export const REJECT_INPUT = input(CHOICE)
export type RejectInput = Infer<typeof REJECT_INPUT>

export const SYNC_INPUT = input({ provider })

const HOURS_MAX = 720

export const SCHEDULE_INPUT = input({
  provider,
  everyHours: member(checked<number | null>(nullable(wholeNumber(1, HOURS_MAX))), {
    schema: orNull(Type.Integer({ minimum: 1, maximum: HOURS_MAX }), 'null: never'),
    option: { name: 'every', value: 'HOURS', help: `hours from one reading to the next, 1 to ${HOURS_MAX}` },
  }),
})

export const SYNC_VIEW = resource<Sync>()('Reading of a list of offers', {
  id: [Type.String(), ({ id }) => String(id)],
  provider: [Type.String(), (sync) => sync.provider],
  state: [enumOf(SYNC_STATES), ({ state }) => state],
  pages: [Type.Integer({ description: 'Pages read so far' }), ({ pages }) => pages],
  offers: [Type.Integer({ description: 'Offers read so far' }), ({ offers }) => offers],
  unread: [Type.Integer({ description: 'Entries that could not be read' }), ({ unread }) => unread],
  proposals: [Type.Integer({ description: 'Proposals that it made' }), ({ proposals }) => proposals],
  trouble: [
    orNull(Type.String(), 'Last failure; of a complete list, why nothing of it was marked as gone'),
    ({ trouble }) => trouble,
  ],
  started_by: [Type.String({ description: 'Person, or schedule' }), ({ startedBy }) => startedBy],
  started_at: [Instant, ({ startedAt }) => startedAt.toISOString()],
  finished_at: [orNull(Instant), ({ finishedAt }) => finishedAt?.toISOString() ?? null],
})

/** Schedule of a provider that has none, too. */
export const SCHEDULED_VIEW = resource<Scheduled>()('Schedule of readings', {
  provider: [Type.String(), (scheduled) => scheduled.provider],
  every_hours: [
    orNull(Type.Integer(), 'null: it is never read by itself'),
    ({ schedule }) => schedule?.everyHours ?? null,
  ],
  next_at: [orNull(Instant, 'null: never'), ({ schedule }) => schedule?.nextAt.toISOString() ?? null],
})

const OfferPart = orNull(
  Type.Object({}, { additionalProperties: true }),
  'Members of the offer, in the supplier’s words and currency',
)

const MarginView = Type.Object(
  {
    product: Type.String(),
    level: Type.String({ description: 'Level that pays least for it' }),
    face_value: Type.String(),
    price: Type.String({ description: 'Amount that a reseller of that level pays' }),
    cost: Type.String({ description: 'In ringgit, by the present rate' }),
    margin: Type.String(),
  },
  { description: 'In ringgit' },
)

function marginOf(margin: OfferMargin | MarginGap) {
  if (typeof margin === 'string') return null
  const { product, level, faceValue, price, cost, margin: rest } = margin
  return {
    product,
    level,
    face_value: formatMoney(faceValue),
    price: formatMoney(price),
    cost: formatMoney(cost),
    margin: formatMoney(rest),
  }
}

export const PROPOSAL_VIEW = resource<ShownProposal>()('Proposal', {
  id: [Type.String(), ({ id }) => String(id)],
  provider: [Type.String(), (proposal) => proposal.provider],
  code: [Type.String({ description: "The supplier's code" }), ({ code }) => code],
  name: [Type.String(), ({ name }) => name],
  kind: [enumOf(PROPOSAL_KINDS), ({ kind }) => kind],
  state: [enumOf(PROPOSAL_STATES), ({ state }) => state],
  before: [OfferPart, ({ before }) => partOf(before)],
  after: [OfferPart, ({ after }) => partOf(after)],
  products: [
    Type.Array(Type.String(), { description: 'Products that are, or would be, bought by it' }),
    ({ products }) => [...products],
  ],
  margin_before: [
    orNull(MarginView, 'Margin by the cost before; null: none is known'),
    ({ marginBefore }) => marginOf(marginBefore),
  ],
  margin: [orNull(MarginView, 'The smallest margin that it would have'), ({ margin }) => marginOf(margin)],
  margin_gap: [
    orNull(enumOf(MARGIN_GAPS), 'Why there is no margin'),
    ({ margin }) => (typeof margin === 'string' ? margin : null),
  ],
  trouble: [orNull(Type.String(), 'Why it cannot be accepted as it is'), ({ trouble }) => trouble],
  created_at: [Instant, ({ createdAt }) => createdAt.toISOString()],
  decided_at: [orNull(Instant, 'null: it is open'), ({ decidedAt }) => decidedAt?.toISOString() ?? null],
  decided_by: [
    orNull(Type.String(), 'Person, or `sync` where the list superseded it'),
    ({ decidedBy }) => decidedBy,
  ],
})

function partOf(part: Partial<Offer> | null): Record<string, unknown> | null {
  return part === null ? null : { ...part }
}

/** Result of an act that accepted proposals. */
export const ACCEPTED_VIEW = resource<Accepted>()('Accepted proposals', {
  provider: [Type.String(), (done) => done.provider],
  accepted: [
    Type.Integer({ description: 'Proposals that were accepted' }),
    ({ accepted }) => accepted.length,
  ],
  refused: [
    Type.Array(Type.Object({ id: Type.String(), code: Type.String(), reason: Type.String() }), {
      description: 'Proposals of the rule that cannot be accepted as they are, and stay',
    }),
    ({ refused }) => refused.map(({ proposal: { id, code }, reason }) => ({ id: String(id), code, reason })),
  ],
  next: [
    orNull(Type.String(), 'Last proposal of the rule, where there are more: `after` of the next act'),
    ({ next }) => (next === null ? null : String(next)),
  ],
  routes: [
    Type.Array(Type.String(), { description: 'Products whose routes are new or changed' }),
    ({ routes }) => routes.map(({ productCode }) => productCode),
  ],
})

export const REJECTED_VIEW = resource<Rejected>()('Rejected proposals', {
  provider: [Type.String(), (done) => done.provider],
  rejected: [Type.Integer({ description: 'Proposals that were rejected' }), ({ rejected }) => rejected],
  next: [
    orNull(Type.String(), 'Last proposal of the rule, where there are more: `after` of the next act'),
    ({ next }) => (next === null ? null : String(next)),
  ],
})
