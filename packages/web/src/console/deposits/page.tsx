import { useState } from 'react'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { PageHead, Panel } from '../../ui/panel.tsx'
import { CONSOLE } from '../messages.ts'
import { PostingDialog } from '../parts/posting-dialog.tsx'
import { POSTING } from '../parts/posting-messages.ts'
import { useMay } from '../roles.ts'
import { useDepositFreshness } from './freshness.ts'
import { DEPOSITS } from './messages.ts'
import { DepositRequests } from './requests.tsx'

/** Which transfers wait to be compared with the bank. */
export function Page() {
  const text = useText(DEPOSITS)
  const posting = useText(POSTING)
  const pages = useText(CONSOLE)
  const may = useMay()
  const [isAsking, setAsking] = useState(false)
  useDepositFreshness()
  return (
    <>
      <PageHead
        title={pages.deposits}
        about={text.about}
        actions={
          may('money.write') ? (
            <Button look="primary" icon="plus" onClick={() => setAsking(true)}>
              {posting.newDeposit}
            </Button>
          ) : undefined
        }
      />
      <Panel isFlush>
        <DepositRequests />
      </Panel>
      {isAsking ? <PostingDialog kind="deposit" onClose={() => setAsking(false)} /> : null}
    </>
  )
}
