import type { Values } from '@warung/forms/form'
import { neededBy } from '@warung/forms/form'
import type { Product } from '../api/wire.ts'

// Half-filled forms are kept in the tab, so that a reload loses nothing. Identity numbers are not kept, nor second
// references, which are identity numbers at some billers.

const SECRET_EXTRAS = ['ic_number', 'ref2']

/** Name under which a form is kept. Lines of a fixed basket may have the same product, and are filled in apart. */
export function draftName(code: string, line: number | undefined): string {
  return line === undefined ? `form.${code}` : `form.${code}.${line}`
}

/** Values of a form that may be kept: without secrets, and without choices that depend on one. */
export function keepable(product: Product, values: Values): Values {
  const { extras = {} } = product.fulfillment
  const secret = new Set(SECRET_EXTRAS.flatMap((name) => extras[name]?.from_field ?? []))
  const dependent = product.fields.filter((field) => neededBy(field).some((id) => secret.has(id)))
  for (const { id } of dependent) secret.add(id)
  return Object.fromEntries(
    Object.entries(values).filter(([id, value]) => value !== undefined && !secret.has(id)),
  )
}

/** Reads kept values again. Anything else than values of this form is left out: other scripts share the storage. */
export function restored(product: Product, kept: unknown): Values {
  if (typeof kept !== 'object' || kept === null) return {}
  const known = new Set([...product.fields.map(({ id }) => id), '$account'])
  return Object.fromEntries(Object.entries(kept).filter(([id, value]) => known.has(id) && isValue(value)))
}

function isValue(value: unknown): boolean {
  if (typeof value === 'string') return true
  if (typeof value !== 'object' || value === null) return false
  return (
    'code' in value && typeof value.code === 'string' && 'label' in value && typeof value.label === 'string'
  )
}
