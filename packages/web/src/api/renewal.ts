import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'

/** Pause in which more events of a batch are collected: one read follows many events. */
const COLLECT_MS = 150

const waiting = new WeakMap<QueryClient, Map<string, number>>()

/**
 * Returns a function that has reads renewed because of a live event. Events come in batches, so the reads wait a
 * moment for the rest; a read that is under way is not broken off, or steady traffic would never let one finish.
 */
export function useRenewal(): (key: QueryKey) => void {
  const client = useQueryClient()
  return useCallback((key: QueryKey) => schedule(client, key), [client])
}

function schedule(client: QueryClient, queryKey: QueryKey): void {
  const timers = waiting.get(client) ?? new Map<string, number>()
  waiting.set(client, timers)
  const name = JSON.stringify(queryKey)
  if (timers.has(name)) return
  const timer = window.setTimeout(() => {
    timers.delete(name)
    if (client.isFetching({ queryKey }) > 0) schedule(client, queryKey)
    else void client.invalidateQueries({ queryKey })
  }, COLLECT_MS)
  timers.set(name, timer)
}
