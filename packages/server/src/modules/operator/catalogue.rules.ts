import { invalidFields, RequestError } from '../../lib/errors.ts'
import { FLAG, optional } from '../../lib/parameters.ts'
import type { CatalogState } from '../catalog/store.types.ts'
import type { SourceFile } from '../catalog/transfer.types.ts'
import type { Option, Product } from '../catalog/types.ts'
import { PAGE_RULES, plainText, SEARCH } from './desk.rules.ts'

export const FILES_MAX = 20
/** Of differences in an answer, and in the audit log. */
export const DIFFERENCES_MAX = 500

const CODE_LENGTH_MAX = 100

export const PRODUCT_LIST_RULES = {
  ...PAGE_RULES,
  search: SEARCH,
  category: optional(plainText(CODE_LENGTH_MAX), null),
  isActive: optional(FLAG, null),
}

export const OPTION_LIST_RULES = {
  ...PAGE_RULES,
  search: SEARCH,
  field: optional(plainText(CODE_LENGTH_MAX), null),
}

export type GivenCatalogue = {
  readonly document?: object | undefined
  readonly files?: readonly { readonly name: string; readonly content: string }[] | undefined
  readonly deactivate_missing?: boolean | undefined
}

/** Names by which problems speak of files; nothing is opened by them. */
const FILE_NAME = /^[\w][\w .()+-]{0,99}\.(?:json|csv)$/i
const DOCUMENT_NAME = 'document.json'

/** The document and the files of a request, as one import takes them. */
export function sourcesOf({ document, files = [] }: GivenCatalogue): SourceFile[] {
  if (document === undefined && files.length === 0) {
    throw invalidFields({ document: ['Give a document, or files.'] })
  }
  if (files.length > FILES_MAX) throw invalidFields({ files: [`At most ${FILES_MAX} files at once.`] })
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
      : [{ name: DOCUMENT_NAME, bytes: Buffer.from(JSON.stringify(document, null, 1), 'utf8') }]),
    ...files.map(({ name, content }) => ({ name, bytes: Buffer.from(content, 'utf8') })),
  ]
}

/** What is applied is what was looked at. */
export function mustBeAsPreviewed(expected: number, version: bigint): void {
  if (BigInt(expected) === version) return
  throw new RequestError({
    status: 409,
    code: 'catalogue_changed',
    publicText: 'The catalogue has changed since the preview. Look at a new one.',
  })
}

// ── Looking ──

export function optionsOf({ base }: CatalogState, productCode: string): Option[] {
  return [...(base.options.get(productCode)?.values() ?? [])].flat()
}

export function matchesProduct(
  product: Product,
  asked: {
    readonly search: string | null
    readonly category: string | null
    readonly isActive: boolean | null
  },
): boolean {
  return (
    (asked.category === null || product.categoryCode === asked.category) &&
    (asked.isActive === null || product.isActive === asked.isActive) &&
    (asked.search === null || has(asked.search, product.code, product.name))
  )
}

export function matchesOption(
  option: Option,
  asked: { readonly search: string | null; readonly field: string | null },
): boolean {
  return (
    (asked.field === null || option.fieldId === asked.field) &&
    (asked.search === null || has(asked.search, option.code, option.label))
  )
}

function has(search: string, ...texts: readonly string[]): boolean {
  const wanted = search.toLowerCase()
  return texts.some((text) => text.toLowerCase().includes(wanted))
}
