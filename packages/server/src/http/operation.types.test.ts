import { Type } from 'typebox'
import { it } from 'vitest'
import { anyone, operation } from './operation.ts'

const Part = Type.Object({ size: Type.Integer() })
const Thing = Type.Object({ name: Type.String(), parts: Type.Array(Part) })
const shared = {
  method: 'GET',
  path: '/things',
  docs: { operationId: 'getThing', summary: 'A thing', tag: 'Things' },
  schemas: { responses: { 200: Type.Object({ data: Thing }), 204: Type.Null() } },
  authenticate: anyone,
} as const

const thing = { name: 'a', parts: [{ size: 1 }] }
const wrongPart = { name: 'a', parts: [{ size: '1' }] }
const lackingPart = { name: 'a', parts: [{}] }
const largerPart = { name: 'a', parts: [{ size: 1, weight: 2 }] }

// The compiler is the judge: a line that is expected to fail, and compiles, is an error itself.

it('an answer that its schemas describe compiles', () => {
  operation({ ...shared, handle: async () => ({ status: 200, body: { data: thing } }) })
  operation({ ...shared, handle: async () => ({ status: 204, body: null }) })
})

it('an answer with a wrong member does not compile', () => {
  // @ts-expect-error: data is no text
  operation({ ...shared, handle: async () => ({ status: 200, body: { data: 'a' } }) })
  // @ts-expect-error: size is no text
  operation({ ...shared, handle: async () => ({ status: 200, body: { data: wrongPart } }) })
})

it('an answer with a missing member does not compile', () => {
  // @ts-expect-error: data is missing
  operation({ ...shared, handle: async () => ({ status: 200, body: {} }) })
  // @ts-expect-error: size is missing
  operation({ ...shared, handle: async () => ({ status: 200, body: { data: lackingPart } }) })
})

it('an answer with another member does not compile', () => {
  // @ts-expect-error: more is unknown
  operation({ ...shared, handle: async () => ({ status: 200, body: { data: thing, more: 1 } }) })
  // @ts-expect-error: weight is unknown
  operation({ ...shared, handle: async () => ({ status: 200, body: { data: largerPart } }) })
})

it('an answer with a status or body of another does not compile', () => {
  // @ts-expect-error: 201 has no schema
  operation({ ...shared, handle: async () => ({ status: 201, body: null }) })
  // @ts-expect-error: 204 has no body
  operation({ ...shared, handle: async () => ({ status: 204, body: { data: thing } }) })
})
