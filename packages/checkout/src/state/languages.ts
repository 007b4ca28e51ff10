import type { Language } from '@warung/forms/texts'
import { isLanguage } from '@warung/forms/texts'
import type { Client } from '../api/client.ts'
import type { Kept } from './kept.ts'
import type { State } from './types.ts'

type Settings = {
  readonly client: Pick<Client, 'catalog'>
  readonly kept: Kept
  /** Language that the page around asked for. */
  readonly asked: Language | undefined
  readonly state: () => State
  readonly change: (part: Partial<State>) => void
}

/** Customer's own choice. It holds until the page asks for another language. */
export function chosenLanguage(kept: Kept, asked: Language | undefined): Language | undefined {
  const chosen = kept.get('language')
  return isLanguage(chosen) && kept.get('language.asked') === (asked ?? null) ? chosen : undefined
}

/** Language of the page. The service says the catalogue's texts, so they are read again in another one. */
export function createLanguages({ client, kept, asked, state, change }: Settings) {
  /** Reads the catalogue again. Where that fails, its texts stay as they were. */
  async function sayAnew(): Promise<void> {
    if (state().catalog === undefined || state().order?.status !== 'draft') return
    const catalog = await client.catalog().catch(() => undefined)
    if (catalog === undefined) return
    const { form } = state()
    const product = form && catalog.products[form.product.code]
    change({ catalog, ...(form && product && { form: { ...form, product } }) })
  }

  return {
    choose(next: Language): void {
      kept.set('language', next)
      kept.set('language.asked', asked ?? null)
      change({ language: next })
      void sayAnew()
    },
  }
}
