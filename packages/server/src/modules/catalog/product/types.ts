import type { Amount } from '../../../lib/money.ts'
import type { Rate } from '../../../lib/rates.ts'

// ── The base catalogue: what exists, before anyone's customisation ──

export const PROCESSING_TIMES = ['instant', '24_hours', '3_days', 'link', 'pin'] as const
export type ProcessingTime = (typeof PROCESSING_TIMES)[number]

/** Decides which extras a payment needs; everything else follows from the fields. */
export const PRODUCT_KINDS = [
  'reload',
  'mobile_data',
  'bill_payment',
  'student_loan',
  'electricity',
  'pin',
  'gift_card',
  'voucher',
  'game',
  'esim',
  'fund_disbursement',
  'other',
] as const
export type ProductKind = (typeof PRODUCT_KINDS)[number]

export type Group = {
  readonly code: string
  readonly name: string
  readonly iconUrl: string
  readonly displayOrder: number
  readonly isActive: boolean
}

export type Category = {
  readonly code: string
  readonly groupCode: string
  readonly name: string
  readonly iconUrl: string
  readonly displayOrder: number
  readonly isActive: boolean
}

export type FieldType = 'text' | 'number' | 'select' | 'money'
export type InputMode = 'text' | 'tel' | 'numeric' | 'email' | 'decimal'
export type FieldRole = 'account' | 'pricing' | 'none'

export type FieldValidation = {
  readonly pattern?: string
  readonly message?: string
  readonly min?: number
  readonly max?: number
}

export type SourceParameter = { readonly static: string } | { readonly fromField: string }

/** `reference`: a static list of ours. `dynamic`: a provider answers for one account. */
export type DataSource = {
  readonly type: 'reference' | 'dynamic'
  readonly dependsOn: readonly string[]
  readonly params: Readonly<Record<string, SourceParameter>>
}

export type Field = {
  readonly id: string
  readonly type: FieldType
  readonly inputMode: InputMode
  readonly label: string
  readonly placeholder: string
  readonly required: boolean
  readonly order: number
  readonly role: FieldRole
  readonly validation: FieldValidation
  /** select fields only */
  readonly dataSource?: DataSource
  /** money fields only */
  readonly currency?: string
}

export type Mapping = {
  readonly fromField: string
  readonly path?: string
  readonly omitIfEmpty?: boolean
}

export type Fulfillment = {
  readonly account?: Mapping
  readonly amount: Mapping
  readonly extras?: Readonly<Record<string, Mapping>>
}

/** What only the deprecated product list shows. */
export type LegacyFields = {
  readonly accountLabel: string | null
  readonly keyboardType: string
  readonly commonDenominations: string
  readonly denominationDataType: 'Integer' | 'Decimal'
  readonly accountType: 'account_number' | 'phone_number' | 'both' | 'not_required'
}

export type Product = {
  readonly code: string
  readonly categoryCode: string
  readonly kind: ProductKind
  readonly name: string
  readonly note: string | null
  readonly imageUrl: string
  readonly processingTime: ProcessingTime
  readonly displayOrder: number
  readonly isActive: boolean
  readonly isHidden: boolean
  /** Only resellers with a permission may buy it. */
  readonly isRestricted: boolean
  readonly isRefundable: boolean
  readonly denomination: string | null
  readonly denominationCurrency: string | null
  /** Ringgit per denomination unit; 1 for ordinary products. */
  readonly denominationUnitPrice: Rate
  readonly fields: readonly Field[]
  readonly fulfillment: Fulfillment
  readonly minAmount: Amount | null
  readonly maxAmount: Amount | null
  readonly legacy: LegacyFields
}

/** One choice of a select field with a static list: a plan, a denomination, a biller. */
export type Option = {
  readonly productCode: string
  readonly fieldId: string
  readonly code: string
  readonly label: string
  readonly description: string | null
  readonly displayOrder: number
  readonly isActive: boolean
  /** Options of a pricing field: face value or quantity to pay. */
  readonly denomination: Amount | null
  readonly validity: string | null
  readonly features: readonly string[] | null
  /** Recommended retail price where one is configured. */
  readonly rrp: Amount | null
  // Billers only
  readonly minAmount: Amount | null
  readonly maxAmount: Amount | null
  readonly suggestedCategory: string | null
  readonly additionalDescription: readonly string[] | null
  readonly requiresRef2: boolean
}

/** percentage: cost = face × unitPrice. fixed: unitPrice is negative, cost = face − |unitPrice|. */
export type WholesalePrice = {
  readonly discountType: 'percentage' | 'fixed'
  readonly unitPrice: Rate
  readonly currency: string
}

/** The prices of one price level, by product code; a product without a price cannot be bought at that level. */
export type PriceLevel = {
  readonly code: string
  readonly name: string
  readonly prices: ReadonlyMap<string, WholesalePrice>
  /** Prices that were taken away, as they last were; nothing can be bought at them. */
  readonly withdrawn?: ReadonlyMap<string, WholesalePrice> | undefined
  /** The last time a product got its first price, or lost its price; undefined: never since it is recorded. */
  readonly accessUpdatedAt?: Date | undefined
}

export type BaseCatalog = {
  readonly groups: readonly Group[]
  readonly categories: readonly Category[]
  readonly products: readonly Product[]
  /** By product code, then field id, in display order. */
  readonly options: ReadonlyMap<string, ReadonlyMap<string, readonly Option[]>>
  /** The last change to groups, categories or products; options and prices do not move it. */
  readonly updatedAt: Date
}

// ── One reseller's customisation; undefined or null means "as in the base" ──

export type PriceAdjustment =
  | { readonly type: 'fixed'; readonly value: Amount }
  | { readonly type: 'percentage'; readonly value: Rate }

/** A group of the base with another face, or (`isOwn`) one of the reseller's own. */
export type OverlayGroup = {
  readonly code: string
  readonly isOwn: boolean
  readonly name: string | null
  readonly iconUrl: string | null
  readonly displayOrder: number | null
}

export type OverlayCategory = {
  readonly code: string
  readonly isOwn: boolean
  readonly groupCode: string | null
  readonly name: string | null
  readonly iconUrl: string | null
  readonly displayOrder: number | null
}

export type OverlayProduct = {
  readonly code: string
  readonly categoryCode: string | null
  readonly displayName: string | null
  readonly imageUrl: string | null
  readonly displayOrder: number | null
  /** false: the reseller switched it off. */
  readonly isEnabled: boolean
  readonly adjustment: PriceAdjustment | null
  readonly minAmount: Amount | null
  readonly maxAmount: Amount | null
}

export type OverlayOption = {
  readonly productCode: string
  readonly fieldId: string
  readonly code: string
  readonly isEnabled: boolean
  readonly rrp: Amount | null
}

export type Overlay = {
  readonly groups: readonly OverlayGroup[]
  readonly categories: readonly OverlayCategory[]
  readonly products: readonly OverlayProduct[]
  readonly options: readonly OverlayOption[]
  readonly updatedAt: Date
}

// ── What one account sees: base + price level + permissions + overlay, compiled ──

export type EffectiveOption = {
  readonly option: Option
  /** Active in the base and not switched off by the reseller. */
  readonly isActive: boolean
  /** null on options of fields that do not price. */
  readonly money: OptionMoney | null
}

export type OptionMoney = {
  readonly price: Amount
  readonly cost: Amount
  readonly rrp: Amount
  readonly hasLossRisk: boolean
}

export type EffectiveProduct = {
  readonly product: Product
  readonly categoryCode: string
  readonly name: string
  readonly imageUrl: string
  readonly displayOrder: number
  /** The account may buy it: it has a price at its level, and permission where one is needed. */
  readonly isPurchasable: boolean
  /** Active in the base, with its category and group there; what is not is never listed. */
  readonly isOffered: boolean
  /** Offered, purchasable and not switched off by the reseller. */
  readonly isActive: boolean
  /** null when the account's level has no price for it. */
  readonly wholesale: WholesalePrice | null
  /** `wholesale`, or where there is none the last one that there was: events and their options carry it. */
  readonly lastWholesale: WholesalePrice | null
  readonly adjustment: PriceAdjustment | null
  readonly minAmount: Amount | null
  readonly maxAmount: Amount | null
  /** The adjustment can sell below cost at some denomination. */
  readonly hasLossRisk: boolean
  /** Every option of a select field with a static list, switched-off ones included; [] for other fields. */
  readonly options: (fieldId: string) => readonly EffectiveOption[]
  readonly findOption: (fieldId: string, code: string) => EffectiveOption | undefined
}

export type EffectiveGroup = {
  readonly code: string
  readonly name: string
  readonly iconUrl: string
  readonly displayOrder: number
  readonly isActive: boolean
}

export type EffectiveCategory = EffectiveGroup & { readonly groupCode: string }

/** Immutable; shared by all accounts that see the same. */
export type Snapshot = {
  /** Equal for equal views, so that caches and ETags can be keyed by it. */
  readonly fingerprint: string
  readonly lastUpdated: Date
  /** In display order, empty ones included; who shows them leaves empty ones out. */
  readonly groups: readonly EffectiveGroup[]
  readonly categories: readonly EffectiveCategory[]
  /** Every product of the base by code, also inactive, hidden and foreign ones: payments need them. */
  readonly products: ReadonlyMap<string, EffectiveProduct>
}

/** What distinguishes one account's view from another's. */
export type AccountView = {
  readonly levelCode: string
  /** Restricted products it may buy, and open ones it may not. */
  readonly allowedProducts: ReadonlySet<string>
  readonly deniedProducts: ReadonlySet<string>
  /** The last change to these permissions, or to the account's price level; undefined: never. */
  readonly accessUpdatedAt?: Date | undefined
  readonly overlay: Overlay | undefined
}
