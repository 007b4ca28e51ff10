import { SESSION_READ } from '../../api/client.ts'
import { operator, operatorKey, useOperator } from '../../api/operator.ts'
import type { AccountApi } from '../../people/account-api.ts'

export const ACCOUNT_API: AccountApi = {
  useFactor: () => useOperator('getOperatorTwoFactor', {}),
  usePasskeys: () => useOperator('listOperatorPasskeys', {}),
  useSessions: () => useOperator('listOperatorSessions', {}),
  keys: {
    session: operatorKey('getOperatorSession', SESSION_READ),
    factor: operatorKey('getOperatorTwoFactor'),
    passkeys: operatorKey('listOperatorPasskeys'),
    sessions: operatorKey('listOperatorSessions'),
  },
  setCsrfToken: operator.setCsrfToken,
  live: '/operator/v1/live',
  changePassword: (body) => operator.call('changeOperatorPassword', { body }),
  prove: (body) => operator.call('giveOperatorProof', { body }),
  beginProof: () => operator.call('beginOperatorProof', {}),
  enrol: (password) => operator.call('enrolOperatorTwoFactor', { body: { password } }),
  confirmFactor: (code) => operator.call('confirmOperatorTwoFactor', { body: { code } }),
  renewCodes: (body) => operator.call('renewOperatorRecoveryCodes', { body }),
  disableFactor: (body) => operator.call('disableOperatorTwoFactor', { body }),
  beginPasskey: (body) => operator.call('beginOperatorPasskey', { body }),
  createPasskey: (body) => operator.call('createOperatorPasskey', { body }),
  renamePasskey: (id, label) => operator.call('renameOperatorPasskey', { params: { id }, body: { label } }),
  deletePasskey: (id, body) => operator.call('deleteOperatorPasskey', { params: { id }, body }),
  endSession: (id) => operator.call('deleteOperatorSessionById', { params: { id } }),
  endOtherSessions: () => operator.call('deleteOperatorOtherSessions', {}),
}
