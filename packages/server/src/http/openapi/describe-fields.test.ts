import { describe, expect, it } from 'vitest'
import { documents } from '../../app/documents.ts'
import { describeFields } from './describe-fields.ts'
import type { JsonSchema } from './openapi-schema.ts'

/** Lists the properties within a value of a document that have no description. */
function undescribed(value: unknown, path: string): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    if (NO_SCHEMAS.has(key)) return []
    if (key !== 'properties') return undescribed(inner, `${path}/${key}`)
    return Object.entries(inner as Record<string, JsonSchema>).flatMap(([name, field]) => [
      ...(field.description === undefined ? [`${path}.${name}`] : []),
      ...undescribed(field, `${path}.${name}`),
    ])
  })
}

const NO_SCHEMAS = new Set(['example', 'examples', 'default', 'enum', 'const'])

it.each(Object.entries(documents()))('%s describes every property and every parameter', (_, document) => {
  expect(undescribed(document, '')).toEqual([])
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  const parameters = operations.flatMap(({ parameters = [] }) => parameters)
  expect(parameters.filter(({ description }) => description === undefined)).toEqual([])
})

describe('the description of a field', () => {
  const nothing: JsonSchema = { anyOf: [{ type: 'string' }, { type: 'null' }] }

  it('is its own, else that of its name, without the part about null where it is never null', () => {
    const own = { type: 'string', description: 'Own' }
    const described = describeFields({ Case: { properties: { refid: own, number: {}, closed_at: nothing } } })
    expect(described.Case?.properties).toMatchObject({
      refid: own,
      number: { description: 'Number of the case, such as C-2026-000123' },
      closed_at: { description: 'When it was closed; null: it is open' },
    })
    const never = describeFields({ Case: { properties: { closed_at: { type: 'string' } } } })
    expect(never.Case?.properties?.closed_at?.description).toBe('When it was closed')
  })

  it('is the one for the field or the schema around it, where there is one', () => {
    const type = { properties: { type: {} } }
    const { Any, Health } = describeFields({
      Any: { properties: { discount: { anyOf: [type] }, list: { items: type } } },
      Health: { properties: { status: {} } },
    })
    expect(Any?.properties?.discount?.anyOf?.[0]?.properties?.type?.description).toMatch(/^percentage/)
    expect(Any?.properties?.list).toMatchObject({
      items: { properties: { type: { description: 'Type of the event' } } },
    })
    expect(Health?.properties?.status?.description).toMatch(/^ok/)
  })
})
