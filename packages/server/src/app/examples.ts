import { readFileSync } from 'node:fs'
import type { OperationExamples } from '../http/openapi/openapi-examples.ts'

export type Api = 'reseller' | 'operator' | 'portal' | 'checkout'

/** Reads the exchanges that `npm run examples` recorded from a running service. */
export function readExamples(api: Api): OperationExamples {
  const file = new URL(`../../examples/${api}.json`, import.meta.url)
  const { examples } = JSON.parse(readFileSync(file, 'utf8')) as { examples: OperationExamples }
  return examples
}
