import { paymentWire } from '../payments/payment/snapshots.service.ts'
import { movementView } from './balance.view.ts'
import { envelopeOf } from './messages.view.ts'
import { SAMPLE_DESCRIPTION, subjectOfSample } from './samples.rules.ts'
import type { EventRef, ToldEvent } from './types.ts'

/** A sample as the event that it stands for. */
export function toldSample(ref: EventRef): ToldEvent {
  const told = { ref, type: ref.type ?? '', isSuperseded: false }
  const subject = subjectOfSample(ref)
  switch (subject.kind) {
    case 'payment':
      return { ...told, subject, data: paymentWire(subject.payment) }
    case 'balance':
      return { ...told, subject: { kind: 'balance' }, data: movementView(subject, SAMPLE_DESCRIPTION) }
    case 'catalog':
      return { ...told, subject, data: envelopeOf(subject.event) }
  }
}
