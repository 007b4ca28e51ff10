import { describe, expect, it } from 'vitest'
import type { JsonSchema } from '../openapi/openapi-schema.ts'
import { exampleOf, listFields } from './schema.ts'

const MONEY: JsonSchema = {
  title: 'Money',
  type: 'object',
  required: ['amount'],
  properties: {
    amount: { type: 'string', examples: ['10.00'] },
    currency: { type: 'string', default: 'MYR' },
  },
}
const SCHEMAS = { Money: MONEY }
const MONEY_REFERENCE = { $ref: '#/components/schemas/Money' }

function object(properties: Record<string, JsonSchema>): JsonSchema {
  return { type: 'object', required: Object.keys(properties), properties }
}

function linesOf(schema: JsonSchema): string[] {
  return listFields(schema, SCHEMAS).map(
    ({ path, type, required }) => `${path}: ${type}${required ? '' : '?'}`,
  )
}

describe('the fields of a schema', () => {
  it('are listed from the outside in, with their whole path', () => {
    const item = object({ code: { type: 'string' } })
    const schema = object({
      items: { type: 'array', items: item },
      products: { type: 'object', additionalProperties: item },
      limit: { type: 'integer' },
    })
    expect(linesOf(schema)).toEqual([
      'items: array of object',
      'items[].code: string',
      'products: map of object',
      'products.*.code: string',
      'limit: integer',
    ])
  })

  it('include those of shared schemas and of every variant', () => {
    const schema = object({
      price: { anyOf: [MONEY_REFERENCE, { type: 'null' }] },
      from: { anyOf: [object({ static: { type: 'string' } }), object({ from_field: { type: 'string' } })] },
    })
    expect(linesOf(schema)).toEqual([
      'price: Money or null',
      'price.amount: string',
      'price.currency: string?',
      'from: object',
      'from.static: string',
      'from.from_field: string',
    ])
  })

  it('say in words what a value must keep to', () => {
    const schema = object({
      refid: { type: 'string', minLength: 1, maxLength: 50 },
      page: { type: 'integer', minimum: 1, default: 1 },
      method: { type: 'string', enum: ['GET', 'POST'] },
      ids: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 50 },
    })
    expect(listFields(schema, {}).map(({ rules }) => rules.join('; '))).toEqual([
      '1 to 50 characters',
      'at least 1; default `1`',
      'one of `GET`, `POST`',
      '1 to 50 items',
    ])
  })
})

describe('the example of a schema', () => {
  it("uses the schema's own examples, constants and defaults", () => {
    const schema = object({ price: MONEY_REFERENCE, status_code: { type: 'number', const: 401 } })
    expect(exampleOf(schema, SCHEMAS)).toEqual({
      price: { amount: '10.00', currency: 'MYR' },
      status_code: 401,
    })
  })

  it('has a value of the right type for everything else', () => {
    const schema = object({
      name: { type: 'string' },
      at: { type: 'string', format: 'date-time' },
      count: { type: 'integer', minimum: 1 },
      on: { type: 'boolean' },
      tags: { type: 'array', items: { type: 'string' } },
      either: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      errors: { type: 'object', additionalProperties: { type: 'number' } },
    })
    expect(exampleOf(schema, {})).toEqual({
      name: 'string',
      at: '2026-01-31T08:00:00.000Z',
      count: 1,
      on: true,
      tags: ['string'],
      either: 'string',
      errors: { name: 0 },
    })
  })

  it('ends, even when a schema contains itself', () => {
    const node = object({ child: { $ref: '#/components/schemas/Node' } })
    expect(() => exampleOf(node, { Node: node })).not.toThrow()
    expect(() => listFields(node, { Node: node })).not.toThrow()
  })
})
