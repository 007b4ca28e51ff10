import { documents } from '../../../packages/server/dist/app/documents.js'
import type { Keeper } from './files.ts'

const GENERATED = 'Generated from the operations: change those, then npm run openapi'

/** Keeps the OpenAPI documents, from the operations of the built server. */
export function keepDocuments(files: Keeper) {
  for (const [name, { openapi, ...document }] of Object.entries(documents())) {
    const marked = { openapi, 'x-generated': GENERATED, ...document }
    files.keep(`docs/${name}.json`, `${JSON.stringify(marked, null, 2)}\n`)
  }
}
