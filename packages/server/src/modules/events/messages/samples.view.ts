import { paymentView } from '../../payments/core/view.ts'
import type { LoadedEvent, TestRef } from '../types.ts'
import { movementView } from './balance.view.ts'
import { envelopeOf } from './messages.view.ts'
import { SAMPLE_DESCRIPTION, subjectOfSample } from './samples.rules.ts'

/** Loads a sample as the event that it is an example of. */
export function sampleEvent(ref: TestRef): LoadedEvent {
  const event = { ref, type: ref.type, isSuperseded: false }
  const subject = subjectOfSample(ref)
  switch (subject.kind) {
    case 'payment':
      return { ...event, subject, data: paymentView(subject.payment) }
    case 'balance':
      return { ...event, subject: { kind: 'balance' }, data: movementView(subject, SAMPLE_DESCRIPTION) }
    case 'order':
      return { ...event, subject: { kind: 'order' }, data: subject.data }
    case 'catalog':
      return { ...event, subject, data: envelopeOf(subject.event) }
  }
}
