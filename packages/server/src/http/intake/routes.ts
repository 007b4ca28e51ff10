import type { Network } from '../../lib/addresses.ts'
import { createBodyReader } from '../body.ts'
import { listCrossOrigin, preflightHeaders } from '../cross-origin.ts'
import type { Dialect } from '../dialects.ts'
import type { Exchange } from '../exchange.ts'
import type { Operation } from '../operation.ts'
import { respond } from '../respond.ts'
import type { RoutedMethod } from '../router.ts'
import { headersOf, prepareOperation } from '../serve-operation.ts'
import { createGate } from './limits.ts'

export type Route = {
  readonly method: RoutedMethod
  readonly path: string
  readonly dialect: Dialect
  readonly isUnlimited: boolean
  readonly headers: Exchange['operationHeaders']
  readonly serve: (exchange: Exchange) => void
}

type RouteOptions = {
  readonly requestsMax: number
  readonly requestTimeoutMs: number
  readonly exempt: readonly Network[]
  readonly trustProxy: readonly Network[]
}

/** Health paths. They answer even to a blocked address and under full load, within a budget. */
const UNLIMITED = new Set(['/healthz', '/readyz'])

/** Returns the function that makes routes of operations. All of its routes share one gate. */
export function createRoutes(
  options: RouteOptions,
  fail: (exchange: Exchange, dialect: Dialect, error: unknown) => void,
): (operations: readonly Operation[]) => Route[] {
  const gate = createGate(options.requestsMax, [...options.exempt, ...options.trustProxy])
  const bodies = createBodyReader()
  const routesOf = (operation: Operation): Route[] => {
    const { path, dialect } = operation
    const isUnlimited = UNLIMITED.has(path)
    const serve = prepareOperation(operation, {
      bodies,
      requestTimeoutMs: options.requestTimeoutMs,
      gate: isUnlimited ? undefined : gate,
      fail: (exchange, error) => fail(exchange, dialect, error),
    })
    const headers = headersOf(operation)
    const methods: RoutedMethod[] = operation.answersHead ? [operation.method, 'HEAD'] : [operation.method]
    return methods.map((method) => ({ method, path, dialect, isUnlimited, headers, serve }))
  }
  return (operations) => operations.flatMap(routesOf)
}

/** Adds the answer to preflights at each path that pages of other origins may call. It costs no place at the gate. */
export function preflightRoutes(operations: readonly Operation[]): Route[] {
  return [...listCrossOrigin(operations)].map(([path, methods]) => ({
    method: 'OPTIONS',
    path,
    dialect: 'common',
    isUnlimited: false,
    headers: preflightHeaders(methods),
    serve: (exchange) => respond(exchange, 204, undefined, null),
  }))
}
