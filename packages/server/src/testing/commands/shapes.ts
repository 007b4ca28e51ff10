import { userInfo } from 'node:os'

/** Shape of documents: a type or words, an object, `[shape of each]`, or `{ oneOf: [shapes] }`. */
export type Shape = string | readonly Shape[] | { readonly [member: string]: Shape }

const WORD = /^[A-Za-z][a-z]{1,19}([_.][a-z]+)*$/
/** More different words than this are no kinds or states of ours. */
const WORDS_MAX = 8

/** Member that holds a configuration in the words of its supplier, which are no words of ours. */
const CONFIGURATION = 'config'

/**
 * Returns the shape of all the values together. Members keep their order; one that some objects lack ends in `?`. Texts
 * that are single words, as states and kinds are, keep their value after `=`.
 */
export function shapeOf(values: readonly unknown[]): Shape {
  const lists = values.filter((value) => Array.isArray(value))
  const objects = values.filter((value): value is Record<string, unknown> => isObject(value))
  const types = new Set(
    values.filter((value) => !Array.isArray(value) && !isObject(value)).map((value) => typeOf(value)),
  )
  const words = [...types].filter((type) => type.startsWith('='))
  if (types.has('string') || words.length > WORDS_MAX) {
    types.add('string')
    for (const word of words) types.delete(word)
  }
  const shapes: Shape[] = [
    ...(types.size > 0 ? [[...types].sort().join(' | ')] : []),
    ...(lists.length > 0 ? [elementsOf(lists.flat())] : []),
    ...(objects.length > 0 ? [membersOf(objects)] : []),
  ]
  return shapes.length === 1 ? (shapes[0] ?? '') : { oneOf: shapes }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function elementsOf(elements: readonly unknown[]): Shape {
  return elements.length === 0 ? [] : [shapeOf(elements)]
}

function membersOf(objects: readonly Record<string, unknown>[]): Shape {
  const names = [...new Set(objects.flatMap((each) => Object.keys(each)))]
  return Object.fromEntries(
    names.map((name) => {
      const having = objects.filter((each) => name in each)
      if (name === CONFIGURATION) return [name, 'a configuration']
      return [having.length < objects.length ? `${name}?` : name, shapeOf(having.map((each) => each[name]))]
    }),
  )
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (typeof value !== 'string') return typeof value
  return WORD.test(value) && value !== userInfo().username ? `=${value}` : 'string'
}
