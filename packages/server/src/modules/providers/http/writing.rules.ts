import { createHash } from 'node:crypto'
import { isPlainAscii } from '../../../lib/input/fields.ts'
import { percentEncode, UnwritableValue } from '../language/filters.rules.ts'
import { renderText, renderValue } from '../language/template.rules.ts'
import type {
  BodyTemplate,
  OperationRequest,
  SecretReference,
  TextPart,
  TextSource,
  Values,
} from '../language/types.ts'
import type { HttpConfig } from './config.rules.ts'
import { encode } from './signing.rules.ts'

// Rules that write a request from its templates.

/** Means of writing a request. */
export type Writer = {
  readonly values: Values
  readonly secretOf: (reference: SecretReference) => string
  /** Called with each text that is as secret as what it was made of. */
  readonly onMade: (secret: string) => void
}

type Written = {
  readonly method: OperationRequest['method']
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** Throws UnwritableValue. */
export function writeRequest(
  config: Pick<HttpConfig, 'baseUrl' | 'headers'>,
  operation: OperationRequest,
  writer: Writer,
): Written {
  const headers = writeHeaders([...config.headers, ...operation.headers], writer)
  const contentType =
    operation.body.kind === 'json'
      ? { 'content-type': 'application/json' }
      : operation.body.kind === 'form'
        ? { 'content-type': 'application/x-www-form-urlencoded' }
        : {}
  return {
    method: operation.method,
    url: writeUrl(config.baseUrl, operation, writer),
    headers: { accept: 'application/json', ...contentType, ...headers },
    body: writeBody(operation.body, writer),
  }
}

/** Returns headers by lower-case name. Throws UnwritableValue. */
export function writeHeaders(
  headers: OperationRequest['headers'],
  writer: Writer,
): Readonly<Record<string, string>> {
  const written = headers.map(([name, source]) => {
    const text = textOf(source, writer)
    if (!isPlainAscii(text)) throw new UnwritableValue(`the header ${name} cannot hold its value`)
    return [name.toLowerCase(), text] as const
  })
  return Object.fromEntries(written)
}

/** Writes a text, without the forms that only JSON has. Throws UnwritableValue. */
export function textOf(source: TextSource, writer: Writer): string {
  const { values, secretOf, onMade } = writer
  const written = (part: TextPart) => ('secret' in part ? secretOf(part) : renderText(part, values))
  if ('parts' in source) return source.parts.map(written).join('')
  if (!('digest' in source)) return written(source)
  const content = source.of.map(written).join('')
  const text = encode(createHash(source.digest).update(content).digest(), source.encoding)
  if (source.of.some((part) => 'secret' in part)) onMade(text)
  return text
}

function writtenValue(source: TextSource, writer: Writer): ReturnType<typeof renderValue> {
  const isMade = 'secret' in source || 'parts' in source || 'digest' in source
  return isMade ? textOf(source, writer) : renderValue(source, writer.values)
}

function writeUrl(baseUrl: string, { path, query }: OperationRequest, writer: Writer): string {
  const base = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  const written = renderText(path, writer.values, (value) => {
    // `/orders/` or `/orders/..` would ask for something else.
    if (value === '' || /^\.{1,2}$/.test(value)) throw new UnwritableValue('a part of the path has no value')
    return percentEncode(value)
  })
  const parameters = formOf(query, writer)
  const text = `${baseUrl}${written}${parameters === '' ? '' : `?${parameters}`}`
  const full = URL.canParse(text) ? new URL(text) : undefined
  const expected = `${base?.pathname.replace(/\/+$/, '')}${written}`
  // The request must go where the configuration says, whatever the URL parser makes of the text.
  if (full === undefined || full.origin !== base?.origin || full.pathname !== expected) {
    throw new UnwritableValue('the path cannot be written')
  }
  return full.href
}

function writeBody(body: OperationRequest['body'], writer: Writer): string | undefined {
  switch (body.kind) {
    case 'none':
      return undefined
    case 'form':
      return formOf(body.fields, writer)
    case 'json':
      return jsonText(jsonOf(body.template, writer))
  }
}

function jsonText(json: unknown): string {
  return JSON.stringify(json === undefined ? {} : json)
}

export function formOf(fields: readonly (readonly [string, TextSource])[], writer: Writer): string {
  return fields
    .flatMap(([name, source]) => {
      const value = writtenValue(source, writer)
      return value === undefined ? [] : [`${percentEncode(name)}=${percentEncode(String(value ?? ''))}`]
    })
    .join('&')
}

function jsonOf(template: BodyTemplate, writer: Writer): unknown {
  if ('constant' in template) return template.constant
  if ('source' in template) return textOf(template.source, writer)
  if ('list' in template) return template.list.map((item) => jsonOf(item, writer) ?? null)
  if ('members' in template) {
    const members = template.members.map(([name, member]) => [name, jsonOf(member, writer)] as const)
    // An object of values that this order does not have is none itself.
    const isAbsent = members.length > 0 && members.every(([, value]) => value === undefined)
    return isAbsent ? undefined : Object.fromEntries(members)
  }
  return renderValue(template, writer.values)
}
