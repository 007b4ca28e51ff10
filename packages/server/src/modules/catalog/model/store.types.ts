import type { Tx } from '../../../db/database.ts'
import type { CatalogLanguage, OwnTexts } from '../texts/rules.ts'
import type {
  AccountView,
  BaseCatalog,
  Category,
  Group,
  Option,
  OverlayCategory,
  OverlayGroup,
  OverlayOption,
  OverlayProduct,
  PriceLevel,
  Product,
  Snapshot,
  WholesalePrice,
} from './types.ts'

// ── Requests ──

/** Rows to write; a row that equals the present one is left alone, and a row that is not named stays. */
export type BaseChange = {
  readonly groups?: readonly Group[]
  readonly categories?: readonly Category[]
  readonly products?: readonly Product[]
  readonly options?: readonly Option[]
  readonly levels?: readonly LevelName[]
  readonly texts?: readonly Translation[]
  /** Prices to write; null: the product cannot be bought at that level. */
  readonly prices?: readonly {
    readonly levelCode: string
    readonly productCode: string
    readonly price: WholesalePrice | null
  }[]
  /**
   * Permissions to write; null: the rule for everybody applies (an open product may be bought, a restricted one
   * may not).
   */
  readonly permissions?: readonly {
    readonly resellerId: bigint
    readonly productCode: string
    readonly isAllowed: boolean | null
  }[]
}

/** Text of the catalogue in another language; `said` null: it has none of the operator's own. */
export type Translation = {
  readonly language: CatalogLanguage
  readonly text: string
  readonly said: string | null
}

export type LevelName = { readonly code: string; readonly name: string }

export type OptionKey = Pick<Option, 'productCode' | 'fieldId' | 'code'>

/** Entries to write, and entries to remove; the rest of the overlay stays. */
export type OverlayChange = {
  readonly groups?: readonly OverlayGroup[]
  readonly categories?: readonly OverlayCategory[]
  readonly products?: readonly OverlayProduct[]
  readonly options?: readonly OverlayOption[]
  readonly removed?: {
    readonly groups?: readonly string[]
    readonly categories?: readonly string[]
    readonly products?: readonly string[]
    readonly options?: readonly OptionKey[]
  }
}

// ── Results ──

export const COUNTED = [
  'groups',
  'categories',
  'products',
  'options',
  'levels',
  'texts',
  'prices',
  'permissions',
] as const

export type Counts = { readonly [K in (typeof COUNTED)[number]]: number }

export type ChangeSummary = {
  /** Version of the catalogue after the change; the present one when nothing differed. */
  readonly version: bigint
  readonly created: Counts
  readonly updated: Counts
  /** Rows that were switched off; prices and permissions that were removed. */
  readonly deactivated: Counts
  readonly unchanged: Counts
  /** Number of accounts whose view changed. */
  readonly accountsAffected: number
  /** First of these accounts, by the number that people know. */
  readonly accountsNamed: readonly string[]
}

/**
 * Judges a change of the base in the transaction that makes it, before it is written. If it throws, the change
 * is undone. Other modules use it to refuse what the catalogue alone cannot judge, such as a price below the
 * supplier's.
 */
export type ChangeJudge = (tx: Tx, before: CatalogState, after: CatalogState) => Promise<void>

export type OverlaySummary = {
  readonly version: bigint
  readonly isChanged: boolean
}

// ── State in memory ──

/** Data that belongs to one account, independent of its level. */
export type OwnView = Omit<AccountView, 'levelCode'>

/** Whole catalogue in one version; never changed, only replaced. */
export type CatalogState = {
  readonly version: bigint
  readonly base: BaseCatalog
  /** Last version that touched the base. */
  readonly baseVersion: bigint
  readonly levels: ReadonlyMap<string, PriceLevel>
  /** Last version that touched each level. */
  readonly levelVersions: ReadonlyMap<string, bigint>
  readonly texts: OwnTexts
  /** Last version that touched a translation. */
  readonly textsVersion: bigint
  /** Accounts with permissions or customisations. */
  readonly views: ReadonlyMap<bigint, OwnView>
}

export type Catalog = {
  /** Returns the account's view. Call it once per request: two calls may answer from two versions. */
  snapshotFor(reseller: { readonly id: bigint; readonly priceLevel: string }): Snapshot
  base(): BaseCatalog
  state(): CatalogState
  /** Returns the time since the view was last known to equal the database, on the monotonic clock. */
  ageMs(): number
  /** Reads the database now instead of at the next poll. */
  refresh(): Promise<void>
  close(): Promise<void>
}

// ── Effects of a change ──

/** Row before and after a change; null: it did not exist, or no longer does. */
export type Diff<T> = { readonly before: T | null; readonly after: T | null }

export type PriceDiff = Diff<WholesalePrice> & { readonly levelCode: string; readonly productCode: string }
export type TextDiff = Diff<string> & Pick<Translation, 'language' | 'text'>
export type PermissionDiff = Diff<boolean> & { readonly resellerId: bigint; readonly productCode: string }
export type OverlayDiff<T> = Diff<T> & { readonly resellerId: bigint }

export type Touched = {
  readonly groups: readonly Diff<Group>[]
  readonly categories: readonly Diff<Category>[]
  readonly products: readonly Diff<Product>[]
  readonly options: readonly Diff<Option>[]
  readonly levels: readonly Diff<LevelName>[]
  readonly texts: readonly TextDiff[]
  readonly prices: readonly PriceDiff[]
  readonly permissions: readonly PermissionDiff[]
  readonly overlayGroups: readonly OverlayDiff<OverlayGroup>[]
  readonly overlayCategories: readonly OverlayDiff<OverlayCategory>[]
  readonly overlayProducts: readonly OverlayDiff<OverlayProduct>[]
  readonly overlayOptions: readonly OverlayDiff<OverlayOption>[]
}
