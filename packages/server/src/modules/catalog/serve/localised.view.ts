import type { BaseCatalog, Snapshot } from '../model/types.ts'
import type { Say } from '../texts/rules.ts'
import type { CatalogProductWire, CatalogWire, FormFieldWire, OptionItemWire } from './schemas.ts'

// Texts of answers in another language. Codes, numbers and patterns stay as they are, and so does every name that the
// reseller gave: an own rename wins over a translation.

export function localisedCatalog(
  wire: CatalogWire,
  snapshot: Snapshot,
  { base, say }: { readonly base: BaseCatalog; readonly say: Say },
): CatalogWire {
  const groupNames = namesOf(base.groups)
  const categoryNames = namesOf(base.categories)
  const groups = wire.tree.groups.map((group) => ({
    ...group,
    name: group.name === groupNames.get(group.id) ? say(group.name) : group.name,
    categories: group.categories.map((category) => ({
      ...category,
      name: category.name === categoryNames.get(category.id) ? say(category.name) : category.name,
    })),
  }))
  const products = Object.entries(wire.products).map(([code, product]) => {
    const isRenamed = snapshot.products.get(code)?.product.name !== product.name
    return [code, localisedProduct(product, say, isRenamed)]
  })
  return { ...wire, tree: { groups }, products: Object.fromEntries(products) }
}

function localisedProduct(product: CatalogProductWire, say: Say, isRenamed: boolean): CatalogProductWire {
  const { name, note, fields } = product
  return {
    ...product,
    name: isRenamed ? name : say(name),
    note: note === null ? null : say(note),
    fields: fields.map((field) => localisedField(field, say)),
  }
}

function localisedField(field: FormFieldWire, say: Say): FormFieldWire {
  const { label, placeholder, validation } = field
  return {
    ...field,
    label: say(label),
    placeholder: say(placeholder),
    validation: {
      ...validation,
      ...(validation.message !== undefined && { message: say(validation.message) }),
    },
  }
}

type Item = OptionItemWire & { readonly ref1_label?: string; readonly ref2_label?: string }

export function localisedItem<I extends Item>(item: I, say: Say): I {
  const { label, description, ref1_label: first, ref2_label: second } = item
  return {
    ...item,
    label: say(label),
    ...(description !== undefined && { description: say(description) }),
    ...(first !== undefined && { ref1_label: say(first) }),
    ...(second !== undefined && { ref2_label: say(second) }),
  }
}

function namesOf(rows: readonly { readonly code: string; readonly name: string }[]) {
  return new Map(rows.map(({ code, name }) => [code, name]))
}
