import { SESSION_READ } from '../../api/client.ts'
import { portal, portalKey, usePortal } from '../../api/portal.ts'
import type { AccountApi } from '../../people/account-api.ts'

export const ACCOUNT_API: AccountApi = {
  useFactor: () => usePortal('getPortalTwoFactor', {}),
  usePasskeys: () => usePortal('listPortalPasskeys', {}),
  useSessions: () => usePortal('listPortalSessions', {}),
  keys: {
    session: portalKey('getPortalSession', SESSION_READ),
    factor: portalKey('getPortalTwoFactor'),
    passkeys: portalKey('listPortalPasskeys'),
    sessions: portalKey('listPortalSessions'),
  },
  setCsrfToken: portal.setCsrfToken,
  live: '/portal/v1/live',
  changePassword: (body) => portal.call('changePortalPassword', { body }),
  prove: (body) => portal.call('givePortalProof', { body }),
  beginProof: () => portal.call('beginPortalProof', {}),
  enrol: (password) => portal.call('enrolPortalTwoFactor', { body: { password } }),
  confirmFactor: (code) => portal.call('confirmPortalTwoFactor', { body: { code } }),
  renewCodes: (body) => portal.call('renewPortalRecoveryCodes', { body }),
  disableFactor: (body) => portal.call('disablePortalTwoFactor', { body }),
  beginPasskey: (body) => portal.call('beginPortalPasskey', { body }),
  createPasskey: (body) => portal.call('createPortalPasskey', { body }),
  renamePasskey: (id, label) => portal.call('renamePortalPasskey', { params: { id }, body: { label } }),
  deletePasskey: (id, body) => portal.call('deletePortalPasskey', { params: { id }, body }),
  endSession: (id) => portal.call('deletePortalSessionById', { params: { id } }),
  endOtherSessions: () => portal.call('deletePortalOtherSessions', {}),
}
