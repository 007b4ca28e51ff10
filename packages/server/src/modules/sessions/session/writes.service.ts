import type { Operation } from '../../../http/operation.ts'
import { assert } from '../../../lib/errors.ts'
import type { SessionsOptions } from '../people/settings.types.ts'
import { askingForProof } from './acts.service.ts'

/**
 * Classes of the writes of both APIs. A new write is put into one of them before it can be served, and the class
 * decides whether it asks for a fresh proof of its caller.
 */
export type WriteClass =
  /** Makes or widens access: always asks for a fresh proof. */
  | 'widens access'
  /** Some of its changes widen access: the service asks for a fresh proof at these (`holdProof`). */
  | 'may widen access'
  /** Makes access by a proof of its own: the password until now, a mailed token, a ceremony that a proof began. */
  | 'carries its own proof'
  /** Takes access away, from oneself or others. */
  | 'narrows access'
  /** Signs in or out, or gives a proof. */
  | 'signs in or out'
  | 'moves money'
  /** Changes what is sold, sent or told, and no access. */
  | 'settings and work'
  /** Changes nothing. */
  | 'reads'

/** Class of every operation that is no GET, by its operation id. */
export const WRITES: Readonly<Record<string, WriteClass>> = {
  // ── Both APIs: one's own sign-in ──
  ...ofBoth('signs in or out', (side) => [
    `create${side}Session`,
    `delete${side}Session`,
    `begin${side}PasskeySession`,
    `create${side}PasskeySession`,
    `begin${side}Proof`,
    `give${side}Proof`,
    `request${side}PasswordReset`,
  ]),
  ...ofBoth('narrows access', (side) => [`delete${side}OtherSessions`, `delete${side}SessionById`]),
  ...ofBoth('carries its own proof', (side) => [
    `change${side}Password`,
    `confirm${side}PasswordReset`,
    `confirm${side}TwoFactor`,
    `create${side}Passkey`,
  ]),
  ...ofBoth('widens access', (side) => [
    `enrol${side}TwoFactor`,
    `renew${side}RecoveryCodes`,
    `disable${side}TwoFactor`,
    `begin${side}Passkey`,
    `delete${side}Passkey`,
  ]),
  ...ofBoth('settings and work', (side) => [`rename${side}Passkey`]),

  // ── Portal ──
  createInvitation: 'widens access',
  deleteInvitation: 'narrows access',
  openSharedTill: 'widens access',
  closeSharedTill: 'narrows access',
  endPinLocks: 'widens access',
  setPin: 'widens access',
  removePin: 'narrows access',
  createPinSession: 'signs in or out',
  acceptInvitation: 'carries its own proof',
  portalChangeMember: 'widens access',
  portalCreateKey: 'widens access',
  portalChangeKey: 'may widen access',
  portalRotateKey: 'widens access',
  portalRevokeKey: 'widens access',
  portalAllowNetworks: 'widens access',
  portalDisallowNetwork: 'widens access',
  portalChangeSettings: 'may widen access',
  portalPutLimits: 'may widen access',
  portalPutMemberLimits: 'may widen access',
  portalPutEndpoint: 'widens access',
  portalChangeEndpoint: 'widens access',
  portalRotateEndpointSecret: 'widens access',
  // Receivers are also alarms: somebody who silences them hides a theft.
  portalDeleteEndpoint: 'widens access',
  portalPutCheckoutSettings: 'may widen access',
  portalTestEndpoint: 'settings and work',
  portalReplayDelivery: 'settings and work',
  portalReplayDeliveries: 'settings and work',
  portalAddThreshold: 'settings and work',
  portalRemoveThreshold: 'settings and work',
  portalSwitchMail: 'settings and work',
  portalSetMailLanguage: 'settings and work',
  portalApplyCatalogue: 'settings and work',
  portalScheduleBatch: 'widens access',
  portalResumeSchedule: 'widens access',
  portalStopSchedule: 'narrows access',
  portalKeepBatch: 'settings and work',
  portalKeepFavourite: 'settings and work',
  portalDropFavourite: 'settings and work',
  portalSaveFilter: 'settings and work',
  portalDropFilter: 'settings and work',
  portalPutReceiptHeader: 'settings and work',
  portalAddBranch: 'settings and work',
  portalChangeBranch: 'settings and work',
  portalAddTill: 'settings and work',
  portalChangeTill: 'settings and work',
  // A till opens shifts and lets nobody in.
  portalBindTill: 'settings and work',
  portalPutTillSettings: 'settings and work',
  portalOpenShift: 'settings and work',
  portalJoinShift: 'settings and work',
  portalMoveCash: 'settings and work',
  portalCloseShift: 'settings and work',
  portalPreviewCatalogue: 'reads',
  portalPreviewBulk: 'reads',
  portalQuote: 'reads',
  portalListPaymentStatuses: 'reads',
  portalCompareCanonical: 'reads',
  portalCompareBooks: 'reads',
  portalPay: 'moves money',
  portalReportDeposit: 'moves money',
  portalWithdrawDeposit: 'moves money',
  portalOpenDispute: 'moves money',
  portalOpenVoid: 'moves money',
  portalCreateOrder: 'moves money',
  portalConfirmOrder: 'moves money',
  portalCancelOrder: 'moves money',

  // ── Back office ──
  createOperatorToken: 'widens access',
  deleteOperatorToken: 'narrows access',
  createOperator: 'widens access',
  updateOperator: 'widens access',
  vouchForOperator: 'widens access',
  createResellerUser: 'widens access',
  updateResellerUser: 'widens access',
  updateReseller: 'may widen access',
  narrowResellerKey: 'narrows access',
  putResellerLimits: 'may widen access',
  putLevelLimits: 'may widen access',
  revokeResellerKey: 'narrows access',
  createReseller: 'settings and work',
  setResellerPermission: 'settings and work',
  createLevel: 'settings and work',
  updateLevel: 'settings and work',
  setLevelPrice: 'settings and work',
  importCatalogue: 'settings and work',
  switchProvider: 'settings and work',
  addProvider: 'widens access',
  upgradeProvider: 'widens access',
  setProviderProducts: 'settings and work',
  beginProviderProof: 'settings and work',
  mapUnknownAnswer: 'moves money',
  dismissUnknownAnswer: 'settings and work',
  setRoute: 'settings and work',
  removeRoute: 'settings and work',
  startOfferSync: 'settings and work',
  setOfferSchedule: 'settings and work',
  acceptOfferProposals: 'settings and work',
  rejectOfferProposals: 'settings and work',
  createNotice: 'settings and work',
  putNumberPlan: 'settings and work',
  endNotice: 'settings and work',
  takeCase: 'settings and work',
  writeCaseMessage: 'settings and work',
  refuseCase: 'settings and work',
  pauseEndpoint: 'settings and work',
  resumeEndpoint: 'settings and work',
  liftBlock: 'settings and work',
  clearAlert: 'settings and work',
  beginLedgerProof: 'settings and work',
  previewCatalogue: 'reads',
  compareResellerBooks: 'reads',
  requestDeposit: 'moves money',
  requestAdjustment: 'moves money',
  requestRate: 'settings and work',
  acceptDepositRequest: 'moves money',
  refuseDepositRequest: 'moves money',
  approveApproval: 'may widen access',
  stopApproval: 'carries its own proof',
  portalApproveApproval: 'may widen access',
  portalRefuseApproval: 'narrows access',
  refuseApproval: 'moves money',
  withdrawApproval: 'moves money',
  resolvePayment: 'moves money',
  resolveCase: 'moves money',
  approveCase: 'moves money',
}

function ofBoth(
  writeClass: WriteClass,
  idsOf: (side: 'Operator' | 'Portal') => readonly string[],
): Record<string, WriteClass> {
  return Object.fromEntries([...idsOf('Operator'), ...idsOf('Portal')].map((id) => [id, writeClass]))
}

/** Makes an operation ask for a fresh proof where its class says so. A write without a class is refused. */
export function byItsClass(options: SessionsOptions): (operation: Operation) => Operation {
  return (operation) => {
    if (operation.method === 'GET') return operation
    const { operationId } = operation.docs
    const writeClass = WRITES[operationId]
    assert(
      writeClass !== undefined,
      `${operationId} is a write with a class in sessions/session/writes.service.ts`,
    )
    if (writeClass === 'widens access') return askingForProof(options, operation, { isRequired: true })
    if (writeClass === 'may widen access') return askingForProof(options, operation, { isRequired: false })
    return operation
  }
}
