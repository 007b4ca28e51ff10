/** Parameters by name; a repeated name gives an array. */
export type QueryParameters = Readonly<Record<string, string | readonly string[]>>

const NO_PARAMETERS: QueryParameters = Object.freeze(Object.create(null))

/** Form-decodes `a=1&b=2`; parameters without `=` are not read. */
export function parseQuery(query: string): QueryParameters {
  if (query === '') return NO_PARAMETERS
  const parameters: Record<string, string | string[]> = Object.create(null)
  for (const pair of query.split('&')) {
    const at = pair.indexOf('=')
    if (at < 0) continue
    const name = formDecode(pair.slice(0, at))
    const value = formDecode(pair.slice(at + 1))
    const earlier = parameters[name]
    if (earlier === undefined) parameters[name] = value
    else if (Array.isArray(earlier)) earlier.push(value)
    else parameters[name] = [earlier, value]
  }
  return parameters
}

/** Form-decodes a text; text that is not valid percent-encoded UTF-8 stays as it was sent. */
export function formDecode(text: string): string {
  return tryFormDecode(text) ?? text
}

/** Form-decodes a text; undefined when it is not valid percent-encoded UTF-8. */
export function tryFormDecode(text: string): string | undefined {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    return undefined
  }
}
