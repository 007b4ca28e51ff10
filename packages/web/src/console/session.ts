import { createContext, useContext } from 'react'
import type { OperatorSession } from '../api/operator.generated.ts'

export type Operator = OperatorSession['data']

/** Signed-in member; the shell provides it. */
export const OperatorContext = createContext<Operator | undefined>(undefined)

export function useSignedIn(): Operator {
  const operator = useContext(OperatorContext)
  if (operator === undefined) throw new Error('no operator is signed in')
  return operator
}
