import { Check, Errors } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import type { OpenApiDocument, OpenApiOperation } from '../http/openapi/openapi.ts'
import type { JsonSchema } from '../http/openapi/openapi-schema.ts'
import { SCHEMA_REFERENCE_PREFIX } from '../http/openapi/openapi-schema.ts'
import { documents } from './documents.ts'

const SUMMARY_LENGTH_MAX = 60
/** Content types whose examples are shown: pages, pictures and print files have none that people read in a document. */
const SHOWN_TYPES = new Set(['application/json', 'text/csv'])

const ALL = documents()
const RESELLER = ALL.openapi as OpenApiDocument

function listed(document: OpenApiDocument): OpenApiOperation[] {
  return Object.values(document.paths).flatMap((methods) => Object.values(methods))
}

/** Lists every place of a document where a value is described, with its example. */
function described(document: OpenApiDocument) {
  return listed(document).flatMap(({ operationId, requestBody, responses, parameters = [] }) => [
    ...Object.entries(requestBody?.content ?? {})
      .filter(([type]) => SHOWN_TYPES.has(type))
      .map(([, content]) => ({ place: `${operationId} request`, content })),
    ...Object.entries(responses)
      .filter(([status]) => status.startsWith('2'))
      .flatMap(([status, { content = {} }]) =>
        Object.entries(content)
          .filter(([type]) => SHOWN_TYPES.has(type))
          .map(([, each]) => ({ place: `${operationId} ${status}`, content: each })),
      ),
    ...parameters
      .filter(({ example }) => example !== undefined)
      .map((parameter) => ({ place: `${operationId} ?${parameter.name}`, content: parameter })),
  ])
}

/**
 * Validates a value against a schema, with no member but the declared ones. It is not compiled: that would take the
 * shared schemas with it for each of some hundred values.
 */
function problemsOf(document: OpenApiDocument, schema: JsonSchema, value: unknown): unknown[] {
  const given = [sharedOf(document), closed(schema), value] as unknown as Parameters<typeof Check>
  return Check(...given) ? [] : Errors(...given)
}

const shared = new WeakMap<OpenApiDocument, object>()

function sharedOf(document: OpenApiDocument): object {
  const known = shared.get(document) ?? closed(document.components.schemas)
  shared.set(document, known as object)
  return known as object
}

function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed)
  if (typeof value !== 'object' || value === null) return value
  const { $ref, example: _, examples: __, ...rest } = value as Record<string, unknown>
  if (typeof $ref === 'string') return { $ref: $ref.slice(SCHEMA_REFERENCE_PREFIX.length) }
  const schema = Object.fromEntries(Object.entries(rest).map(([name, part]) => [name, closed(part)]))
  const isOpen = schema.type === 'object' && schema.additionalProperties === undefined
  return isOpen ? { ...schema, additionalProperties: false } : schema
}

describe.each(Object.entries(ALL))('the document %s', (_, document) => {
  it('has an example of every request and of every answer that succeeds', () => {
    const without = described(document).filter(({ content }) => content.example === undefined)
    expect(without.map(({ place }) => place)).toEqual([])
  })

  it('has examples that keep to their schemas', () => {
    const wrong = described(document).flatMap(({ place, content }) =>
      content.example === undefined
        ? []
        : problemsOf(document, content.schema, content.example).map((problem) => ({ place, problem })),
    )
    expect(wrong).toEqual([])
  })

  it('has summaries that fit a menu', () => {
    const long = listed(document).filter(({ summary }) => summary.length > SUMMARY_LENGTH_MAX)
    expect(long.map(({ summary }) => summary)).toEqual([])
  })

  it('names every object that is sent or answered, and names none of them twice', () => {
    const nameless = described(document).filter(
      ({ content: { schema } }) => schema.type === 'object' && schema.properties !== undefined,
    )
    expect(nameless.map(({ place }) => place)).toEqual([])
    const byMeaning = new Map<string, string[]>()
    for (const [name, { title: __, ...schema }] of Object.entries(document.components.schemas)) {
      const meaning = JSON.stringify(schema)
      byMeaning.set(meaning, [...(byMeaning.get(meaning) ?? []), name])
    }
    expect([...byMeaning.values()].filter((names) => names.length > 1)).toEqual([])
  })

  it('says of no parameter in words that it is required, and leaves it optional', () => {
    const spoken = listed(document).flatMap(({ operationId, parameters = [] }) =>
      parameters
        .filter(({ required, description = '' }) => !required && /^required(?! for)/i.test(description))
        .map(({ name }) => `${operationId} ${name}`),
    )
    expect(spoken).toEqual([])
  })
})

/** Lists every value of a schema that a client sends and whose size nothing limits, by its path. */
function unboundedIn(
  document: OpenApiDocument,
  given: JsonSchema,
  path: string,
  seen: readonly string[] = [],
): string[] {
  const { $ref } = given
  if ($ref !== undefined && seen.includes($ref)) return []
  const schema =
    $ref === undefined
      ? given
      : (document.components.schemas[$ref.slice(SCHEMA_REFERENCE_PREFIX.length)] ?? {})
  const within = (each: JsonSchema, name: string) =>
    unboundedIn(document, each, `${path}${name}`, $ref === undefined ? seen : [...seen, $ref])
  const { items, additionalProperties, properties = {} } = schema
  return [
    ...(isBounded(schema) ? [] : [path]),
    ...Object.entries(properties).flatMap(([name, each]) => within(each as JsonSchema, `.${name}`)),
    ...(typeof items === 'object' ? within(items as JsonSchema, '[]') : []),
    ...(typeof additionalProperties === 'object' ? within(additionalProperties as JsonSchema, '{}') : []),
    ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap((each) => within(each, '')),
  ]
}

function isBounded(schema: JsonSchema): boolean {
  const has = (...keywords: string[]) => keywords.some((keyword) => keyword in schema)
  if (has('const', 'enum', '$ref')) return true
  switch (schema.type) {
    case 'string':
      return has('maxLength', 'pattern', 'format')
    case 'integer':
    case 'number':
      return has('minimum', 'exclusiveMinimum') && has('maximum', 'exclusiveMaximum')
    case 'array':
      return has('maxItems') || (typeof schema.items === 'object' && 'enum' in schema.items)
    case undefined:
      return has('anyOf', 'oneOf')
    default:
      return true
  }
}

describe.each(Object.entries(ALL))('a request in the document %s', (_, document) => {
  it('is bounded everywhere: lengths, forms, words and ranges', () => {
    const unbounded = listed(document).flatMap(({ operationId, parameters = [], requestBody }) => [
      ...parameters.flatMap(({ name, schema }) => unboundedIn(document, schema, `${operationId} ${name}`)),
      ...Object.values(requestBody?.content ?? {}).flatMap(({ schema }) =>
        unboundedIn(document, schema, `${operationId} body`),
      ),
    ])
    expect(unbounded).toEqual([])
  })
})

describe("the resellers' document", () => {
  it.each([
    ['/v2/transactions', 'get', ['limit', 'date']],
    ['/v2/balance-statement', 'get', ['date']],
    ['/v2/networkstatus', 'get', ['product']],
    ['/v2/options', 'get', ['product_code', 'field_id']],
    ['/v2/subproducts', 'get', ['product_code']],
    ['/v2/bill-presentment', 'get', ['account', 'product']],
    ['/v2/callback-url', 'post', ['url', 'method']],
    ['/v2/low-balance-threshold', 'post', ['amount']],
    ['/v2/test-clock', 'post', ['advance_seconds']],
  ])('%s %s requires %j', (path, method, names) => {
    const parameters = RESELLER.paths[path]?.[method]?.parameters ?? []
    expect(parameters.filter(({ required }) => required).map(({ name }) => name)).toEqual(names)
  })

  it('takes limits from the rules that read the parameters', () => {
    const parameters = RESELLER.paths['/v2/transactions']?.get?.parameters ?? []
    expect(parameters.find(({ name }) => name === 'limit')?.schema).toEqual({
      type: 'integer',
      minimum: 1,
      maximum: 1_000,
    })
    expect(parameters.find(({ name }) => name === 'status')?.schema).toMatchObject({
      type: 'array',
      items: { enum: ['SUCCESSFUL', 'PENDING', 'FAILED', 'REFUND'] },
    })
  })

  it.each([
    'Payment',
    'PaymentRequest',
    'Product',
    'Option',
    'Field',
    'HistoryRecord',
    'StatementEntry',
    'Event',
  ])('has a schema called %s', (name) => {
    expect(RESELLER.components.schemas[name]).toBeDefined()
  })

  it('tells events apart by their type', () => {
    const { oneOf = [], discriminator } = RESELLER.components.schemas.Event ?? {}
    expect(discriminator?.propertyName).toBe('type')
    expect(new Set(Object.values(discriminator?.mapping ?? {}))).toEqual(
      new Set(oneOf.map(({ $ref }) => $ref)),
    )
    expect(discriminator?.mapping).toMatchObject({
      'payment.succeeded': `${SCHEMA_REFERENCE_PREFIX}PaymentEvent`,
      'balance.low': `${SCHEMA_REFERENCE_PREFIX}BalanceEvent`,
      'option.deleted': `${SCHEMA_REFERENCE_PREFIX}OptionEvent`,
    })
  })

  it('shows the 401 of the token operations as they word it', () => {
    for (const path of ['/v2/token', '/v2/token/refresh']) {
      const schema = RESELLER.paths[path]?.post?.responses['401']?.content?.['application/json']?.schema
      expect(schema?.$ref).toBe(`${SCHEMA_REFERENCE_PREFIX}TokenRefusal`)
    }
  })

  it('describes what receivers are sent, with headers and an example that keeps to its schema', () => {
    const webhooks = RESELLER.webhooks ?? {}
    expect(Object.entries(webhooks).map(([name, methods]) => [name, Object.keys(methods)])).toEqual([
      ['transactionCallback', ['post', 'get']],
      ['catalogChange', ['post']],
      ['balanceChange', ['post']],
      ['orderEnd', ['post']],
    ])
    for (const { operationId, parameters, requestBody } of Object.values(webhooks).flatMap((methods) =>
      Object.values(methods),
    )) {
      const required = parameters.filter((each) => each.required && each.in === 'header')
      expect(required.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['webhook-id', 'webhook-timestamp', 'webhook-signature']),
      )
      const examples = [...required, ...(requestBody ? [requestBody.content['application/json']] : [])]
      for (const { schema, example } of examples) {
        expect(problemsOf(RESELLER, schema, example), operationId).toEqual([])
      }
    }
  })
})
