import type { QueryKey } from '@tanstack/react-query'
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import type { AnswerOf, Client, InputOf, ReadOptions } from './client.ts'
import { createClient } from './client.ts'
import type { PortalOperations } from './portal-operations.generated.ts'
import { PORTAL_ROUTES } from './portal-operations.generated.ts'
import { announceSignedOut, askForProof } from './signals.ts'

export type { PortalOperations } from './portal-operations.generated.ts'

/** Client of the portal's API, for the signed-in member. */
export const portal: Client<PortalOperations> = createClient<PortalOperations>(PORTAL_ROUTES, {
  onSignedOut: announceSignedOut,
  onProofRequired: askForProof,
})

type Id = keyof PortalOperations & string

/** Key of everything that was read by an operation; with an input, of that read alone. */
export function portalKey<I extends Id>(id: I, input?: InputOf<PortalOperations[I]>): QueryKey {
  return input === undefined ? ['portal', id] : ['portal', id, input]
}

/** Read of the portal, for `useQuery`, prefetching and loaders. */
export function portalQuery<I extends Id>(id: I, input: InputOf<PortalOperations[I]>) {
  return queryOptions<AnswerOf<PortalOperations[I]>>({
    queryKey: portalKey(id, input),
    queryFn: ({ signal }) => portal.call(id, input, { signal }),
  })
}

/** Reads an operation of the portal for a component. */
export function usePortal<I extends Id>(
  id: I,
  input: InputOf<PortalOperations[I]>,
  { isEnabled = true, keepsFormer = false }: ReadOptions = {},
) {
  return useQuery<AnswerOf<PortalOperations[I]>>({
    ...portalQuery(id, input),
    enabled: isEnabled,
    ...(keepsFormer ? { placeholderData: keepPreviousData as never } : {}),
  })
}

/**
 * Begins a read that a part of the page shows once the page's own read has answered, so that both take one round trip.
 */
export function usePortalAhead<I extends Id>(
  id: I,
  input: InputOf<PortalOperations[I]>,
  isWanted = true,
): void {
  const client = useQueryClient()
  const query = portalQuery(id, input)
  if (isWanted && client.getQueryState(query.queryKey) === undefined) void client.prefetchQuery(query)
}
