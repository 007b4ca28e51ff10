import type { Amount } from '../../../lib/money.ts'
import type { NumberKind } from '../../../lib/numbers/plans.ts'
import type { Rate } from '../../../lib/rates.ts'

// ── The base catalogue: what exists, before anyone's customisation ──

export const PROCESSING_TIMES = ['instant', '24_hours', '3_days', 'link', 'pin'] as const
export type ProcessingTime = (typeof PROCESSING_TIMES)[number]

/** Kinds of products. The kind decides which extras a payment needs; everything else depends on the fields. */
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

/** Source of options. `reference`: our own static list. `dynamic`: a provider answers for one account. */
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
  /** Set on select fields only. */
  readonly dataSource?: DataSource
  /** Set on money fields only. */
  readonly currency?: string
  /** Kind and country (ISO 3166) of the telephone numbers that the field takes; both or neither. */
  readonly numberKind?: NumberKind
  readonly numberCountry?: string
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

/** Fields that only the deprecated product list shows. */
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
  /** How a customer uses what was bought, such as a PIN; receipts say it, the contract's answers do not. */
  readonly redemption: string | null
  readonly imageUrl: string
  readonly processingTime: ProcessingTime
  readonly displayOrder: number
  readonly isActive: boolean
  readonly isHidden: boolean
  /** Allows only resellers with a permission to buy it. */
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
  /** Face value or quantity to pay, for options of a pricing field. */
  readonly denomination: Amount | null
  readonly validity: string | null
  readonly features: readonly string[] | null
  /** Recommended retail price, if one is configured. */
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

/** Prices of one price level, by product code; a product without a price cannot be bought at that level. */
export type PriceLevel = {
  readonly code: string
  readonly name: string
  readonly prices: ReadonlyMap<string, WholesalePrice>
  /** Last values of prices that were removed; nothing can be bought at them. */
  readonly withdrawn?: ReadonlyMap<string, WholesalePrice> | undefined
  /** Last time a product got its first price, or lost its price; undefined: never since the recording began. */
  readonly accessUpdatedAt?: Date | undefined
}

export type BaseCatalog = {
  readonly groups: readonly Group[]
  readonly categories: readonly Category[]
  readonly products: readonly Product[]
  /** Options by product code, then field id, in display order. */
  readonly options: ReadonlyMap<string, ReadonlyMap<string, readonly Option[]>>
  /** Last change to groups, categories or products; options and prices do not move it. */
  readonly updatedAt: Date
}

// ── One reseller's customisation; undefined or null means "as in the base" ──

export type PriceAdjustment =
  | { readonly type: 'fixed'; readonly value: Amount }
  | { readonly type: 'percentage'; readonly value: Rate }

/** Changed look of a group of the base, or (`isOwn`) a group of the reseller's own. */
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
  /** State of the product for this reseller; false: switched off. */
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

// ── The view of one account: base + price level + permissions + overlay, compiled ──

export type EffectiveOption = {
  readonly option: Option
  /** True when active in the base and not switched off by the reseller. */
  readonly isActive: boolean
  /** Money of the option; null on options of fields that do not price. */
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
  /** True when the account may buy it: its level has a price, and it has permission if one is needed. */
  readonly isPurchasable: boolean
  /** True when the product, its category and its group are active in the base; other products are never listed. */
  readonly isOffered: boolean
  /** True when offered, purchasable and not switched off by the reseller. */
  readonly isActive: boolean
  /** Price at the account's level; null when there is none. */
  readonly wholesale: WholesalePrice | null
  /** Same as `wholesale`, or the last price if there is none now; events and their options carry it. */
  readonly lastWholesale: WholesalePrice | null
  readonly adjustment: PriceAdjustment | null
  readonly minAmount: Amount | null
  readonly maxAmount: Amount | null
  /** True when the adjustment can sell below cost at some denomination. */
  readonly hasLossRisk: boolean
  /** Returns every option of a select field with a static list, also switched-off ones; [] for other fields. */
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

/** View of an account: immutable, and shared by all accounts that see the same. */
export type Snapshot = {
  /** Key for caches and ETags; equal for equal views. */
  readonly fingerprint: string
  readonly lastUpdated: Date
  /** Groups in display order, also empty ones; code that shows them leaves empty ones out. */
  readonly groups: readonly EffectiveGroup[]
  readonly categories: readonly EffectiveCategory[]
  /** All products of the base by code, also inactive, hidden and forbidden ones: payments need them. */
  readonly products: ReadonlyMap<string, EffectiveProduct>
}

/** Data that distinguishes one account's view from another's. */
export type AccountView = {
  readonly levelCode: string
  /** Restricted products that the account may buy; `deniedProducts`: open ones that it may not. */
  readonly allowedProducts: ReadonlySet<string>
  readonly deniedProducts: ReadonlySet<string>
  /** Last change to these permissions, or to the account's price level; undefined: never. */
  readonly accessUpdatedAt?: Date | undefined
  readonly overlay: Overlay | undefined
}
