import type { ReactNode } from 'react'
import { useEffect, useState } from 'react'
import { useAskedProof } from '../api/signals.ts'
import type { ProofDialogProps } from './proof-dialog.tsx'

type Dialog = (props: ProofDialogProps) => ReactNode

/** Asks for a fresh proof while an act waits for it. The dialog is loaded then: most visits need none. */
export function AskedProof({ api }: Pick<ProofDialogProps, 'api'>) {
  const asked = useAskedProof()
  const [Dialog, setDialog] = useState<Dialog | undefined>(undefined)
  useEffect(() => {
    if (asked === undefined || Dialog !== undefined) return
    import('./proof-dialog.tsx').then(
      ({ ProofDialog }) => setDialog(() => ProofDialog),
      // Without the dialog there is no proof, and the act says that it wants one.
      () => asked.settle(false),
    )
  }, [asked, Dialog])
  return asked === undefined || Dialog === undefined ? null : <Dialog api={api} onSettled={asked.settle} />
}
