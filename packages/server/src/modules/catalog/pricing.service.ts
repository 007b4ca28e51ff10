import { PATTERN_FLAGS, PATTERN_INPUT_LENGTH_MAX } from './patterns.rules.ts'
import { cost, faceValue, payableRange } from './pricing.rules.ts'

/** The catalogue's own arithmetic, for pure rules of other modules: they take it as a parameter. */
export const CATALOG_RULES = { cost, faceValue, payableRange, PATTERN_FLAGS, PATTERN_INPUT_LENGTH_MAX }
