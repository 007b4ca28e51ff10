import { createContext, use } from 'react'
import type { LiveNetworkMessage, NetworkStatus, OverviewResponse } from '../api/portal.generated.ts'

// The service tells every page that connects which products are interrupted. A page that has just read this need not
// read it again.

type LiveNetwork = LiveNetworkMessage['data']

/** Codes of the products that do not work now, as the service has told last. */
export const InterruptedProducts = createContext<ReadonlySet<string>>(new Set())

export function useIsInterrupted(): (product: string) => boolean {
  const codes = use(InterruptedProducts)
  return (product) => codes.has(product)
}

/** Tells whether an overview shows other interruptions than the service has told. */
export function isOverviewOld({ data }: OverviewResponse, told: LiveNetwork): boolean {
  return keyOf(data) !== keyOf(told)
}

function keyOf({ interruptions }: LiveNetwork): string {
  return JSON.stringify(interruptions.map(({ product, since }) => [product, since]))
}

/** Tells whether the status of a product is another one than the service has told. */
export function isStatusOld({ data }: NetworkStatus, { interruptions }: LiveNetwork): boolean {
  const isInterrupted = interruptions.some(({ product }) => product === data.product_code)
  return isInterrupted !== (data.network_status === 'Interruption')
}
