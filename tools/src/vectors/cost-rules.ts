// Golden cases of the cost rules: face value, cost and price of a denomination. The inputs are written by hand. The
// results are computed here with fractions (a numerator over a denominator), which share neither code nor method with
// the server's fixed-point arithmetic.

// name | denomination | denomination_unit_price | discount | adjustment | rrp of base, of reseller | why
// A discount is a unit price: positive for a percentage, negative for a fixed one. An adjustment is ×factor or
// +addend. A dash is nothing.
const QUOTES = `
percentage | 10 | 1 | 0.985 | - | - - | 1.5% off: the plainest case
percentage-hundred | 100 | 1 | 0.96 | - | - - | 4% off
percentage-none | 50 | 1 | 1 | - | - - | no discount: cost is the face value
percentage-surcharge | 50 | 1 | 1.02 | - | - - | above 1 the cost exceeds the face value, and the rrp is the cost
percentage-eight-places | 30 | 1 | 0.98765432 | - | - - | 29.6296296 rounds down
percentage-smallest-discount | 100 | 1 | 0.99999999 | - | - - | 99.999999 rounds up to the face value
percentage-half-up | 0.01 | 1 | 0.985 | - | - - | 0.00985 is half a unit: up
percentage-below-half | 0.01 | 1 | 0.98499999 | - | - - | just below half a unit: down
percentage-above-half | 0.01 | 1 | 0.98500001 | - | - - | just above half a unit: up
percentage-half-up-odd | 0.03 | 1 | 0.985 | - | - - | 0.02955: up, not to the even neighbour
percentage-half-up-even | 0.05 | 1 | 0.985 | - | - - | 0.04925: up, away from the even neighbour
percentage-fraction-of-a-sen | 4.5678 | 1 | 0.97 | - | - - | 4.430766: four decimals are kept
percentage-smallest-amount | 0.0001 | 1 | 0.5 | - | - - | half of the smallest unit is one unit
percentage-large | 999999.9999 | 1 | 0.97654321 | - | - - | nothing is lost in large amounts
fixed | 10 | 1 | -0.5 | - | - - | 0.50 off the face value
fixed-hundred | 100 | 1 | -0.5 | - | - - | a fixed discount does not grow with the amount
fixed-three-decimals | 30 | 1 | -0.125 | - | - - | 29.875
fixed-half-up | 10 | 1 | -0.00005 | - | - - | 9.99995 is half a unit: up to the face value
fixed-just-more-than-half | 10 | 1 | -0.00005001 | - | - - | 9.99994999: down
fixed-whole | 10 | 1 | -9.9999 | - | - - | one unit is left
foreign-percentage | 25 | 0.21431 | 0.97 | - | - - | a currency of about 4.67 to the ringgit
foreign-half-up | 5 | 0.00021 | 1 | - | - - | face value 0.00105 is half a unit: up
foreign-rounded-once | 1 | 0.33335 | 0.9 | - | - - | cost 0.300015 from the exact face value, not 0.30006 from 0.3334
foreign-rounded-once-down | 3 | 1.00001667 | 0.99999 | - | - - | cost from 3.00005001, not from a rounded face value
foreign-not-twice-up | 1 | 0.00004999 | 1 | - | - - | below half a unit: nothing, and no second rounding
foreign-fixed | 20 | 4.4321 | -1.25 | - | - - | the discount is in ringgit, not in foreign units
virtual-unit | 60 | 0.0785 | -0.2 | - | - - | 60 gems at 7.85 sen
virtual-unit-many | 6480 | 0.07654321 | -3.5 | - | - - | 496.0000008 less 3.50
adjust-percentage | 10 | 1 | 0.985 | ×1.05 | - - | 5% more than the rrp, which is the face value
adjust-percentage-down | 10 | 1 | 0.985 | ×0.99 | - - | 1% less is still above cost
adjust-percentage-to-cost | 10 | 1 | 0.985 | ×0.985 | - - | exactly at cost: no loss
adjust-percentage-loss | 10 | 1 | 0.985 | ×0.98 | - - | below cost
adjust-percentage-tiny-loss | 100 | 1 | 0.985 | ×0.98499 | - - | below cost by 0.001
adjust-percentage-hidden-loss | 10 | 1 | 0.985 | ×0.98499999 | - - | a loss that rounding takes away is none
adjust-percentage-half-up | 0.01 | 1 | 1 | ×1.005 | - - | 0.01005 is half a unit: up
adjust-percentage-rounded-once | 1 | 0.33335 | 0.9 | ×1.05 | - - | 0.3500175 from the exact face value, not 0.35007 from 0.3334
adjust-percentage-surcharge | 50 | 1 | 1.02 | ×1.01 | - - | the rrp is the cost, and the price is 1% more
adjust-percentage-surcharge-loss | 50 | 1 | 1.02 | ×0.999 | - - | anything less than the cost loses
adjust-fixed | 10 | 1 | 0.985 | +0.5 | - - | 0.50 more than the rrp
adjust-fixed-down | 10 | 1 | 0.985 | +-0.1 | - - | 0.10 less is still above cost
adjust-fixed-loss | 5 | 1 | 0.985 | +-0.1 | - - | the same adjustment loses on the smaller denomination
adjust-fixed-to-cost | 10 | 1 | 0.985 | +-0.15 | - - | exactly at cost: no loss
adjust-fixed-on-fixed | 10 | 1 | -0.5 | +-0.6 | - - | 9.40 against a cost of 9.50
adjust-fixed-foreign | 25 | 0.21431 | 0.97 | +0.25 | - - | added in ringgit, after the unit price
adjust-fixed-below-zero | 5 | 1 | 0.985 | +-7.5 | - - | a price can even be negative; it is shown as the risk it is
adjust-zero | 10 | 1 | 0.985 | +0 | - - | an adjustment of nothing
rrp-base | 10 | 1 | 0.985 | - | 10.5 - | the configured rrp is the price
rrp-base-adjusted | 10 | 1 | 0.985 | ×1.05 | 10.5 - | the adjustment leaves a configured rrp alone
rrp-base-loss | 10 | 1 | 0.985 | - | 9.8 - | a configured rrp below cost loses
rrp-reseller | 10 | 1 | 0.985 | - | - 11 | the reseller's own
rrp-reseller-wins | 10 | 1 | 0.985 | - | 10.5 11 | over that of the base
rrp-reseller-loss | 10 | 1 | 0.985 | ×1.05 | 10.5 9.8499 | one unit below cost, whatever the adjustment
rrp-reseller-at-cost | 10 | 1 | 0.985 | - | 9 9.85 | at cost: no loss
rrp-reseller-foreign | 25 | 0.21431 | 0.97 | +1 | - 6 | in ringgit, not in foreign units
`

// name | min | max | denomination_unit_price | discount | adjustment | loses or safe | why
const RANGES = `
no-adjustment | 5 | 500 | 1 | 0.985 | - | safe | the price is never below the cost
surcharge-no-adjustment | 5 | 500 | 1 | 1.02 | - | safe | the rrp is the cost
percentage-above-cost | 5 | 500 | 1 | 0.985 | ×0.99 | safe | in proportion: safe at one amount, safe at all
percentage-below-cost | 5 | 500 | 1 | 0.985 | ×0.98 | loses | in proportion: at every amount
percentage-below-cost-by-a-trace | 5 | 500 | 1 | 0.985 | ×0.98499999 | loses | too little to see at 5, but not at every amount
fixed-adjustment-loses-at-the-bottom | 5 | 500 | 1 | 0.985 | +-0.1 | loses | the discount on 5 is 0.075
fixed-adjustment-safe-from-ten | 10 | 500 | 1 | 0.985 | +-0.1 | safe | the discount on 10 is 0.15
fixed-adjustment-on-surcharge | 5 | 500 | 1 | 1.02 | +-0.0001 | loses | no discount to give away
fixed-discount-loses-at-the-top | 5 | 500 | 1 | -0.5 | ×0.998 | loses | 0.2% of 500 is more than 0.50
fixed-discount-safe-up-to-the-top | 5 | 250 | 1 | -0.5 | ×0.998 | safe | 0.2% of 250 is 0.50
fixed-discount-without-a-top | 5 | - | 1 | -0.5 | ×0.998 | loses | it grows until it exceeds the discount
fixed-discount-fixed-adjustment | 5 | - | 1 | -0.5 | +-0.5 | safe | the same at every amount
fixed-discount-fixed-adjustment-loss | 5 | - | 1 | -0.5 | +-0.5001 | loses | the same at every amount
percentage-without-a-top | 10 | - | 1 | 0.985 | +-0.1 | safe | the margin grows
percentage-without-a-bottom | - | 500 | 1 | 0.985 | +-0.0001 | loses | the smallest amounts have no discount to give away
one-amount | 10 | 10 | 1 | 0.985 | +-0.15 | safe | exactly at cost
empty-range | 10 | 5 | 1 | 0.985 | ×0.5 | safe | nothing can be bought
foreign-unit | 10 | 500 | 0.21431 | 0.97 | +-0.07 | loses | 10 units are 2.1431, and 3% of it is less than 0.07
`

// ── Fractions ──

const gcd = (a: bigint, b: bigint): bigint => (b === 0n ? a : gcd(b, a % b))

type Fraction = { top: bigint; bottom: bigint }

function fraction(top: bigint, bottom: bigint): Fraction {
  const common = gcd(top < 0n ? -top : top, bottom) || 1n
  return { top: top / common, bottom: bottom / common }
}

function read(decimal: string) {
  const [, sign = '', whole = '', places = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(decimal) ?? []
  return fraction(BigInt(`${sign}${whole}${places}`), 10n ** BigInt(places.length))
}

const plus = (a: Fraction, b: Fraction) => fraction(a.top * b.bottom + b.top * a.bottom, a.bottom * b.bottom)
const times = (a: Fraction, b: Fraction) => fraction(a.top * b.top, a.bottom * b.bottom)
const isLess = (a: Fraction, b: Fraction) => a.top * b.bottom < b.top * a.bottom

/** Rounds half up to 4 decimals and writes 2 to 4 of them. */
function write(value: Fraction) {
  const doubled = 2n * value.top * 10_000n + value.bottom
  const remainder = ((doubled % (2n * value.bottom)) + 2n * value.bottom) % (2n * value.bottom)
  const units = (doubled - remainder) / (2n * value.bottom)
  const digits = (units < 0n ? -units : units).toString().padStart(5, '0')
  const text = `${digits.slice(0, -4)}.${digits.slice(-4)}`.replace(/0{1,2}$/, '')
  return units < 0n ? `-${text}` : text
}

// ── Cases ──

const list = (table: string) =>
  table
    .trim()
    .split('\n')
    .map((row) => row.split('|').map((cell) => cell.trim()))

const orNull = (cell: string) => (cell === '-' ? null : cell)

type Adjustment = { type: string; value: string } | null

function readAdjustment(cell: string): Adjustment {
  if (cell === '-') return null
  return { type: cell.startsWith('×') ? 'percentage' : 'fixed', value: cell.slice(1) }
}

function exactCost(face: Fraction, unitPrice: Fraction) {
  return unitPrice.top < 0n ? plus(face, unitPrice) : times(face, unitPrice)
}

function adjusted(rrp: Fraction, adjustment: Adjustment) {
  if (adjustment === null) return rrp
  return adjustment.type === 'percentage'
    ? times(rrp, read(adjustment.value))
    : plus(rrp, read(adjustment.value))
}

function quote(row: string[]) {
  const [name, denomination = '', unitPrice = '', discount = '', adjustmentCell = '', rrps = '', why] = row
  const [rrpBase = null, rrpReseller = null] = rrps.split(' ').map(orNull)
  const adjustment = readAdjustment(adjustmentCell)
  const face = times(read(denomination), read(unitPrice))
  const cost = exactCost(face, read(discount))
  const configured = rrpReseller ?? rrpBase
  const rrp = configured === null ? (isLess(cost, face) ? face : cost) : read(configured)
  const price = configured === null ? adjusted(rrp, adjustment) : rrp
  const shown = { cost: write(cost), price: write(price) }
  return {
    name,
    denomination,
    denomination_unit_price: unitPrice,
    discount_type: discount.startsWith('-') ? 'fixed' : 'percentage',
    unit_price: discount,
    price_adjustment: adjustment,
    rrp_base: rrpBase,
    rrp_reseller: rrpReseller,
    face_value: write(face),
    cost: shown.cost,
    rrp: write(rrp),
    price: shown.price,
    has_loss_risk: isLess(read(shown.price), read(shown.cost)),
    why,
  }
}

function range(row: string[]) {
  const [name, min = '', max = '', unitPrice, discount = '', adjustment = '', answer, why] = row
  return {
    name,
    min: orNull(min),
    max: orNull(max),
    denomination_unit_price: unitPrice,
    discount_type: discount.startsWith('-') ? 'fixed' : 'percentage',
    unit_price: discount,
    price_adjustment: readAdjustment(adjustment),
    has_loss_risk: answer === 'loses',
    why,
  }
}

export const costRules = { cases: list(QUOTES).map(quote), ranges: list(RANGES).map(range) }
