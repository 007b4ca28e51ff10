import type { ReactNode } from 'react'
import { useText } from '../../text/language.ts'
import { PARTS } from './messages.ts'

/** Says what waits for a second person, and leads there. */
export function ApprovalToast({ id, children }: { id: string; children: ReactNode }) {
  const text = useText(PARTS)
  return (
    <>
      {children}{' '}
      <a className="link" href={`/operator/approvals/${encodeURIComponent(id)}`}>
        {text.seeApproval}
      </a>
    </>
  )
}
