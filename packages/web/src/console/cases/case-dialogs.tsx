import type { ResellerCaseDetails } from '../../api/operator.generated.ts'
import {
  approveCase,
  refuseCase,
  resolveCase,
  takeCase,
  writeCaseMessage,
} from '../../api/operator-acts.generated.ts'
import { useText } from '../../text/language.ts'
import { ConsoleAct } from '../parts/act.tsx'
import { CASES } from './messages.ts'

export type Step = 'take' | 'message' | 'refuse' | 'resolve' | 'approve'

const CHANGED = ['getAnyCase', 'listAllCases', 'listApprovals', 'getPayment', 'getOperatorOverview'] as const

type CaseDialogProps = {
  readonly found: ResellerCaseDetails
  readonly step: Step
  readonly onClose: () => void
}

/** Asks before a step of a case. */
export function CaseDialog({ found: { number, kind }, step, onClose }: CaseDialogProps) {
  const text = useText(CASES)
  const common = { input: { params: { number } }, refresh: CHANGED, onClose }
  const message = { message: { label: text.message, rows: 5 } }
  switch (step) {
    case 'take':
      return (
        <ConsoleAct {...common} act={takeCase} title={text.takeTitle} action={text.take} done={text.taken}>
          <p className="mid">{text.takeAbout}</p>
        </ConsoleAct>
      )
    case 'message':
      return (
        <ConsoleAct
          {...common}
          act={writeCaseMessage}
          title={text.writeTitle}
          action={text.send}
          done={text.written}
          fields={message}
        >
          <p className="mid">{text.writeAbout}</p>
        </ConsoleAct>
      )
    case 'refuse':
      return (
        <ConsoleAct
          {...common}
          isDangerous
          act={refuseCase}
          title={text.refuseTitle}
          action={text.refuse}
          done={text.refusedDone}
          fields={message}
        >
          <p className="mid">{kind === 'void' ? text.refuseVoid : text.refuseDispute}</p>
        </ConsoleAct>
      )
    case 'resolve':
      return (
        <ConsoleAct
          {...common}
          act={resolveCase}
          title={text.resolveTitle}
          action={text.resolve}
          done={text.resolvedDone}
          fields={message}
        >
          <p className="mid">{text.resolveAbout}</p>
        </ConsoleAct>
      )
    case 'approve':
      return (
        <ConsoleAct
          {...common}
          isDangerous
          act={approveCase}
          title={text.approveTitle}
          action={text.approveAction}
          done={text.approvedDone}
          asked={text.askedDone}
          fields={{ evidence: { label: text.evidence, hint: text.evidenceHint, rows: 3 } }}
        >
          <p className="mid">{text.approveAbout}</p>
        </ConsoleAct>
      )
  }
}
