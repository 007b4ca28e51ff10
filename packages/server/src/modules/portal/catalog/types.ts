import type { Static } from 'typebox'
import type { EditsBody as Schema } from './schemas.ts'

/** Body of a request to edit, with the names of the API. */
export type EditsBody = Static<typeof Schema>
