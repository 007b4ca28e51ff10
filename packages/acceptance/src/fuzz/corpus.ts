import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { FuzzCase } from './cases.ts'
import { isObject } from './raw-json.ts'
import type { Said } from './supplier-answers.ts'

// Inputs that once broke a rule, one small file each: requests, and inputs of the other parts. They are sent again in
// every run.

const CORPUS = fileURLToPath(new URL('corpus/', import.meta.url))

type Stored = Omit<FuzzCase, 'body'> & {
  /** Rule that the request broke when it was found. */
  readonly problem: string
  readonly text?: string
  readonly base64?: string
  readonly gzip?: string
}

/** Input that is no request of an operation. */
export type Input = SocketInput | FileInput | CallbackInput | AnswersInput

/** Bytes on a connection. */
export type SocketInput = {
  readonly part: 'sockets'
  readonly name: string
  /** Most answers that the bytes may get. */
  readonly answersMax: number
  readonly isTrickled: boolean
  readonly bytes: Buffer
}

/** File of the operator's command. */
export type FileInput = { readonly part: 'imports'; readonly name: string; readonly bytes: Buffer }

/** Callback of a supplier about the order of this reference. */
export type CallbackInput = {
  readonly part: 'callbacks'
  readonly reference: string
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Buffer
}

/** Answers of a supplier about the order of this reference, in their order. */
export type AnswersInput = {
  readonly part: 'suppliers'
  readonly reference: string
  readonly answers: readonly Said[]
}

export type Kept = FuzzCase & { readonly file: string; readonly problem: string }

const TEXT_MAX = 4_000

/** Writes a request to a directory; the same request has one file. Returns its name. */
export function keepCase(fuzzCase: FuzzCase, problem: string, directory = CORPUS): string {
  const { body, ...rest } = fuzzCase
  const stored: Stored = { problem: problem.slice(0, 500), ...rest, ...storedBody(body) }
  return write(directory, rest.operation, stored)
}

/** Writes an input of another part in the same way. */
export function keepInput(input: Input, problem: string, directory = CORPUS): string {
  return write(directory, input.part, { problem: problem.slice(0, 500), ...(spelled(input) as object) })
}

function write(directory: string, prefix: string, stored: object): string {
  const content = `${JSON.stringify(stored, null, 2)}\n`
  const name = `${prefix}-${createHash('sha256').update(content).digest('hex').slice(0, 10)}.json`
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, name), content)
  return name
}

/** Puts text in the place of bytes. */
function spelled(value: unknown): unknown {
  if (Buffer.isBuffer(value)) return storedBody(value)
  if (Array.isArray(value)) return value.map(spelled)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, spelled(each)]))
}

/** Puts the bytes back: every member of the name `bytes` has some. */
function unspelled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unspelled)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      name === 'bytes' ? bodyIn(each as Stored) : unspelled(each),
    ]),
  )
}

function storedBody(body: Buffer | undefined): Pick<Stored, 'text' | 'base64' | 'gzip'> {
  if (body === undefined) return {}
  if (body.length > TEXT_MAX) return { gzip: gzipSync(body).toString('base64') }
  const text = body.toString('utf8')
  return Buffer.from(text).equals(body) ? { text } : { base64: body.toString('base64') }
}

function bodyIn({ text, base64, gzip }: Stored): Buffer | undefined {
  if (text !== undefined) return Buffer.from(text)
  if (base64 !== undefined) return Buffer.from(base64, 'base64')
  return gzip === undefined ? undefined : gunzipSync(Buffer.from(gzip, 'base64'))
}

/** Reads the kept requests. */
export function readCorpus(directory = CORPUS): Kept[] {
  return read(directory).flatMap(([file, stored]) => {
    if ('part' in stored) return []
    const { text, base64, gzip, ...rest } = stored as Stored
    return [{ ...rest, file, body: bodyIn({ ...rest, text, base64, gzip } as Stored) }]
  })
}

/** Reads the kept inputs of the other parts. */
export function readInputs(directory = CORPUS): Input[] {
  return read(directory).flatMap(([, stored]) => {
    if (!('part' in stored)) return []
    const { problem: _, ...input } = unspelled(stored) as Input & { problem: string }
    return [input as Input]
  })
}

function read(directory: string): [file: string, stored: object][] {
  return readdirSync(directory)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((file) => [file, JSON.parse(readFileSync(join(directory, file), 'utf8')) as object])
}
