import type { TObject, TProperties } from 'typebox'
import { Type } from 'typebox'
import { wireName } from '../../lib/input/fields.ts'
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
    /** Makes the body of its members; left out: there is no body. */
    readonly bodyOf?: ((properties: TProperties) => TObject) | undefined
    /** Members that no client may give. */
    readonly without?: readonly (keyof Input & string)[] | undefined
  },
): ActWire {
  const inPath = new Set([...row.path.matchAll(/:(\w+)/g)].map(([, name]) => name))
  const without: readonly string[] = row.without ?? []
  const names = Object.keys(input.members).filter((name) => !without.includes(name))
  const isInPath = (name: string) => inPath.has(wireName(name))
  const propertiesOf = (some: readonly string[]) =>
    some.length === 0 ? {} : input.properties(...(some as (keyof Input & string)[]))
  const bodyNames = names.filter((name) => !isInPath(name))
  return {
    ...(inPath.size > 0 && { params: Type.Object(propertiesOf(names.filter(isInPath))) }),
    ...(row.bodyOf !== undefined && { body: row.bodyOf(propertiesOf(bodyNames)) }),
    read: (params, body) => ({ ...body, ...params }),
  }
}
