import type { PortalEntry } from '../../api/portal.generated.ts'
import { useText } from '../../text/language.ts'
import type { IconName } from '../../ui/icon.tsx'
import { Icon } from '../../ui/icon.tsx'
import { STATEMENT } from './messages.ts'

const ICONS: Readonly<Record<PortalEntry['kind'], IconName>> = {
  deposit: 'wallet',
  adjustment: 'edit',
  payment: 'payments',
  refund: 'undo',
  commission: 'coin',
}

/** Type of an entry. It is no state, so it has an icon and no colour. */
export function EntryKind({ kind }: { kind: PortalEntry['kind'] }) {
  const { kinds } = useText(STATEMENT)
  return (
    <span className="row entry-kind">
      <Icon name={ICONS[kind]} />
      <span className="w">{kinds[kind]}</span>
    </span>
  )
}
