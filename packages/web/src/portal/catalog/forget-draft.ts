/** Name of the catalogue's draft in the storage of the tab. */
export const DRAFT_STORED_AS = 'warung.catalogue-draft'

/** Removes the changes of the catalogue that were kept; without the catalogue's code, because every page signs out. */
export function forgetDraft(storage: Pick<Storage, 'removeItem'>): void {
  storage.removeItem(DRAFT_STORED_AS)
}
