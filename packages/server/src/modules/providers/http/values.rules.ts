import type { Amount } from '../../../lib/money.ts'
import { UnwritableValue } from '../language/filters.rules.ts'
import { renderText } from '../language/template.rules.ts'
import type { SupplierCode, Template, Values } from '../language/types.ts'
import type { BillRequest, DynamicOptionsRequest, LookupRequest, Order } from '../port/types.ts'
import type { HttpConfig } from './config.rules.ts'

// Values of the placeholders of each kind of request.

export function orderValues(order: Order, config: HttpConfig): Values {
  return withUsual(config, {
    reference: order.reference,
    ...productValues(config, order.productCode, order.amount, order.subproductCode),
    account: order.account,
    amount: order.amount,
    face_value: order.faceValue,
    subproduct_code: order.subproductCode,
    biller_code: order.billerCode,
    ref2: order.ref2,
    ic_number: order.icNumber,
    submitted_at: order.submittedAt,
    ...(order.supplierId != null && { supplier_id: order.supplierId }),
  })
}

/** Adds the values of the product that its code does not have. One that cannot be written is none. */
function withUsual({ usualValues }: HttpConfig, values: Values): Values {
  const usual = usualValues.flatMap(([name, template]) => {
    const own = `product.${name}`
    const text = Object.hasOwn(values, own) ? undefined : textIfWritable(template, values)
    return text === undefined ? [] : [[own, text] as const]
  })
  return { ...values, ...Object.fromEntries(usual) }
}

function textIfWritable(template: Template, values: Values): string | undefined {
  try {
    return renderText(template, values)
  } catch (problem) {
    if (problem instanceof UnwritableValue) return undefined
    throw problem
  }
}

/** Values of the form of a reference, made of ours. */
export function referenceValues({ reference, submittedAt }: Order): Values {
  return { reference, reference_alnum: reference.replaceAll('-', 'A'), submitted_at: submittedAt }
}

export function billValues(request: BillRequest, config: HttpConfig): Values {
  return withUsual(config, {
    ...productValues(config, request.productCode, request.amount, null),
    account: request.account,
    amount: request.amount,
    biller_code: request.billerCode,
    ref2: request.ref2,
  })
}

export function optionsValues(request: DynamicOptionsRequest, config: HttpConfig): Values {
  return withUsual(config, {
    ...productValues(config, request.productCode, null, null),
    field_id: request.fieldId,
    account: request.accountNumber,
  })
}

export function lookupValues({ number, country }: LookupRequest): Values {
  return { number, ...(country !== null && { country }) }
}

/** Leaves out what the table of products has not, so that a template that needs it is not written. */
function productValues(
  { products }: HttpConfig,
  productCode: string,
  amount: Amount | null,
  subproductCode: string | null,
): Values {
  const found = codeFor(products, { productCode, amount, subproductCode })
  if (found === undefined) return { product_code: productCode }
  const values = Object.entries(found.values).map(([name, value]) => [`product.${name}`, value] as const)
  return { product_code: productCode, supplier_code: found.code, ...Object.fromEntries(values) }
}

/** Tells whether the supplier has closed what is ordered. */
export function isClosed(order: Order, { products }: Pick<HttpConfig, 'products'>): boolean {
  return codeFor(products, order)?.isClosed === true
}

function codeFor(
  products: HttpConfig['products'],
  wanted: {
    readonly productCode: string
    readonly amount: Amount | null
    readonly subproductCode: string | null
  },
): SupplierCode | undefined {
  const known = products.get(wanted.productCode)
  if (known?.by === 'product') return known.code
  return known?.by === 'amount'
    ? known.codes.get(wanted.amount ?? -1n)
    : known?.codes.get(wanted.subproductCode ?? '')
}
