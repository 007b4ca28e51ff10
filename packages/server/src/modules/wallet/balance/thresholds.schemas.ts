import { Type } from 'typebox'
import { parameter } from '../../../http/parameters.ts'
import { THRESHOLD_RULES } from './thresholds.rules.ts'

export const ThresholdParameters = Type.Object({
  amount: parameter(THRESHOLD_RULES.amount, 'In MYR, with at most 4 decimals; in the signed query alone'),
})

function response(title: string, lastUpdated: string) {
  return Type.Object(
    {
      data: Type.Object({
        Status: Type.String({ description: 'Success; empty when no threshold is set' }),
        Email: Type.String({ description: "The account's registered address" }),
        BalanceThreshold: Type.Number({ description: 'In MYR; 0 when no threshold is set' }),
        Note: Type.String({ description: 'A sentence that ends in the amount' }),
      }),
      '@metadata': Type.Object({
        status_code: Type.Literal(200),
        last_updated: Type.String({ description: `${lastUpdated}, GMT+8` }),
      }),
    },
    { title },
  )
}

export const ThresholdResponse = response('Low balance threshold', 'dd-MM-yyyy HH:mm:ss')
export const NewThresholdResponse = response('New low balance threshold', 'yyyy-MM-dd HH:mm:ss')
