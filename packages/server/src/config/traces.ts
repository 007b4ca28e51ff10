import type { ReadSetting } from './reader.ts'

export type TracesConfig = {
  /** Address that takes OTLP as JSON. */
  readonly url: string
  /** One of so many traces is kept. */
  readonly oneIn: number
  /** Tells suppliers the trace of each order, in the header `traceparent`. */
  readonly toSuppliers: boolean
}

export function readTraces(read: ReadSetting): TracesConfig | undefined {
  const url = read('WARUNG_TRACES_URL')
  const oneIn = read('WARUNG_TRACES_ONE_IN')
  const toSuppliers = read('WARUNG_TRACES_TO_SUPPLIERS') ?? false
  return url === undefined ? undefined : { url, oneIn, toSuppliers }
}

/** Describes the host alone: the path of such an address may be its password. */
export function describeTraces(traces: TracesConfig | undefined): string {
  if (traces === undefined) return '(none)'
  const { url, oneIn, toSuppliers } = traces
  return `${new URL(url).origin}, one in ${oneIn}${toSuppliers ? ', told to suppliers' : ''}`
}
