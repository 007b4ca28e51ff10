import type { Rate } from '../../../lib/rates.ts'
import type { LevelName, Translation } from '../model/store.types.ts'
import type { Category, Group, Option, Product, WholesalePrice } from '../model/types.ts'
import type { JsonNode } from './json.rules.ts'

/** Price of one product at one level; null: the product cannot be bought at that level. */
export type LevelPrice = {
  readonly levelCode: string
  readonly productCode: string
  readonly price: WholesalePrice | null
}

/** Catalogue in the form of files. */
export type CatalogDocument = {
  readonly groups: readonly Group[]
  readonly categories: readonly Category[]
  readonly products: readonly Product[]
  readonly options: readonly Option[]
  readonly levels: readonly LevelName[]
  readonly texts: readonly Translation[]
  readonly prices: readonly LevelPrice[]
}

export const DOCUMENT_KINDS = [
  'groups',
  'categories',
  'products',
  'options',
  'levels',
  'texts',
  'prices',
] as const
export type DocumentKind = (typeof DOCUMENT_KINDS)[number]

/** Kinds that have a CSV form. */
export const CSV_KINDS = ['groups', 'categories', 'options', 'texts', 'prices'] as const
export type CsvKind = (typeof CSV_KINDS)[number]

/** Price as a row of a file: the value is the factor on the face value, or the discount in ringgit. */
export type PriceRow = {
  readonly levelCode: string
  readonly productCode: string
  readonly discountType: 'percentage' | 'fixed' | 'none'
  readonly value: Rate | null
  readonly currency: string
}

export type RowTypes = {
  readonly groups: Group
  readonly categories: Category
  readonly products: Product
  readonly options: Option
  readonly levels: LevelName
  readonly texts: Translation
  readonly prices: PriceRow
}

/** Location in the files of an import. */
export type FileLocation = {
  readonly file: string
  readonly line: number
  /** Member of a JSON document, or column of a CSV file. */
  readonly path: string
}

export type FileProblem = FileLocation & { readonly message: string }

/** Collection of problems: all are counted, the first ones are kept. */
export type FileProblems = {
  readonly add: (location: FileLocation, message: string) => void
  readonly count: () => number
  /** Lists the problems by file and line. */
  readonly list: () => readonly FileProblem[]
}

/** Content of a file about one row: absent members stay as they are. */
export type GivenRow<Row> = {
  readonly values: Partial<Row>
  readonly location: FileLocation
  /** Row in its JSON document, which holds the lines of its parts. */
  readonly node?: JsonNode
  /** Marks a row that already has a problem; more complaints about it would only confuse. */
  readonly isFlawed: boolean
}

export type GivenRows = { readonly [K in DocumentKind]: readonly GivenRow<RowTypes[K]>[] }

/** Content of a file, and the name that problems use for it. */
export type SourceFile = { readonly name: string; readonly bytes: Uint8Array }

/** Resource that an import would change, with its changes; names and values in the spelling of files. */
export type Difference = {
  readonly kind: DocumentKind
  readonly id: string
  readonly action: 'create' | 'update' | 'deactivate'
  readonly changes: readonly { readonly name: string; readonly before: unknown; readonly after: unknown }[]
}
