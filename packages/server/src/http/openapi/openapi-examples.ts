/** Recorded exchange with the service. */
export type OperationExample = {
  /** Values by name, from the path, the query and the headers. */
  readonly parameters?: Readonly<Record<string, unknown>>
  readonly request?: unknown
  /** Bodies by status. */
  readonly responses: Readonly<Record<string, unknown>>
}

/** Examples by operation id. */
export type OperationExamples = Readonly<Record<string, OperationExample>>

/** Adds `example` where there is one; null is a valid value. */
export function withExample<T extends object>(described: T, values: object | undefined, name: string) {
  const isKnown = values !== undefined && Object.hasOwn(values, name)
  return isKnown ? { ...described, example: (values as Record<string, unknown>)[name] } : described
}
