import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'

/** Pause in which more events of a batch are collected: one read follows many events. */
const COLLECT_MS = 150

/** Tells whether an event says something else than an answer that was read; undefined: it always does. */
type IsOld = ((answer: unknown) => boolean) | undefined

const waiting = new WeakMap<QueryClient, Map<string, IsOld>>()

/**
 * Returns a function that has reads renewed because of a live event. Events come in batches, so the reads wait a
 * moment for the rest; a read that is under way is not broken off, or steady traffic would never let one finish.
 */
export function useRenewal(): (key: QueryKey, isOld?: IsOld) => void {
  const client = useQueryClient()
  return useCallback((key: QueryKey, isOld?: IsOld) => renewSoon(client, key, isOld), [client])
}

export function renewSoon(client: QueryClient, queryKey: QueryKey, isOld?: IsOld): void {
  const renewals = waiting.get(client) ?? new Map<string, IsOld>()
  waiting.set(client, renewals)
  const name = JSON.stringify(queryKey)
  const isWaiting = renewals.has(name)
  // The latest event counts, but a renewal that was asked for without a condition stays.
  if (!isWaiting || renewals.get(name) !== undefined) renewals.set(name, isOld)
  if (!isWaiting) collect(client, queryKey, name, renewals)
}

function collect(client: QueryClient, queryKey: QueryKey, name: string, renewals: Map<string, IsOld>): void {
  window.setTimeout(() => {
    if (client.isFetching({ queryKey }) > 0) return collect(client, queryKey, name, renewals)
    const isOld = renewals.get(name)
    renewals.delete(name)
    void client.invalidateQueries({
      queryKey,
      predicate: ({ state: { data } }) => isOld === undefined || data === undefined || isOld(data),
    })
  }, COLLECT_MS)
}
