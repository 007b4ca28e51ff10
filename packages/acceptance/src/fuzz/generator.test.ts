import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Check } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../faults/random.ts'
import type { Api } from '../recording.ts'
import type { Facts, FuzzCase } from './cases.ts'
import { encode, makeCase } from './cases.ts'
import type { Input } from './corpus.ts'
import { keepCase, keepInput, readCorpus, readInputs } from './corpus.ts'
import type { Operation, Schema } from './documents.ts'
import { findOperation, listOperations, resolveSchema } from './documents.ts'
import { mutateFile } from './files.ts'
import { mutateJson } from './mutations.ts'
import { RawJson, RepeatedName, writeJson } from './raw-json.ts'
import { readingOf } from './supplier-answers.ts'
import { validValue } from './values.ts'

const APIS: readonly Api[] = ['reseller', 'portal', 'operator', 'checkout']
const NO_FACTS: Facts = { path: () => ({}), value: () => undefined }

function every(): Operation[] {
  return APIS.flatMap(listOperations)
}

/** Puts the named schemas in the place of their references. */
function whole(api: Api, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => whole(api, each))
  if (typeof value !== 'object' || value === null) return value
  const { $ref } = value as Schema
  if ($ref !== undefined) return whole(api, resolveSchema(api, value as Schema))
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, whole(api, part)]))
}

describe('requests from a document', () => {
  it('the same seed makes the same requests', () => {
    const made = (seed: number) =>
      listOperations('checkout').map((operation) =>
        makeCase(createRandom(seed).fork(operation.id), operation, 'hostile', NO_FACTS),
      )
    expect(made(1)).toEqual(made(1))
    expect(made(1)).not.toEqual(made(2))
  })

  it('a valid body is one that the schema of its operation allows', () => {
    const wrong = every().flatMap(({ id, api, body }) => {
      if (body === undefined || body.type !== 'application/json') return []
      const value = validValue(createRandom(7).fork(id), api, body.schema)
      return Check(whole(api, body.schema) as never, value) ? [] : [`${id}: ${JSON.stringify(value)}`]
    })
    expect(wrong).toEqual([])
  })

  it('a request with a mistake differs from a valid one', () => {
    const operation = findOperation('createOrder')
    if (operation === undefined) throw new Error('there is no createOrder')
    const bodies = Array.from({ length: 200 }, (_, seed) => {
      const { body, note } = makeCase(createRandom(seed), operation, 'near', NO_FACTS)
      return { text: body?.toString() ?? '', note }
    })
    expect(new Set(bodies.map(({ text }) => text)).size).toBeGreaterThan(100)
    expect(new Set(bodies.map(({ note }) => note)).size).toBeGreaterThan(30)
  })
})

describe('text that JSON.stringify would not write', () => {
  it('raw numbers, repeated names and __proto__ reach the wire', () => {
    const value = [
      new RawJson('1e400'),
      new RepeatedName([
        ['a', 1],
        ['a', 2],
        ['__proto__', {}],
      ]),
      '\ud800',
    ]
    expect(writeJson(value)).toBe('[1e400,{"a":1,"a":2,"__proto__":{}},"\\ud800"]')
  })

  it('bytes of any text can stand in an address', () => {
    expect(encode('a/b c\0é\ud800')).toBe('a%2Fb%20c%00%C3%A9%EF%BF%BD')
  })

  it('a changed value has one difference, and the others stay', () => {
    const good = { a: 'x', b: { c: 1 } }
    const texts = Array.from({ length: 60 }, (_, seed) => mutateJson(createRandom(seed), 'reseller', good))
    expect(texts.some(({ note }) => note.endsWith('at b.c'))).toBe(true)
    expect(
      texts
        .filter(({ note }) => /at a$/.test(note))
        .every(({ value }) => /"b":\{"c":1\}/.test(writeJson(value))),
    ).toBe(true)
    expect(good).toEqual({ a: 'x', b: { c: 1 } })
  })

  it('files are changed in many ways', () => {
    const notes = Array.from({ length: 200 }, (_, seed) => mutateFile(createRandom(seed), 'a,b\n1,2\n').note)
    expect(new Set(notes).size).toBeGreaterThan(25)
  })
})

it('a request that is kept comes back byte for byte', () => {
  const directory = mkdtempSync(join(tmpdir(), 'warung-corpus-'))
  const base: FuzzCase = {
    operation: 'pay',
    kind: 'near',
    note: 'x',
    method: 'POST',
    path: { id: null },
    query: 'a=%ff',
    headers: [['X-A', '\xff']],
    body: undefined,
  }
  const bodies = [undefined, Buffer.from('{"a":1}'), Buffer.from([0xff, 0]), Buffer.alloc(100_000, 'x')]
  for (const body of bodies) keepCase({ ...base, body }, 'status 500', directory)
  const kept = readCorpus(directory)
  rmSync(directory, { recursive: true })
  expect(kept.map(({ body }) => body?.toString('hex')).sort()).toEqual(
    bodies.map((body) => body?.toString('hex')).sort(),
  )
  expect(kept[0]).toMatchObject({
    operation: 'pay',
    path: { id: null },
    problem: 'status 500',
    headers: [['X-A', '\xff']],
  })
})

it('an input of another part that is kept comes back byte for byte', () => {
  const directory = mkdtempSync(join(tmpdir(), 'warung-corpus-'))
  const bytes = Buffer.from([0, 0xff, 0x41])
  const inputs: readonly Input[] = [
    { part: 'callbacks', reference: 'W1-1', headers: { 'Content-Type': 'x' }, bytes: Buffer.from('{"a":1}') },
    { part: 'imports', name: 'pins.csv', bytes: Buffer.alloc(50_000, 'x') },
    { part: 'sockets', name: 'noise', answersMax: 1, isTrickled: false, bytes },
    {
      part: 'suppliers',
      reference: 'W1-1',
      answers: [
        { how: 'raw', status: 200, headers: {}, bytes },
        { how: 'late', status: 404, headers: { 'Content-Encoding': 'gzip' }, bytes: Buffer.alloc(0) },
      ],
    },
  ]
  for (const input of inputs) keepInput(input, 'status 500', directory)
  const [kept, requests] = [readInputs(directory), readCorpus(directory)]
  rmSync(directory, { recursive: true })
  expect(kept).toEqual(inputs)
  expect(requests).toEqual([])
})

describe('readings of a supplier’s answer', () => {
  it.each([
    [200, '{"status":"succeeded"}', 'succeeded'],
    [404, '{"error":"not_found"}', 'failed'],
    [200, '{"status":"failed"}', 'failed'],
    [500, '{"status":"succeeded"}', undefined],
    [404, '{"status":"succeeded"}', undefined],
    [200, '{"status":"succeeded"', undefined],
    [200, '{"status":["succeeded"]}', undefined],
    [200, '"succeeded"', undefined],
  ])('%s %s', (status, body, reading) => {
    expect(readingOf(status, Buffer.from(body))).toBe(reading)
  })
})
