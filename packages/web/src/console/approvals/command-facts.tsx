import type { Approval } from '../../api/operator.generated.ts'
import { useText } from '../../text/language.ts'
import { moneyText } from '../../text/numbers.ts'
import { Facts } from '../../ui/panel.tsx'
import { SHOWN_MEMBERS, sentenceOf } from './descriptions.ts'
import { APPROVALS } from './messages.ts'

/** Effect of a request: a sentence, its evidence and references; an unknown kind as JSON. */
export function CommandFacts({ approval }: { approval: Approval }) {
  const text = useText(APPROVALS)
  const { command, requested_by: by, reason } = approval
  const sentence = sentenceOf(approval, text)
  const members = SHOWN_MEMBERS.flatMap((name) => {
    const value = command[name]
    if (value === undefined || value === null || value === '') return []
    return [{ term: text.members[name], value: name === 'loss_last_month' ? moneyText(value, 'MYR') : value }]
  })
  return (
    <>
      {sentence === undefined ? (
        <pre className="code wrap">{JSON.stringify(command, null, 2)}</pre>
      ) : (
        <p className="does strong anywhere">{sentence}</p>
      )}
      <Facts
        isLeft
        facts={[
          ...(sentence === undefined ? [] : members),
          { term: text.asked, value: by },
          { term: text.reasonGiven, value: reason },
        ]}
      />
    </>
  )
}
