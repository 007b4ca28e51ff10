import { useState } from 'react'
import type { UpgradeOfAPack } from '../../api/operator.generated.ts'
import { upgradeProvider } from '../../api/operator-acts.generated.ts'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { State } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { ConsoleAct } from '../parts/act.tsx'
import { PACK } from './pack-messages.ts'

type Difference = UpgradeOfAPack['differences'][number]

/** Changes that the newest version of the pack would make, and a button that takes them over. */
export function UpgradePanel({ upgrade }: { upgrade: UpgradeOfAPack }) {
  const text = useText(PACK)
  const [isAccepting, setAccepting] = useState(false)
  const columns = useColumns()
  const { provider: code, from, to, says, differences } = upgrade
  return (
    <Panel
      isFlush
      title={text.upgrade(from, to)}
      about={says}
      actions={
        <Button size="sm" icon="check" onClick={() => setAccepting(true)}>
          {text.accept}
        </Button>
      }
    >
      {differences.length === 0 ? (
        <p className="sub small pad">{text.noDifference}</p>
      ) : (
        <Table
          caption={text.upgrade(from, to)}
          columns={columns}
          rows={differences}
          rowKey={({ path }) => path}
        />
      )}
      {isAccepting ? (
        <ConsoleAct
          act={upgradeProvider}
          input={{ params: { code } }}
          title={text.acceptTitle(to)}
          action={text.accept}
          asked={text.asked}
          done={text.accepted}
          refresh={['getProviderPack', 'getProvider', 'listApprovals']}
          onClose={() => setAccepting(false)}
        >
          <p className="mid">{text.acceptAbout}</p>
        </ConsoleAct>
      ) : null}
    </Panel>
  )
}

function useColumns(): readonly Column<Difference>[] {
  const text = useText(PACK)
  const value = (each: unknown) => (
    <span className="mono small anywhere">
      {each === null || each === undefined ? text.none : JSON.stringify(each)}
    </span>
  )
  return [
    {
      key: 'path',
      head: text.place,
      folded: 'name',
      className: 'wide-text',
      cell: ({ path, kept }) => (
        <>
          <span className="mono">{path}</span> {kept ? <State tone="info">{text.kept}</State> : null}
        </>
      ),
    },
    {
      key: 'now',
      head: text.before,
      folded: 'detail',
      className: 'wide-text',
      cell: ({ now }) => value(now),
    },
    {
      key: 'next',
      head: text.after,
      folded: 'time',
      className: 'wide-text',
      cell: ({ next }) => value(next),
    },
  ]
}
