import type { QueryKey } from '@tanstack/react-query'
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import type { AnswerOf, Client, InputOf, ReadOptions } from './client.ts'
import { createClient } from './client.ts'
import type { OperatorOperations } from './operator-operations.generated.ts'
import { OPERATOR_ROUTES } from './operator-operations.generated.ts'
import { announceSignedOut, askForProof, setSecondFactorMissing } from './signals.ts'

export type { OperatorOperations } from './operator-operations.generated.ts'

/** Client of the operators' API, for the signed-in operator. */
export const operator: Client<OperatorOperations> = createClient<OperatorOperations>(OPERATOR_ROUTES, {
  onSignedOut: announceSignedOut,
  onProofRequired: askForProof,
  onSecondFactorMissing: () => setSecondFactorMissing(true),
})

type Id = keyof OperatorOperations & string

/** Key of everything that was read by an operation; with an input, of that read alone. */
export function operatorKey<I extends Id>(id: I, input?: InputOf<OperatorOperations[I]>): QueryKey {
  return input === undefined ? ['operator', id] : ['operator', id, input]
}

/** Read of the console, for `useQuery`, prefetching and loaders. */
function operatorQuery<I extends Id>(id: I, input: InputOf<OperatorOperations[I]>) {
  return queryOptions<AnswerOf<OperatorOperations[I]>>({
    queryKey: operatorKey(id, input),
    queryFn: ({ signal }) => operator.call(id, input, { signal }),
  })
}

/** Reads an operation of the console for a component. */
export function useOperator<I extends Id>(
  id: I,
  input: InputOf<OperatorOperations[I]>,
  { isEnabled = true, keepsFormer = false }: ReadOptions = {},
) {
  return useQuery<AnswerOf<OperatorOperations[I]>>({
    ...operatorQuery(id, input),
    enabled: isEnabled,
    ...(keepsFormer ? { placeholderData: keepPreviousData as never } : {}),
  })
}

/**
 * Begins a read that a part of the page shows once the page's own read has answered, so that both take one round trip.
 */
export function useOperatorAhead<I extends Id>(
  id: I,
  input: InputOf<OperatorOperations[I]>,
  isWanted = true,
): void {
  const client = useQueryClient()
  const query = operatorQuery(id, input)
  if (isWanted && client.getQueryState(query.queryKey) === undefined) void client.prefetchQuery(query)
}
