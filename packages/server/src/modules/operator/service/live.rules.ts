import type { LiveRow } from '../../events/live/live.types.ts'
import type { EventData } from '../../events/types.ts'
import type { OperatorCaller } from '../../sessions/people/types.ts'
import { scopeOf } from '../kit/approvals.rules.ts'
import type { Permission } from '../kit/roles.rules.ts'
import { mayDo } from '../kit/roles.rules.ts'

export type LiveReader = Pick<OperatorCaller, 'role' | 'operatorId'>

/** Fact of the feed of account 0 (alerts, approvals, cases, ledger), as it is sent to operators' pages. */
export type HouseChange = {
  readonly subject: 'alert' | 'approval' | 'case' | 'ledger'
  readonly change: string
  readonly data: EventData
  readonly at: Date
}

const SUBJECTS: readonly HouseChange['subject'][] = ['alert', 'approval', 'case', 'ledger']

/** Reads the facts of the house. Those of a later version are left out. */
export function houseChanges(rows: readonly LiveRow[]): HouseChange[] {
  return rows.flatMap(({ type, data, at }) => {
    const [name, change = ''] = (type ?? '').split('.')
    const subject = SUBJECTS.find((each) => each === name)
    return subject === undefined ? [] : [{ subject, change, data: data ?? {}, at }]
  })
}

/** Tells whether an operator may read what a message is about: pages are told what their reads would show. */
export function mayRead({ role, operatorId }: LiveReader, { subject, data }: HouseChange): boolean {
  switch (subject) {
    case 'alert':
      return mayDo(role, 'alerts.read')
    case 'case':
      return mayDo(role, 'cases.read')
    case 'ledger':
      return mayDo(role, 'ledger.read')
    case 'approval': {
      const scope = scopeOf({ role, operatorId })
      return (
        scope === null ||
        scope.kinds.some((kind) => kind === data.kind) ||
        data.requested_by === String(operatorId)
      )
    }
  }
}

export function readersWith(permission: Permission): (reader: LiveReader) => boolean {
  return ({ role }) => mayDo(role, permission)
}
