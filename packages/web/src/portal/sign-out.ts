import { portal } from '../api/portal.ts'
import { forgetPerson } from './device/use-device.ts'

/** Ends the session, and with it what this browser keeps of the member. */
export async function endSession(): Promise<void> {
  await portal.call('deletePortalSession', {})
  forgetPerson()
}
