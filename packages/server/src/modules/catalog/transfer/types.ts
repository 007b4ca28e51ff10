import type { Rate } from '../../../lib/rates.ts'
import type { LevelName } from '../product/store.types.ts'
import type { Category, Group, Option, Product, WholesalePrice } from '../product/types.ts'
import type { JsonNode } from './json.rules.ts'

/** What one level pays for one product; null: the product cannot be bought at that level. */
export type LevelPrice = {
  readonly levelCode: string
  readonly productCode: string
  readonly price: WholesalePrice | null
}

/** A catalogue as files carry it. */
export type CatalogDocument = {
  readonly groups: readonly Group[]
  readonly categories: readonly Category[]
  readonly products: readonly Product[]
  readonly options: readonly Option[]
  readonly levels: readonly LevelName[]
  readonly prices: readonly LevelPrice[]
}

export const DOCUMENT_KINDS = ['groups', 'categories', 'products', 'options', 'levels', 'prices'] as const
export type DocumentKind = (typeof DOCUMENT_KINDS)[number]

/** The kinds that have a CSV form. */
export const CSV_KINDS = ['groups', 'categories', 'options', 'prices'] as const
export type CsvKind = (typeof CSV_KINDS)[number]

/** A price as a row of a file: the value is the factor on the face value, or the ringgit taken off. */
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
  readonly prices: PriceRow
}

/** Where something stands in the files of an import. */
export type Place = {
  readonly file: string
  readonly line: number
  /** The member of a JSON document, or the column of a CSV file. */
  readonly path: string
}

export type FileProblem = Place & { readonly message: string }

/** Every problem is counted; the first ones are kept. */
export type FileProblems = {
  readonly add: (place: Place, message: string) => void
  readonly count: () => number
  /** By file and line. */
  readonly list: () => readonly FileProblem[]
}

/** What a file says about one row: members that it leaves out stay as they are. */
export type GivenRow<Row> = {
  readonly values: Partial<Row>
  readonly place: Place
  /** The row in its JSON document, where the lines of its parts are found. */
  readonly node?: JsonNode
  /** Something was wrong with it already; more complaints about it would only confuse. */
  readonly isFlawed: boolean
}

export type GivenRows = { readonly [K in DocumentKind]: readonly GivenRow<RowTypes[K]>[] }

/** A file's content and the name by which problems speak of it. */
export type SourceFile = { readonly name: string; readonly bytes: Uint8Array }

/** One resource that an import would change, and how; names and values as files spell them. */
export type Difference = {
  readonly kind: DocumentKind
  readonly id: string
  readonly action: 'create' | 'update' | 'deactivate'
  readonly changes: readonly { readonly name: string; readonly before: unknown; readonly after: unknown }[]
}
