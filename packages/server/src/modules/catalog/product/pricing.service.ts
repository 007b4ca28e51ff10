import { matchesPattern } from './patterns.rules.ts'
import { cost, faceValue, findPricingField, payableRange } from './pricing.rules.ts'

/** The catalogue's own arithmetic, for pure rules of other modules: they take it as a parameter. */
export const CATALOG_RULES = { cost, faceValue, findPricingField, payableRange, matchesPattern }
