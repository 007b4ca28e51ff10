import { UNITS_PER_RINGGIT } from '../../lib/money.ts'
import type { Option } from '../../modules/catalog/model/types.ts'
import type { Trade } from './biller-names.ts'
import { FIRM_WORDS, PLACE_HEADS, PLACE_TAILS, TRADES } from './biller-names.ts'

export const BILLER_COUNT = 21_500

/** One in this many billers asks for a second reference, if its trade has one. */
const SECOND_REFERENCE_EVERY = 5

/**
 * Number of plain billers at the start. People try things on the first page, so its billers ask for nothing
 * special and take any amount.
 */
const PLAIN_FIRST = 100

/** Returns the same billers at every call, on every machine, because customers have noted down the codes. */
export function listBillers(productCode: string, fieldId: string): Option[] {
  const random = numbers(20_260_916)
  const names = new Set<string>()
  const drafts: Draft[] = []
  for (let index = 0; index < BILLER_COUNT; index += 1) {
    const trade = tradeAt(random(100))
    drafts.push({ trade, name: freeName(trade, random, names), code: codeAt(index), draw: random(1_000) })
  }
  drafts.sort((a, b) => (a.name < b.name ? -1 : 1))
  return drafts.map((draft, index) => {
    const biller = billerOf(draft, { productCode, fieldId, displayOrder: index + 1 })
    return index < PLAIN_FIRST ? { ...biller, ...plainOf(draft) } : biller
  })
}

type Draft = { readonly trade: Trade; readonly name: string; readonly code: string; readonly draw: number }

/** Makes a biller as one literal: 21,500 copies of objects take longer than all else here. */
function billerOf(
  { trade, name, code, draw }: Draft,
  { productCode, fieldId, displayOrder }: Pick<Option, 'productCode' | 'fieldId' | 'displayOrder'>,
): Option {
  const [min, max] = trade.limits[draw % trade.limits.length] ?? [null, null]
  const requiresRef2 = trade.secondReference !== undefined && draw % SECOND_REFERENCE_EVERY === 0
  const references = [`Ref-1: ${trade.reference}`]
  return {
    productCode,
    fieldId,
    displayOrder,
    code,
    label: name,
    description: draw % 3 === 0 ? `${trade.reference} as printed on the bill` : null,
    isActive: true,
    denomination: null,
    validity: null,
    features: null,
    rrp: null,
    minAmount: min === null ? null : BigInt(min) * UNITS_PER_RINGGIT,
    maxAmount: max === null ? null : BigInt(max) * UNITS_PER_RINGGIT,
    suggestedCategory: trade.category,
    additionalDescription: requiresRef2 ? [...references, `Ref-2: ${trade.secondReference}`] : references,
    requiresRef2,
  }
}

function plainOf({ trade }: Draft): Partial<Option> {
  return {
    minAmount: UNITS_PER_RINGGIT,
    maxAmount: 30_000n * UNITS_PER_RINGGIT,
    additionalDescription: [`Ref-1: ${trade.reference}`],
    requiresRef2: false,
  }
}

/**
 * Returns four digits for the first codes, then five, then six. The step shares no factor with the range, so no
 * code repeats.
 */
function codeAt(index: number): string {
  if (index < 2_000) return String(1_000 + ((index * 7) % 9_000))
  if (index < 11_000) return String(10_000 + ((index * 37) % 90_000))
  return String(100_000 + ((index * 1_009) % 900_000))
}

function tradeAt(percent: number): Trade {
  let sum = 0
  for (const trade of TRADES) {
    sum += trade.share
    if (percent < sum) return trade
  }
  throw new Error('the shares of the trades sum to 100')
}

type Random = (below: number) => number

/** Returns a name that is not taken; a repeated name gets a branch number. */
function freeName(trade: Trade, random: Random, names: Set<string>): string {
  const firm = pick(FIRM_WORDS, random)
  const name = pick(trade.names, random)
    .replace('{place}', `${pick(PLACE_HEADS, random)} ${pick(PLACE_TAILS, random)}`)
    .replace('{firm}', firm)
    .replace('{other}', pick(FIRM_WORDS, random))
  let free = name
  for (let branch = 2; names.has(free); branch += 1) free = `${name} ${branch}`
  names.add(free)
  return free
}

function pick(words: readonly string[], random: Random): string {
  return words[random(words.length)] ?? ''
}

/** Mulberry32: a small generator, even enough for names, with the same numbers on every machine. */
function numbers(seed: number): Random {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}
