import type { GetCatalogueProductResponse } from '../../api/operator.generated.ts'

export type ProductFile = GetCatalogueProductResponse['data']

export type ProductField = {
  readonly id: string
  readonly type: string
  readonly label: string
  readonly placeholder: string
  readonly isRequired: boolean
  readonly role: string
  readonly rule: string
  /** Number of choices in our list; undefined for fields without one. */
  readonly choices: number | undefined
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Fields of a product's document in their order. The API keeps the document open, so each part is looked at. */
export function fieldsOf({ product, options }: ProductFile): ProductField[] {
  const fields = Array.isArray(product.fields) ? product.fields.filter(isRecord) : []
  return [...fields]
    .sort((a, b) => Number(a.order ?? 0) - Number(b.order ?? 0))
    .map((field) => ({
      id: textOf(field.id),
      type: textOf(field.type),
      label: textOf(field.label),
      placeholder: textOf(field.placeholder),
      isRequired: field.required === true,
      role: textOf(field.role),
      rule: ruleText(field.validation),
      choices: options.find((each) => each.field === field.id)?.total,
    }))
}

function ruleText(validation: unknown): string {
  if (!isRecord(validation)) return ''
  const { pattern, message, min, max } = validation
  const range = [textOf(min), textOf(max)].filter((each) => each !== '').join('–')
  return [textOf(message) || textOf(pattern), range].filter((each) => each !== '').join(', ')
}
