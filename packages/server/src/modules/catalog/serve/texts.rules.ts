import { preferredLanguage } from '../../../lib/text/languages.ts'
import type { CatalogState } from '../model/store.types.ts'
import type { Product } from '../model/types.ts'
import type { CatalogLanguage } from '../texts/rules.ts'
import { CATALOG_LANGUAGES, sayIn } from '../texts/rules.ts'

/** Limit of texts of a product in one answer. A list of 21,000 billers is translated in a file. */
const TEXTS_MAX = 100

/** Text of a product in one language. */
export type ProductText = {
  readonly language: CatalogLanguage
  readonly text: string
  /** The operator's own words; null: there are none. */
  readonly translation: string | null
  /** Words that catalogues of this trade share; null: there are none. */
  readonly shared: string | null
}

/** Lists the texts that people see of a product, in each language, in the order in which they are read. */
export function listProductTexts({ base, texts }: CatalogState, product: Product): ProductText[] {
  return CATALOG_LANGUAGES.flatMap((language) => {
    const own = texts.get(language)
    const shared = sayIn(language)
    return seenTexts(base, product).map((text) => {
      const said = shared(text)
      return { language, text, translation: own?.get(text) ?? null, shared: said === text ? null : said }
    })
  })
}

function seenTexts({ groups, categories, options }: CatalogState['base'], product: Product): string[] {
  const category = categories.find(({ code }) => code === product.categoryCode)
  const group = groups.find(({ code }) => code === category?.groupCode)
  const seen = new Set<string | null | undefined>([product.name, product.note, product.redemption])
  for (const { label, placeholder, validation } of product.fields)
    for (const text of [label, placeholder, validation.message]) seen.add(text)
  for (const text of [category?.name, group?.name]) seen.add(text)
  for (const list of options.get(product.code)?.values() ?? [])
    for (const { label, description } of list) {
      if (seen.size > TEXTS_MAX) break
      seen.add(label).add(description)
    }
  return [...seen]
    .flatMap((text) => (text != null && /\p{L}{3}/u.test(text) ? [text] : []))
    .slice(0, TEXTS_MAX)
}

type Header = string | string[] | undefined

/**
 * Says how a customer uses what was bought, in the language that a request accepts. It is the catalogue's text of now:
 * a step that has changed is no use on an old receipt.
 */
export function redemptionIn(
  { base, texts }: Pick<CatalogState, 'base' | 'texts'>,
  productCode: string,
  accepted: Header,
): string | null {
  const redemption = base.products.find(({ code }) => code === productCode)?.redemption ?? null
  const language = preferredLanguage(accepted, CATALOG_LANGUAGES)
  return redemption === null || language === undefined ? redemption : sayIn(language, texts)(redemption)
}
