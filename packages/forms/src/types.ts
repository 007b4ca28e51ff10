// Parts of the catalogue that a form is drawn from. Every catalogue of the service has them, with more members around
// them: a reseller's has prices and costs, a customer's has neither.

export type Money = { readonly amount: string; readonly currency: string }

export type FieldValidation = {
  readonly pattern?: string | undefined
  readonly message?: string | undefined
  readonly min?: number | undefined
  readonly max?: number | undefined
}

export type DataSource = {
  readonly type: 'reference' | 'dynamic'
  readonly depends_on?: readonly string[] | undefined
  readonly endpoint: string
  readonly params: Readonly<Record<string, { readonly static: string } | { readonly from_field: string }>>
}

export type Field = {
  readonly id: string
  readonly type: 'text' | 'number' | 'select' | 'money'
  readonly input_mode: 'text' | 'tel' | 'numeric' | 'email' | 'decimal'
  readonly label: string
  readonly placeholder: string
  readonly required: boolean
  readonly order: number
  readonly role: 'account' | 'pricing' | 'none'
  readonly validation: FieldValidation
  readonly data_source?: DataSource | undefined
  readonly currency?: string | undefined
  /** Kind of the telephone numbers that the field takes, in any spelling; left out: it takes none. */
  readonly number_kind?: 'mobile' | 'fixed' | undefined
}

export type Mapping = {
  readonly from_field: string
  readonly path?: string | undefined
  readonly omit_if_empty?: boolean | undefined
}

export type Fulfillment = {
  /** Its field is null where the product has none for the account. */
  readonly account: Omit<Mapping, 'from_field'> & { readonly from_field: string | null }
  readonly amount: Mapping
  readonly extras?: Readonly<Record<string, Mapping>> | undefined
}

/** Option of a select: a denomination, an offer for a number, or a biller. */
export type FormOption = {
  readonly code: string
  readonly label: string
  readonly denomination?: number | undefined
  readonly validity?: string | undefined
  readonly features?: readonly string[] | undefined
  readonly description?: string | undefined
  readonly price?: Money | undefined
  readonly account_number?: string | undefined
  readonly min_amount?: Money | undefined
  readonly max_amount?: Money | undefined
  readonly ref2_required?: true | undefined
  readonly ref1_label?: string | undefined
  readonly ref2_label?: string | undefined
}

export type ProcessingTime = 'instant' | '24_hours' | '3_days' | 'link' | 'pin'

export type FormProduct = {
  readonly code: string
  readonly name: string
  readonly processing_time: ProcessingTime
  readonly fields: readonly Field[]
  readonly fulfillment: Fulfillment
  readonly min_amount: Money | null
  readonly max_amount: Money | null
}

export type CatalogTree = {
  readonly groups: readonly {
    readonly id: string
    readonly name: string
    readonly categories: readonly {
      readonly id: string
      readonly name: string
      readonly product_codes: readonly string[]
    }[]
  }[]
}

/** Catalogue with products of any kind that has at least a form. */
export type FormCatalog<P extends FormProduct = FormProduct> = {
  readonly tree: CatalogTree
  readonly products: Readonly<Record<string, P>>
}

/** Answer of bill presentment, as far as it is shown. */
export type BillAnswer = {
  readonly data: {
    readonly CustomerName: string | null
    readonly Outstanding: number | null
    readonly Data: string | null
    readonly Address: string | null
    readonly DueDate: string | null
  }
}
