import { Type } from 'typebox'
import { input, member, optionalMember } from '../../../http/codec.ts'
import { documentedAs } from '../../../http/parameters.ts'
import { enumOf } from '../../../http/schemas.ts'
import { optional } from '../../../lib/input/parameters.ts'
import { REFERENCE } from '../../../lib/input/records.ts'
import { act } from '../../acts/service.ts'
import type { By } from '../../acts/types.ts'
import type { Done } from '../../audit/types.ts'
import { approved, lockOfCase } from '../../cases/acts.ts'
import { OF_CASE } from '../../cases/operators.codec.ts'
import type { OperatorReport } from '../../cases/operators.service.ts'
import { CASE_FIELDS, getAnyCase } from '../../cases/operators.service.ts'
import { stateOf } from '../../payments/core/states.rules.ts'
import type { AnyPaymentReport } from '../../payments/read/search.service.ts'
import { resolveStuckPayment } from '../../payments/support/support.service.ts'
import type { DecisionWorld } from './alone.service.ts'
import { decide } from './alone.service.ts'
import { PAYMENT_ID, RESOLUTION_RULES, SEARCH_RULES } from './payments.rules.ts'
import { getForOperators } from './payments.service.ts'

// Decisions on an operator's word that give money back or keep it, within the limits of one operator.

/** Name of a run at the machine: the same one decides nothing twice. */
const RUN = { reference: optionalMember(optional(REFERENCE, null)) }

const given = 'succeeded: the value that the provider gave'

const RESOLUTION = input({
  paymentId: member(PAYMENT_ID, {
    schema: documentedAs(SEARCH_RULES.id, Type.String()),
    identifies: 'payment',
  }),
  as: member(RESOLUTION_RULES.as, {
    schema: enumOf(['succeeded', 'failed'], 'failed gives the money back'),
    option: { value: 'STATE', help: 'succeeded or failed' },
  }),
  evidence: member(RESOLUTION_RULES.evidence, { description: "How you know; for the payment's timeline" }),
  serialNumber: optionalMember(RESOLUTION_RULES.serialNumber, {
    description: given,
    option: { name: 'sn', value: 'TEXT', help: "succeeded: the provider's serial number" },
  }),
  pin: optionalMember(RESOLUTION_RULES.pin, { description: given }),
  ...RUN,
})

/** Ends a payment past its due time with the result that an operator found out. */
export const resolvePayment = act({
  name: 'payment.resolve',
  input: RESOLUTION,
  approval: {
    kind: 'payment_resolution',
    target: ({ paymentId }) => ({ kind: 'payment', id: String(paymentId) }),
    write: ({ paymentId, as, evidence, serialNumber = '', pin = '' }) => ({
      payment_id: String(paymentId),
      as,
      evidence,
      serial_number: serialNumber,
      pin,
    }),
    read: RESOLUTION.read,
    isRepeatable: () => false,
  },
  run(tx, { paymentId, reference = null, ...decision }, by: By<DecisionWorld>) {
    const settings = { database: by.database, vault: by.world.vault }
    const find = () => getForOperators(settings, String(paymentId))
    const { as, evidence, serialNumber = '', pin = '' } = decision
    return decide(tx, by, {
      about: find,
      async work(): Promise<Done<AnyPaymentReport>> {
        const before = await find()
        const said = { as, serialNumber, pin, reason: evidence }
        await resolveStuckPayment(settings, before.resellerId, { id: paymentId }, said)
        const result = await find()
        const words = { evidence, serial_number: serialNumber, pin }
        return {
          target: { kind: 'payment', id: String(paymentId) },
          before: resolutionOutcome(before),
          after: { ...resolutionOutcome(result), ...words, ...(reference !== null && { reference }) },
          result,
        }
      },
    })
  },
})

/** State of a payment, as the outcome of its approval shows it. */
export function resolutionOutcome({ payment: { code } }: AnyPaymentReport) {
  return { state: stateOf(code), code }
}

const VOID = input({
  number: OF_CASE,
  evidence: member(CASE_FIELDS.evidence, {
    description: "How you know that the biller approved; for the payment's timeline, 1 to 500 characters",
    option: { value: 'TEXT', help: "your proof; for the payment's timeline, not shown to the reseller" },
  }),
  ...RUN,
})

/** Refunds a payment whose void the biller approved. */
export const approveVoid = act({
  name: 'case.approve',
  input: VOID,
  lock: lockOfCase,
  approval: {
    kind: 'void',
    target: ({ number }) => ({ kind: 'case', id: number }),
    write: ({ number, evidence }) => ({ case: number, evidence }),
    read: ({ case: number, evidence }) => VOID.read({ number, evidence }),
    isRepeatable: () => false,
  },
  run(tx, { number, evidence, reference = null }, by: By<DecisionWorld>) {
    const { database } = by
    return decide(tx, by, {
      async about() {
        const { case: found } = await getAnyCase({ database }, number)
        return getForOperators({ database, vault: by.world.vault }, String(found.paymentId))
      },
      async work(): Promise<Done<OperatorReport>> {
        const done = await approved(database, number, evidence)
        return reference === null ? done : { ...done, after: { ...(done.after as object), reference } }
      },
      shown: ({ payment: { id } }) => ({ payment_id: String(id) }),
    })
  },
})
