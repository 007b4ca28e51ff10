import type { TObject, TProperties } from 'typebox'
import { Type } from 'typebox'
import type { Act } from './types.ts'

/** Part of an operation that follows from its act: the schemas of path and body, and how they are read. */
export type ActWire = {
  readonly params?: TObject
  readonly body?: TObject
  readonly read: (
    params: Readonly<Record<string, unknown>> | undefined,
    body: Readonly<Record<string, unknown>> | undefined,
  ) => Readonly<Record<string, unknown>>
}

/**
 * Derives the schemas of an operation from its act: members named in the path are its parameters, the others its body.
 */
export function wireOf<World, Input, Result>(
  { input }: Act<World, Input, Result>,
  row: {
    readonly path: string
    /** Names in the path that differ from the wire's names of their members. */
    readonly pathNames?: Readonly<Record<string, string>> | undefined
    /** Makes the body of its members; left out: there is no body. */
    readonly bodyOf?: ((properties: TProperties) => TObject) | undefined
    /** Members that no client may give. */
    readonly without?: readonly (keyof Input & string)[] | undefined
  },
): ActWire {
  const inPath = [...row.path.matchAll(/:(\w+)/g)].map(
    ([, name = '']) => [name, row.pathNames?.[name] ?? name] as const,
  )
  const without: readonly string[] = row.without ?? []
  const names = Object.keys(input.members).filter((name) => !without.includes(name))
  const schemas = names.length === 0 ? {} : input.properties(...(names as (keyof Input & string)[]))
  const params = inPath.flatMap(([name, wire]) => {
    const schema = schemas[wire]
    return schema === undefined ? [] : [[name, schema] as const]
  })
  const isInPath = new Set(inPath.map(([, wire]) => wire))
  const inBody = Object.entries(schemas).filter(([wire]) => !isInPath.has(wire))
  return {
    ...(params.length > 0 && { params: Type.Object(Object.fromEntries(params)) }),
    ...(row.bodyOf !== undefined && { body: row.bodyOf(Object.fromEntries(inBody)) }),
    read: (given, body) => ({
      ...body,
      ...Object.fromEntries(inPath.map(([name, wire]) => [wire, given?.[name]])),
    }),
  }
}
