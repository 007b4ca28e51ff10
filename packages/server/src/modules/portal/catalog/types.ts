import type { Static } from 'typebox'
import type { EditsBody as Schema } from './schemas.ts'

/** What was asked for, in the wire's words. */
export type EditsBody = Static<typeof Schema>
