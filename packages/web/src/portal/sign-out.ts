import { portal } from '../api/portal.ts'
import { forgetDraft } from './catalog/forget-draft.ts'
import { forgetBasket } from './sell/basket/forget-basket.ts'
import { tabStorage } from './sell/sale.ts'

/** Ends the session, and with it what the member left half done in this tab. */
export async function endSession(): Promise<void> {
  await portal.call('deletePortalSession', {})
  forgetDraft(tabStorage())
  forgetBasket(tabStorage())
}
