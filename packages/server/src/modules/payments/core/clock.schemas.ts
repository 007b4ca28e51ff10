import { Type } from 'typebox'
import { parameter } from '../../../http/parameters.ts'
import { ADVANCE_RULES } from './clock.rules.ts'

export const AdvanceQuery = Type.Object({
  advance_seconds: parameter(ADVANCE_RULES.advanceSeconds, 'At most a year'),
})
