import { useState } from 'react'
import type { PriceLevel } from '../../api/operator.generated.ts'
import { useOperator } from '../../api/operator.ts'
import { createLevel } from '../../api/operator-acts.generated.ts'
import { useGo } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import { countText } from '../../text/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { PageHead, Panel } from '../../ui/panel.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { useMayChangeCatalog } from '../catalog/parts.tsx'
import { CONSOLE } from '../messages.ts'
import { ConsoleAct } from '../parts/act.tsx'
import { LEVELS } from './messages.ts'

/** At which prices do resellers buy. */
export function Page() {
  const text = useText(LEVELS)
  const pages = useText(CONSOLE)
  const mayChange = useMayChangeCatalog()
  const go = useGo()
  const [isAdding, setAdding] = useState(false)
  const reading = useOperator('listLevels', {})
  const columns: readonly Column<PriceLevel>[] = [
    {
      key: 'name',
      head: text.level,
      folded: 'name',
      cell: ({ name }) => <span className="mid-weight">{name}</span>,
    },
    {
      key: 'code',
      head: text.code,
      folded: 'detail',
      cell: ({ code }) => <span className="mono">{code}</span>,
    },
    {
      key: 'prices',
      head: text.prices,
      isRight: true,
      folded: 'amount',
      cell: ({ prices }) => countText(prices),
    },
  ]
  return (
    <>
      <PageHead
        title={pages.levels}
        about={text.about}
        actions={
          mayChange ? (
            <Button icon="plus" onClick={() => setAdding(true)}>
              {text.add}
            </Button>
          ) : null
        }
      />
      <Panel isFlush>
        <Loaded reading={reading} empty={<Empty icon="tree" title={text.none} about={text.noneAbout} />}>
          {({ data }) => (
            <Table
              caption={text.caption}
              columns={columns}
              rows={data}
              rowKey={({ code }) => code}
              linkTo={({ code }) => ({ to: `/operator/levels/${code}` })}
            />
          )}
        </Loaded>
      </Panel>
      {isAdding ? (
        <ConsoleAct
          act={createLevel}
          title={text.addTitle}
          action={text.add}
          done={text.added}
          refresh={['listLevels']}
          onDone={({ data }) => go(`/operator/levels/${data.code}`)}
          onClose={() => setAdding(false)}
          fields={{ code: { label: text.code, hint: text.codeHint }, name: { label: text.name } }}
        >
          <p className="mid">{text.addAbout}</p>
        </ConsoleAct>
      ) : null}
    </>
  )
}
