import { describe, expect, it } from 'vitest'
import type { PortalCatalogue, PortalProduct } from '../../api/portal.generated.ts'
import type { Draft } from './draft.ts'
import { EMPTY_DRAFT } from './draft.ts'
import { DRAFT_STORED_AS, forgetDraft } from './forget-draft.ts'
import { keepDraft, storedDraft } from './stored-draft.ts'

function createStorage() {
  const items = new Map<string, string>()
  return {
    items,
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
  }
}

function productOf(code: string, change: Partial<PortalProduct> = {}): PortalProduct {
  return {
    code,
    name: code,
    base_name: code,
    category: 'PREPAID',
    base_category: 'PREPAID',
    image_url: '',
    display_order: 1,
    processing_time: 'instant',
    is_active: true,
    is_enabled: true,
    is_hidden: false,
    is_refundable: false,
    min_amount: null,
    max_amount: null,
    adjustment: null,
    discount: null,
    margin: null,
    has_loss_risk: false,
    is_customised: false,
    ...change,
  }
}

function catalogOf(...products: PortalProduct[]): PortalCatalogue {
  return { fingerprint: '', updated_at: '', groups: [], categories: [], products }
}

const CATALOG = catalogOf(productOf('NOVA'), productOf('KITA'))

const DRAFT: Draft = {
  products: {
    NOVA: { adjustment: { type: 'percentage', text: '+2' }, name: 'Nova ku', display_order: 3 },
    KITA: { enabled: false, category: 'OWN', adjustment: { type: 'fixed', text: '1,5' } },
  },
  groups: { MINE: { name: 'Mine', isOwn: true } },
  categories: { OWN: { name: 'My own', isOwn: true, group: 'MINE' } },
}

describe('changes of the catalogue that are not applied', () => {
  it('are there again after a reload, also those that cannot be read yet', () => {
    const storage = createStorage()
    keepDraft(storage, '7', DRAFT)
    expect(storedDraft(storage, '7', CATALOG)).toEqual(DRAFT)
  })

  it('are gone once they are applied or discarded, and when the member signs out', () => {
    const storage = createStorage()
    keepDraft(storage, '7', DRAFT)
    keepDraft(storage, '7', EMPTY_DRAFT)
    expect(storage.items.size).toBe(0)
    keepDraft(storage, '7', DRAFT)
    forgetDraft(storage)
    expect(storedDraft(storage, '7', CATALOG)).toEqual(EMPTY_DRAFT)
  })

  it('are not shown to another member', () => {
    const storage = createStorage()
    keepDraft(storage, '7', DRAFT)
    expect(storedDraft(storage, '8', CATALOG)).toEqual(EMPTY_DRAFT)
  })

  it('are left out where the product is gone, or already is as they want it', () => {
    const storage = createStorage()
    keepDraft(storage, '7', DRAFT)
    const changed = catalogOf(productOf('NOVA', { name: 'Nova ku', display_order: 3 }))
    expect(storedDraft(storage, '7', changed).products).toEqual({
      NOVA: { adjustment: { type: 'percentage', text: '+2' } },
    })
  })

  it.each(['', 'x', 'null', '[]', '7', '{"member":"7"}', '{"member":"7","draft":{"products":{"NOVA":7}}}'])(
    'are none in a text such as %j, which this page did not write',
    (text) => {
      const storage = createStorage()
      storage.setItem(DRAFT_STORED_AS, text)
      expect(storedDraft(storage, '7', CATALOG)).toEqual(EMPTY_DRAFT)
    },
  )

  it('stay on the page where the storage is full', () => {
    const full = {
      ...createStorage(),
      setItem: () => {
        throw new Error('full')
      },
    }
    expect(() => keepDraft(full, '7', DRAFT)).not.toThrow()
  })
})
