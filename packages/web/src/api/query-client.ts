import { QueryClient } from '@tanstack/react-query'
import { ApiProblem } from './errors.ts'

const RETRIES_MAX = 2

/** Makes the cache of everything that was read. Live events say what has changed, so that nothing is polled. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        refetchOnWindowFocus: true,
        // Without a connection a read fails, so that the page says so; it is read again when there is one.
        networkMode: 'always',
        refetchOnReconnect: true,
        // Answers of 4xx stay as they are; only a service that is away for a moment is asked again.
        retry: (count, error) => count < RETRIES_MAX && isPassing(error),
        retryDelay: (count) => 500 * 2 ** count,
      },
      // A change is never sent twice by itself, because the first one may have arrived; nor later, without its person.
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}

function isPassing(error: unknown): boolean {
  return error instanceof ApiProblem && (error.status === 0 || error.status === 503)
}
