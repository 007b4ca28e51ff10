/** One exchange with the service, as it was recorded. */
export type OperationExample = {
  /** By name, from the path, the query and the headers. */
  readonly parameters?: Readonly<Record<string, unknown>>
  readonly request?: unknown
  /** By status. */
  readonly responses: Readonly<Record<string, unknown>>
}

/** By operation id. */
export type OperationExamples = Readonly<Record<string, OperationExample>>

/** `example` where there is one: null is a value too. */
export function withExample<T extends object>(described: T, values: object | undefined, name: string) {
  const isKnown = values !== undefined && Object.hasOwn(values, name)
  return isKnown ? { ...described, example: (values as Record<string, unknown>)[name] } : described
}
