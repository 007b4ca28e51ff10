import type { QueryKey } from '@tanstack/react-query'
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import type { AnswerOf, Client, InputOf } from './client.ts'

export type ReadOptions = {
  /** False: nothing is asked, for instance until a field is filled. */
  readonly isEnabled?: boolean
  /** True: the former answer stays on the page while the next one is read. */
  readonly keepsFormer?: boolean
}

/** Reads of one of the service's APIs, for components. */
export function readsOf<Operations>(api: string, client: Client<Operations>) {
  type Id = keyof Operations & string

  /** Key of everything that was read by an operation; with an input, of that read alone. */
  function keyOf<I extends Id>(id: I, input?: InputOf<Operations[I]>): QueryKey {
    return input === undefined ? [api, id] : [api, id, input]
  }

  /** Read for `useQuery`, prefetching and loaders. */
  function queryOf<I extends Id>(id: I, input: InputOf<Operations[I]>) {
    return queryOptions<AnswerOf<Operations[I]>>({
      queryKey: keyOf(id, input),
      queryFn: ({ signal }) => client.call(id, input, { signal }),
    })
  }

  /** Reads an operation for a component. */
  function useRead<I extends Id>(
    id: I,
    input: InputOf<Operations[I]>,
    { isEnabled = true, keepsFormer = false }: ReadOptions = {},
  ) {
    return useQuery<AnswerOf<Operations[I]>>({
      ...queryOf(id, input),
      enabled: isEnabled,
      ...(keepsFormer ? { placeholderData: keepPreviousData as never } : {}),
    })
  }

  /**
   * Begins a read that a part of the page shows once the page's own read has answered, so that both take one round
   * trip.
   */
  function useReadAhead<I extends Id>(id: I, input: InputOf<Operations[I]>, isWanted = true): void {
    const queries = useQueryClient()
    const query = queryOf(id, input)
    if (isWanted && queries.getQueryState(query.queryKey) === undefined) void queries.prefetchQuery(query)
  }

  return { keyOf, queryOf, useRead, useReadAhead }
}
