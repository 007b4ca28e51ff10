import type { TSchema } from 'typebox'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { documentedOperations } from '../../app/operations.ts'
import type { Operation, OperationSchemas } from '../operation.ts'
import { anyone, operation } from '../operation.ts'
import type { OpenApiDocument, OpenApiOperation } from './openapi.ts'
import { buildOpenApi } from './openapi.ts'

const OPTIONS = { version: '1.2.3', serverUrl: 'https://api.example.com', environment: 'staging' } as const

async function somebody(): Promise<never> {
  throw new Error('never called')
}

type Sample = Partial<
  Pick<Operation, 'method' | 'path' | 'dialect' | 'authenticate' | 'ownBody' | 'also' | 'never'>
> & {
  id?: string
  successor?: string
  hidden?: true
  schemas?: OperationSchemas
}

function sample(given: Sample = {}): Operation {
  return operation({
    method: given.method ?? 'GET',
    path: given.path ?? '/v2/things',
    docs: {
      operationId: given.id ?? 'listThings',
      summary: 'Things',
      tag: 'Things',
      ...(given.successor !== undefined && { successor: given.successor }),
      ...(given.hidden && { hidden: given.hidden }),
    },
    schemas: given.schemas ?? { responses: { 200: Type.Object({}) } },
    authenticate: given.authenticate ?? somebody,
    ...(given.ownBody && { ownBody: given.ownBody }),
    ...(given.dialect && { dialect: given.dialect }),
    ...(given.also && { also: given.also }),
    ...(given.never && { never: given.never }),
    handle: somebody,
  })
}

function build(...operations: Operation[]): OpenApiDocument {
  return buildOpenApi(operations, OPTIONS)
}

/** Returns the only operation of a document. */
function only(document: OpenApiDocument) {
  const [operation] = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  if (operation === undefined) throw new Error('the document has no operation')
  return operation
}

function bodySchema(schema: OperationSchemas['body']) {
  const schemas = { ...(schema !== undefined && { body: schema }), responses: { 200: Type.Object({}) } }
  const document = build(sample({ method: 'POST', schemas }))
  const described = only(document).requestBody?.content['application/json']?.schema
  // A body without a title has the name of its operation.
  return described?.$ref === '#/components/schemas/ListThingsRequest'
    ? document.components.schemas.ListThingsRequest
    : described
}

/** Checks every rule of OpenAPI 3.1 that our documents could break, and returns the broken ones. */
function problemsOf(document: OpenApiDocument): string[] {
  const placed = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const ids = placed.map(({ operation }) => operation.operationId)
  const tags = new Set(document.tags.map((tag) => tag.name))
  const schemes = document.security.flatMap((requirement) => Object.keys(requirement))
  return [
    ...repeatsIn(ids).map((id) => `operation id ${id} twice`),
    ...placed.flatMap(({ operation }) => operation.tags.filter((tag) => !tags.has(tag))),
    ...placed.flatMap(({ path, method, operation }) => operationProblems(path, method, operation)),
    ...schemes.filter((name) => document.components.securitySchemes[name] === undefined),
    ...Object.keys(document.components.schemas).filter((name) => !/^[A-Za-z0-9._-]+$/.test(name)),
    ...brokenReferences(document),
  ]
}

function operationProblems(path: string, method: string, operation: OpenApiOperation): string[] {
  const named = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
  const parameters = operation.parameters ?? []
  const inPath = parameters.filter((parameter) => parameter.in === 'path')
  const responses = Object.entries(operation.responses)
  const broken: Record<string, boolean> = {
    'is no path template': !/^\/[^:]*$/.test(path),
    'does not declare the parameters of its path': `${inPath.map(({ name }) => name)}` !== `${named}`,
    'has an optional parameter in its path': inPath.some(({ required }) => !required),
    'has a parameter twice': repeatsIn(parameters.map((each) => `${each.in} ${each.name}`)).length > 0,
    'has a body that is never read': /get|delete/.test(method) && operation.requestBody !== undefined,
    'has an impossible status': responses.some(([status]) => !/^([1-5]\d\d|default)$/.test(status)),
    'has an answer without a description': responses.some(([, response]) => response.description === ''),
  }
  return Object.keys(broken)
    .filter((problem) => broken[problem])
    .map((problem) => `${method} ${path} ${problem}`)
}

function repeatsIn(names: readonly string[]): string[] {
  return names.filter((name, index) => names.indexOf(name) !== index)
}

function brokenReferences(document: OpenApiDocument): string[] {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map((match) =>
    String(match[1]),
  )
  return references.filter((reference) => {
    if (!reference.startsWith('#/')) return true
    let value: unknown = document
    for (const part of reference.slice(2).split('/')) value = (value as Record<string, unknown>)?.[part]
    return value === undefined
  })
}

describe('the OpenAPI document', () => {
  it("keeps the rules of OpenAPI 3.1 for the service's own operations", () => {
    const document = buildOpenApi(documentedOperations(), OPTIONS)
    expect(Object.keys(document.paths)).toContain('/v2/balance')
    expect(problemsOf(document)).toEqual([])
  })

  it('keeps them for parameters, bodies and shared schemas of every kind', () => {
    const schemas = {
      params: Type.Object({ thingId: Type.String() }),
      query: Type.Object({ limit: Type.String() }),
      body: Type.Object({ at: Type.Object({ x: Type.Number() }, { title: 'A place' }) }),
      responses: { 200: Type.Object({}), 204: Type.Null() },
    }
    const document = build(sample({ method: 'POST', path: '/v2/things/:thingId/parts/:partId', schemas }))
    expect(problemsOf(document)).toEqual([])
    expect(Object.keys(document.components.schemas)).toEqual([
      'APlace',
      'Forbidden',
      'ListThingsRequest',
      'ListThingsResponse',
      'Problem',
      'Unauthorized',
    ])
  })

  it('is the same, byte for byte, for the same operations', () => {
    const text = () => JSON.stringify(buildOpenApi(documentedOperations(), OPTIONS))
    expect(text()).toBe(text())
  })

  it('is plain JSON', () => {
    const document = buildOpenApi(documentedOperations(), OPTIONS)
    expect(JSON.parse(JSON.stringify(document))).toEqual(document)
    expect(JSON.stringify(document)).not.toContain('"~')
  })

  it('leaves hidden operations out, and their tags and schemas too', () => {
    const document = build(
      sample({ hidden: true, schemas: { responses: { 200: Type.Object({}, { title: 'Thing' }) } } }),
    )
    expect(document.paths).toEqual({})
    expect(document.tags).toEqual([])
    expect(document.components.schemas).toEqual({})
  })

  it('asks for all four signing headers together or for a token, except where anyone may call', () => {
    const document = build(sample(), sample({ path: '/healthz', id: 'getHealth', authenticate: anyone }))
    expect(document.security.map((each) => Object.keys(each))).toEqual([
      ['apiKey', 'timestamp', 'nonce', 'signature'],
      ['bearerAuth'],
    ])
    expect(document.paths['/v2/things']?.get).not.toHaveProperty('security')
    expect(document.paths['/healthz']?.get?.security).toEqual([])
  })

  it('says of each parameter where it is, what it means and whether it must be there', () => {
    const schemas = {
      params: Type.Object({ jobId: Type.String({ description: 'Its id' }) }),
      query: Type.Object({ date: Type.String({ minLength: 1 }), page: Type.Optional(Type.String()) }),
      responses: { 200: Type.Object({}) },
    }
    const document = build(sample({ path: '/v2/jobs/:jobId', schemas }))
    expect(document.paths['/v2/jobs/{jobId}']?.get?.parameters).toEqual([
      { name: 'jobId', in: 'path', required: true, description: 'Its id', schema: { type: 'string' } },
      { name: 'date', in: 'query', required: true, schema: { type: 'string', minLength: 1 } },
      { name: 'page', in: 'query', required: false, schema: { type: 'string' } },
    ])
  })

  it('writes a parameter whose name has several words as one parameter', () => {
    const schemas = { params: Type.Object({ order_id: Type.String() }), responses: { 200: Type.Object({}) } }
    const document = build(sample({ path: '/v2/orders/:order_id/confirm', schemas }))
    expect(Object.keys(document.paths)).toEqual(['/v2/orders/{order_id}/confirm'])
  })

  it('offers a form beside JSON only where the operation says that it takes one', () => {
    const schemas = { body: Type.Object({ name: Type.String() }), responses: { 200: Type.Object({}) } }
    const types = (ownBody?: Operation['ownBody']) => {
      const given = { method: 'POST', schemas, ...(ownBody && { ownBody }) } as const
      return Object.keys(only(build(sample(given))).requestBody?.content ?? {})
    }
    expect(types()).toEqual(['application/json'])
    expect(types('json')).toEqual(['application/json'])
    expect(types('json_or_form')).toEqual(['application/json', 'application/x-www-form-urlencoded'])
  })

  it('lets a body be left out when nothing in it is required', () => {
    const isRequired = (body: OperationSchemas['body']) => {
      const schemas = { ...(body && { body }), responses: { 200: Type.Object({}) } }
      return only(build(sample({ method: 'POST', schemas }))).requestBody?.required
    }
    expect(isRequired(Type.Object({ name: Type.String() }))).toBe(true)
    expect(isRequired(Type.Object({ name: Type.Optional(Type.String()) }))).toBe(false)
  })

  const statusesOf = (given: Sample) => Object.keys(only(build(sample(given))).responses)

  it('has the errors that follow from the caller', () => {
    expect(statusesOf({})).toEqual(['200', '401', '403', '503', '504', 'default'])
    expect(statusesOf({ authenticate: anyone })).toEqual(['200', '403', 'default'])
    expect(statusesOf({ authenticate: anyone, method: 'POST' })).toEqual([
      '200',
      '403',
      '429',
      '503',
      '504',
      'default',
    ])
  })

  it('has the refusals of a body wherever one is read, by the edge or by its operation', () => {
    const schemas = { body: Type.Object({ name: Type.String() }), responses: { 200: Type.Object({}) } }
    const refusals = ['200', '400', '401', '403', '413', '415', '503', '504', 'default']
    expect(statusesOf({ schemas, method: 'POST' })).toEqual(refusals)
    expect(statusesOf({ schemas, method: 'POST', ownBody: 'json' })).toEqual(refusals)
    expect(statusesOf({ schemas, method: 'GET' })).toEqual(['200', '401', '403', '503', '504', 'default'])
  })

  it('has the refusal of a query wherever there are parameters', () => {
    const query = Type.Object({ quiet: Type.Optional(Type.String()) })
    const schemas = { query, responses: { 200: Type.Object({}) } }
    expect(statusesOf({ schemas, authenticate: anyone })).toEqual(['200', '400', '403', 'default'])
  })

  it('has 404 wherever the path has names, and 400 wherever their schema refuses some', () => {
    const statuses = (id: TSchema) => {
      const schemas = { params: Type.Object({ id }), responses: { 200: Type.Object({}) } }
      return statusesOf({ path: '/v2/things/:id', schemas, authenticate: anyone })
    }
    for (const refusing of [
      Type.String({ maxLength: 64 }),
      Type.String({ pattern: '^\\d+$' }),
      Type.Literal('a'),
    ]) {
      expect(statuses(refusing)).toEqual(['200', '400', '403', '404', 'default'])
    }
    expect(statuses(Type.String())).toEqual(['200', '403', '404', 'default'])
  })

  it('has what an operation adds, and lacks what it never answers with', () => {
    const given = { also: [409, 429], never: [401, 504] } as const
    expect(statusesOf(given)).toEqual(['200', '403', '409', '429', '503', 'default'])
    expect(() => statusesOf({ also: [408] })).toThrow('no documented error for status 408')
  })

  it("gives errors the form of the operation's dialect", () => {
    const names = (given: Sample) =>
      Object.keys(build(sample({ ...given, authenticate: anyone, also: [401] })).components.schemas)
    expect(names({})).toContain('Unauthorized')
    expect(names({ dialect: 'token' })).toContain('TokenRefusal')
    expect(names({ dialect: 'coded' })).toEqual(['CodedProblem', 'ListThingsResponse'])
  })

  it('names the headers of every answer, and Retry-After where waiting may help', () => {
    const { responses } = only(build(sample({ also: [400, 429] })))
    const everywhere = ['X-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']
    for (const [status, response] of Object.entries(responses)) {
      const waits = ['403', '429', '503'].includes(status) ? ['Retry-After'] : []
      expect(Object.keys(response.headers)).toEqual([...everywhere, ...waits])
    }
  })

  it('marks a deprecated operation, its successor and the headers that say so', () => {
    const deprecated = only(build(sample({ successor: '/v2/catalog' })))
    expect(deprecated).toMatchObject({ deprecated: true, 'x-successor': '/v2/catalog' })
    expect(Object.keys(deprecated.responses['200']?.headers ?? {})).toEqual(
      expect.arrayContaining(['Deprecation', 'Link']),
    )
    expect(only(build(sample()))).not.toHaveProperty('deprecated')
  })

  it('gives an answer without a body no content, and a page its own type', () => {
    const page = Type.String({ contentMediaType: 'text/html' })
    const { responses } = only(build(sample({ schemas: { responses: { 200: page, 204: Type.Null() } } })))
    expect(Object.keys(responses['200']?.content ?? {})).toEqual(['text/html'])
    expect(responses['204']).not.toHaveProperty('content')
  })
})

describe('schemas in the document', () => {
  it('schemas in the document with a title are shared, and each use keeps its own description', () => {
    const { responses } = only(build(sample({ also: [400, 404] })))
    const reference = { schema: { $ref: '#/components/schemas/Problem' } }
    expect(responses['400']?.content?.['application/json']).toEqual(reference)
    expect(responses['404']?.content?.['application/json']).toEqual(reference)
    expect(responses['404']?.description).toBe('Unknown')
    const money = (description: string) => Type.Object({}, { title: 'Money', description })
    expect(
      bodySchema(Type.Object({ price: money('Sold for'), cost: money('Bought for') }))?.properties,
    ).toEqual({
      price: { $ref: '#/components/schemas/Money', description: 'Sold for' },
      cost: { $ref: '#/components/schemas/Money', description: 'Bought for' },
    })
  })

  it('are refused when two different ones have one title', () => {
    const titled = (schema: OperationSchemas['body']) => ({ ...schema, title: 'Money' })
    const body = Type.Object({ a: titled(Type.String()) as never, b: titled(Type.Number()) as never })
    expect(() => bodySchema(body)).toThrow('two different schemas are called "Money"')
  })

  it('may have fields that are called like keywords', () => {
    const items = Type.Number({ description: 'How many' })
    const body = Type.Object({ title: Type.String(), items, $ref: Type.String() })
    expect(bodySchema(body)).toEqual({
      type: 'object',
      required: ['title', 'items', '$ref'],
      properties: {
        title: { type: 'string' },
        items: { type: 'number', description: 'How many' },
        $ref: { type: 'string' },
      },
    })
  })

  it('are spelt in the words that tools understand: enumerations, maps and tuples', () => {
    const body = Type.Object({
      kind: Type.Union([Type.Literal('a'), Type.Literal('b')], { description: 'Which' }),
      loose: Type.Union([Type.Literal('a'), Type.Null()]),
      map: Type.Record(Type.String(), Type.Number()),
      pair: Type.Tuple([Type.String(), Type.Number()]),
    })
    expect(bodySchema(body)?.properties).toMatchObject({
      kind: { type: 'string', enum: ['a', 'b'], description: 'Which' },
      loose: { anyOf: [{ const: 'a' }, { type: 'null' }] },
      map: { type: 'object', additionalProperties: { type: 'number' } },
      pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] },
    })
  })
})

describe('a list of operations that cannot be documented', () => {
  it('is refused when two have one id', () => {
    expect(() => build(sample(), sample({ path: '/v2/others' }))).toThrow(
      'two operations are called listThings',
    )
  })

  it('is refused when two have one method and path', () => {
    expect(() => build(sample(), sample({ id: 'again' }))).toThrow('two operations are GET /v2/things')
  })
})
