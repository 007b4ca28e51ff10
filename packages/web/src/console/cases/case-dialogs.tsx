import { useState } from 'react'
import type { ResellerCaseDetails } from '../../api/operator.generated.ts'
import { operator, operatorKey } from '../../api/operator.ts'
import { useText } from '../../text/language.ts'
import { TextAreaField } from '../../ui/field.tsx'
import { fieldError } from '../../ui/problem.tsx'
import { say } from '../../ui/toast.tsx'
import { useAction } from '../../ui/use-action.ts'
import { ReasonDialog } from '../parts/reason-dialog.tsx'
import { CASES } from './messages.ts'

type DialogProps = { readonly found: ResellerCaseDetails; readonly onClose: () => void }

const MESSAGE_LENGTH_MAX = 500
const EVIDENCE_LENGTH_MAX = 500

const CHANGED = [
  operatorKey('getAnyCase'),
  operatorKey('listAllCases'),
  operatorKey('listApprovals'),
  operatorKey('getPayment'),
  operatorKey('getOperatorOverview'),
]

export function TakeDialog({ found: { number }, onClose }: DialogProps) {
  const text = useText(CASES)
  const action = useAction({
    act: (reason: string) => operator.call('takeCase', { params: { number }, body: { reason } }),
    done: () => text.taken,
    refresh: CHANGED,
    onDone: onClose,
  })
  return (
    <ReasonDialog
      title={text.takeTitle}
      action={text.take}
      isBusy={action.isBusy}
      error={action.error}
      onConfirm={action.run}
      onClose={onClose}
    >
      <p className="mid">{text.takeAbout}</p>
    </ReasonDialog>
  )
}

const OPERATIONS = { message: 'writeCaseMessage', refuse: 'refuseCase', resolve: 'resolveCase' } as const

/** Steps that tell the reseller something: a message, a refusal, the result of a dispute. */
export function MessageDialog({
  found: { number, kind },
  step,
  onClose,
}: DialogProps & { step: keyof typeof OPERATIONS }) {
  const text = useText(CASES)
  const [message, setMessage] = useState('')
  const words = {
    message: { title: text.writeTitle, about: text.writeAbout, action: text.send, done: text.written },
    refuse: {
      title: text.refuseTitle,
      about: kind === 'void' ? text.refuseVoid : text.refuseDispute,
      action: text.refuse,
      done: text.refusedDone,
    },
    resolve: {
      title: text.resolveTitle,
      about: text.resolveAbout,
      action: text.resolve,
      done: text.resolvedDone,
    },
  }[step]
  const action = useAction({
    act: (reason: string) =>
      operator.call(OPERATIONS[step], { params: { number }, body: { message: message.trim(), reason } }),
    done: () => words.done,
    refresh: CHANGED,
    onDone: onClose,
  })
  return (
    <ReasonDialog
      title={words.title}
      action={words.action}
      isDangerous={step === 'refuse'}
      isBusy={action.isBusy}
      error={action.error}
      isReady={message.trim() !== ''}
      onConfirm={action.run}
      onClose={onClose}
    >
      <p className="mid">{words.about}</p>
      <TextAreaField
        label={text.message}
        value={message}
        onValue={setMessage}
        error={fieldError(action.error, 'message')}
        maxLength={MESSAGE_LENGTH_MAX}
        rows={5}
      />
    </ReasonDialog>
  )
}

/** The biller approved a void: the refund, alone or through a second person. */
export function ApproveDialog({ found: { number }, onClose }: DialogProps) {
  const text = useText(CASES)
  const [evidence, setEvidence] = useState('')
  const action = useAction({
    act: (reason: string) =>
      operator.call('approveCase', { params: { number }, body: { evidence: evidence.trim(), reason } }),
    refresh: CHANGED,
    onDone: ({ data }) => {
      // A request for an approval has a command; a case has none.
      if ('command' in data) say(text.askedDone, 'wait')
      else say(text.approvedDone)
      onClose()
    },
  })
  return (
    <ReasonDialog
      title={text.approveTitle}
      action={text.approveAction}
      isDangerous
      isBusy={action.isBusy}
      error={action.error}
      isReady={evidence.trim() !== ''}
      onConfirm={action.run}
      onClose={onClose}
    >
      <p className="mid">{text.approveAbout}</p>
      <TextAreaField
        label={text.evidence}
        hint={text.evidenceHint}
        value={evidence}
        onValue={setEvidence}
        error={fieldError(action.error, 'evidence')}
        maxLength={EVIDENCE_LENGTH_MAX}
      />
    </ReasonDialog>
  )
}
