import { expect, it } from 'vitest'
import { fieldErrorsOf } from './errors.ts'

it('the problems of a field stand together, each once, in their order', () => {
  const fields = fieldErrorsOf([
    ['name', 'is too long'],
    ['age', 'is missing'],
    ['name', 'is unknown'],
    ['name', 'is too long'],
  ])
  expect({ ...fields }).toEqual({ name: ['is too long', 'is unknown'], age: ['is missing'] })
})

it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])('a field may be called %s', (name) => {
  const fields = fieldErrorsOf([
    [name, 'is unknown'],
    [name, 'is empty'],
  ])
  expect(Object.entries(fields)).toEqual([[name, ['is unknown', 'is empty']]])
  expect(JSON.stringify(fields)).toBe(`{"${name}":["is unknown","is empty"]}`)
})
