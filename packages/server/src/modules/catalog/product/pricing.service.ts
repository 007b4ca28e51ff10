import { matchesPattern } from './patterns.rules.ts'
import { cost, faceValue, findPricingField, payableRange } from './pricing.rules.ts'

/** Arithmetic of the catalogue for pure rules of other modules, which take it as a parameter. */
export const CATALOG_RULES = { cost, faceValue, findPricingField, payableRange, matchesPattern }
