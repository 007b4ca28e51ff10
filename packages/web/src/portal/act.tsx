import type { AnswerOf } from '../api/client.ts'
import type { PortalOperations } from '../api/portal.ts'
import { portal, portalKey } from '../api/portal.ts'
import type { ActDialogProps, ActProps } from '../ui/act-dialog.tsx'
import { ActDialog } from '../ui/act-dialog.tsx'

type Id = keyof PortalOperations & string

type PortalActProps<I extends Id> = ActProps<PortalOperations, I> & {
  /** Throws the problem of an answer that is a refusal all the same. */
  readonly judge?: (answer: AnswerOf<PortalOperations[I]>) => void
}

/** Dialog of one act of the portal. */
export function PortalAct<I extends Id>(props: PortalActProps<I>) {
  return (
    <ActDialog
      {...(props as unknown as ActDialogProps)}
      send={async (input) => {
        const answer = await portal.call(props.act.id, input as never)
        props.judge?.(answer)
        return answer
      }}
      stale={(props.refresh ?? []).map((id) => portalKey(id))}
    />
  )
}
