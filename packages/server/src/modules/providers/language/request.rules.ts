import { readTarget, refusalOfAddress } from '../../../outbound/targets.rules.ts'
import type { Found, Reader, Seen } from './reading.rules.ts'
import { below, complain, entriesOf, needed, oneOf, optional, text } from './reading.rules.ts'
import { bodyTemplate, headers, template, textSource } from './sources.rules.ts'
import type { OperationRequest, Template, Vocabulary } from './types.ts'

// Reads the part of a configuration about requests.

/** Reads an https URL; http is accepted for addresses that only local work can reach. */
export const url: Reader<string> = (value, site) => {
  const written = text(value, site)
  if (written === '') return ''
  const reading = readTarget(written)
  if (!reading.ok) return complain(site, reading.problem, '')
  const { origin, path, literal } = reading.target
  const isLocal =
    /^http:\/\/localhost(:|$)/.test(origin) ||
    (literal !== undefined && refusalOfAddress(literal, []) !== undefined)
  if (origin.startsWith('http:') && !isLocal) return complain(site, 'must begin with https://', '')
  // The parsed target does not show an empty query, so the text is checked.
  if (written.includes('?')) return complain(site, 'must carry no query', '')
  if (/[\s\p{Cc}]/u.test(written)) return complain(site, 'must have no spaces', '')
  return `${origin}${path}`
}

// ── Operations ──

/** Members of an operation that describe its request. */
export function requestMembers(words: Vocabulary) {
  const fields = entriesOf(textSource(words, true))
  return {
    method: needed(oneOf('GET', 'POST', 'PUT', 'PATCH', 'DELETE'), 'POST'),
    path: needed(pathTemplate(words), []),
    query: optional(fields, []),
    headers: optional(headers(words), []),
    body: optional(bodyTemplate(words), { constant: null }),
    form: optional(fields, []),
  }
}

/** Makes the request of what its members say. */
export function requestOf(found: Found<ReturnType<typeof requestMembers>>, seen: Seen): OperationRequest {
  const { method, path, query, headers: sent } = found
  const body = bodyOf(found, seen)
  if (method === 'GET' && body.kind !== 'none') {
    complain(below(seen.site, body.kind === 'json' ? 'body' : 'form'), 'a GET request has no body', 0)
  }
  return { method, path, query, headers: sent, body }
}

function bodyOf(
  { body, form }: Found<ReturnType<typeof requestMembers>>,
  { site, has }: Seen,
): OperationRequest['body'] {
  if (has('body') && has('form')) complain(below(site, 'form'), 'there is a body already', 0)
  if (has('form')) return { kind: 'form', fields: form }
  return has('body') ? { kind: 'json', template: body } : { kind: 'none' }
}
/** Reads a path whose segments are fixed, or values that cannot leave their segment: they are encoded when written. */
function pathTemplate(words: Vocabulary): Reader<Template> {
  const readText = template(words)
  return (value, site) => {
    const parts = readText(value, site)
    if (typeof value !== 'string' || parts.length === 0) return parts
    const fixed = value.replace(/\{\{[^{}]*\}\}/g, 'x')
    if (!fixed.startsWith('/') || fixed.startsWith('//')) {
      return complain(site, 'must begin with one slash: it lies below base_url', [])
    }
    if (/[?#\\]/.test(fixed)) return complain(site, 'must have no ?, # or \\; parameters go to "query"', [])
    // The URL parser also takes %2e for a dot.
    if (/\/(\.|%2e){1,2}(\/|$)/i.test(fixed)) return complain(site, 'must not leave base_url', [])
    // A path that the URL parser writes differently would be refused with each order.
    const isWritten = new URL(`https://host.example${fixed}`).pathname === fixed
    if (!isWritten || !/^[\x21-\x7e]*$/.test(fixed)) return complain(site, 'must be percent-encoded', [])
    return parts
  }
}
