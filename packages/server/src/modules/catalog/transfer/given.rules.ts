import { invalidFields, RequestError } from '../../../lib/errors.ts'
import type { Rule } from '../../../lib/input/fields.ts'
import { BOOLEAN, readFields, readGivenFields, wholeNumber } from '../../../lib/input/fields.ts'
import type { SourceFile } from './types.ts'

// Body of a request that brings rows for the whole catalogue.

export const FILES_MAX = 20

export type GivenCatalog = {
  readonly document?: object | undefined
  readonly files?: readonly { readonly name: string; readonly content: string }[] | undefined
  readonly deactivate_missing?: boolean | undefined
}

type Members = Readonly<Record<string, unknown>>

const OBJECT: Rule<Members> = {
  message: 'must be an object',
  schema: { type: 'object' },
  read: (value) => (isObject(value) ? value : undefined),
}
const FILES: Rule<readonly { name: string; content: string }[]> = {
  message: 'must be a list of objects with a name and a content, both text, and nothing else',
  schema: { type: 'array', maxItems: FILES_MAX },
  read(value) {
    const files = Array.isArray(value) ? value.flatMap(fileOf) : undefined
    return files?.length === (value as unknown[] | undefined)?.length ? files : undefined
  },
}
const GIVEN_RULES = { document: OBJECT, files: FILES, deactivateMissing: BOOLEAN }
const GIVEN_NAMES = ['document', 'files', 'deactivate_missing']
export const VERSION: Rule<number> = wholeNumber(0, Number.MAX_SAFE_INTEGER)

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function fileOf(value: unknown): { name: string; content: string }[] {
  if (!isObject(value) || Object.keys(value).length !== 2) return []
  const { name, content } = value
  return typeof name === 'string' && typeof content === 'string' ? [{ name, content }] : []
}

/** Refuses unknown members: a misspelt one would change nothing, and the caller would not notice. */
function membersOf(body: unknown, names: readonly string[]): Members {
  if (!isObject(body)) throw invalidFields({ body: ['must be an object'] })
  const strange = Object.keys(body).filter((name) => !names.includes(name))
  if (strange.length === 0) return body
  throw invalidFields(Object.fromEntries(strange.map((name) => [name, ['is not known here']])))
}

/** Reads the body by the same rules as the schema of the preview, without the library that reads schemas. */
export function readGivenCatalog(body: unknown): GivenCatalog {
  return givenOf(membersOf(body, GIVEN_NAMES))
}

function givenOf(members: Members): GivenCatalog {
  const { document, files, deactivateMissing } = readGivenFields(GIVEN_RULES, {
    ...members,
    deactivateMissing: members.deactivate_missing,
  })
  return { document, files, deactivate_missing: deactivateMissing }
}

export type GivenApply = GivenCatalog & { readonly expected_version: number; readonly reason: unknown }

export function readGivenApply(body: unknown): GivenApply {
  const members = membersOf(body, [...GIVEN_NAMES, 'expected_version', 'reason'])
  const { expectedVersion } = readFields(
    { expectedVersion: VERSION },
    { expectedVersion: members.expected_version },
  )
  return { ...givenOf(members), expected_version: expectedVersion, reason: members.reason }
}

/** Names of files in messages about problems. No file is opened by such a name. */
const FILE_NAME = /^[\w][\w .()+-]{0,99}\.(?:json|csv)$/i
export const FILE_NAME_LENGTH_MAX = 105
const DOCUMENT_NAME = 'document.json'

/** Document and files of a request, in the form that one import takes. */
export function sourcesOf({ document, files = [] }: GivenCatalog): SourceFile[] {
  if (document === undefined && files.length === 0) {
    throw invalidFields({ document: ['Give a document, or files.'] })
  }
  if (files.length > FILES_MAX) throw invalidFields({ files: [`At most ${FILES_MAX} files at once.`] })
  refuseTooDeep(document)
  const names = new Set([DOCUMENT_NAME])
  for (const { name } of files) {
    if (!FILE_NAME.test(name))
      throw invalidFields({ files: ['A name must be plain and end in .json or .csv.'] })
    if (names.has(name)) throw invalidFields({ files: [`${name} is given twice, or taken.`] })
    names.add(name)
  }
  return [
    ...(document === undefined
      ? []
      : [{ name: DOCUMENT_NAME, bytes: Buffer.from(JSON.stringify(document), 'utf8') }]),
    ...files.map(({ name, content }) => ({ name, bytes: Buffer.from(content, 'utf8') })),
  ]
}

const LEVELS_MAX = 32

/** Checks the depth level by level: a recursive function would run out of stack on a deep document. */
function refuseTooDeep(document: object | undefined): void {
  let values: unknown[] = [document]
  for (let level = 0; level <= LEVELS_MAX; level += 1) {
    const containers = values.filter((value) => typeof value === 'object' && value !== null)
    if (containers.length === 0) return
    values = containers.flatMap((value) => Object.values(value))
  }
  throw invalidFields({ document: [`must not be deeper than ${LEVELS_MAX} levels`] })
}

/** Refuses an import when the catalogue has changed since its preview. */
export function mustBeAsPreviewed(expected: number, version: bigint): void {
  if (BigInt(expected) === version) return
  throw new RequestError({
    status: 409,
    code: 'catalogue_changed',
    publicText: 'The catalogue has changed since the preview. Nothing was imported; make a new preview.',
  })
}
