import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import type { RequestError } from '../lib/errors.ts'
import { compileValidation } from './validation.ts'

const validate = compileValidation(
  Type.Object({ name: Type.String(), list: Type.Array(Type.String()) }, { additionalProperties: false }),
)

function refusalOf(text: string): RequestError {
  try {
    validate(JSON.parse(text))
  } catch (error) {
    return error as RequestError
  }
  throw new Error('nothing was refused')
}

describe('a body that breaks its schema', () => {
  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf', 'prototype'])(
    'a body that breaks its schema by a member %s is a 400 that names it, and nothing else is changed',
    (name) => {
      const before = Object.getOwnPropertyNames(Object.prototype)
      const { status, fields } = refusalOf(`{"name":"a","list":[],"${name}":1}`)
      expect(status).toBe(400)
      expect(JSON.stringify(fields)).toContain(name)
      expect(Object.getPrototypeOf(fields)).toBe(null)
      expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before)
    },
  )

  it('a body that breaks its schema in thousands of places is told some of them', () => {
    const { fields } = refusalOf(JSON.stringify({ name: 'a', list: Array(10_000).fill(1) }))
    expect(Object.keys(fields ?? {}).length).toBeLessThanOrEqual(20)
  })

  it('a body that breaks its schema by a name of megabytes does not bring them back', () => {
    const { fields } = refusalOf(JSON.stringify({ name: 'a', list: [], ['x'.repeat(1_000_000)]: 1 }))
    expect(JSON.stringify(fields).length).toBeLessThan(10_000)
  })

  it('a body that breaks its schema by thousands of unknown names does not bring them back', () => {
    const unknown = Object.fromEntries(Array.from({ length: 9_000 }, (_, index) => [`unknown_${index}`, 1]))
    const { fields } = refusalOf(JSON.stringify({ name: 'a', list: [], ...unknown }))
    expect(JSON.stringify(fields).length).toBeLessThan(10_000)
  })
})
