import { useState } from 'react'
import type { NetworkNotice } from '../../api/operator.generated.ts'
import { useOperator } from '../../api/operator.ts'
import { endNotice } from '../../api/operator-acts.generated.ts'
import { useFilters } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { PageHead, Panel } from '../../ui/panel.tsx'
import { Table } from '../../ui/table.tsx'
import { CONSOLE } from '../messages.ts'
import { ConsoleAct } from '../parts/act.tsx'
import { FilterLine } from '../parts/filters.tsx'
import { useMay } from '../roles.ts'
import { useNoticeColumns } from './columns.tsx'
import { NOTICES } from './messages.ts'
import { NewNoticeDialog, noticeTargetOf } from './new-notice-dialog.tsx'

/** Notices that resellers see about interruptions. A link with `target` and `code` opens a new notice about them. */
export function Page() {
  const text = useText(NOTICES)
  const pages = useText(CONSOLE)
  const may = useMay()
  const [search, change] = useFilters()
  const isAll = search.all === 'true'
  const reading = useOperator('listNotices', { query: isAll ? { all: true } : {} }, { keepsFormer: true })
  const [isAdding, setAdding] = useState(search.target !== undefined && search.code !== undefined)
  const [ended, setEnded] = useState<NetworkNotice | undefined>(undefined)
  const columns = useNoticeColumns(setEnded)
  return (
    <>
      <PageHead
        title={pages.notices}
        about={text.about}
        actions={
          may('notices.write') ? (
            <Button look="primary" icon="plus" onClick={() => setAdding(true)}>
              {text.add}
            </Button>
          ) : undefined
        }
      />
      <Panel isFlush>
        <FilterLine>
          <Checkbox
            label={text.withOver}
            isOn={isAll}
            onToggle={(isOn) => change({ all: isOn ? 'true' : undefined })}
          />
        </FilterLine>
        <Loaded
          reading={reading}
          bones={4}
          empty={<Empty icon="flag" title={text.none} about={text.noneAbout} />}
        >
          {({ data }) => (
            <Table caption={text.caption} columns={columns} rows={data} rowKey={({ id }) => id} />
          )}
        </Loaded>
      </Panel>
      {isAdding && may('notices.write') ? (
        <NewNoticeDialog
          target={noticeTargetOf(search.target)}
          code={search.code ?? ''}
          onClose={() => {
            setAdding(false)
            change({ target: undefined, code: undefined })
          }}
        />
      ) : null}
      {ended === undefined ? null : (
        <ConsoleAct
          act={endNotice}
          input={{ params: { id: ended.id } }}
          title={text.endTitle(ended.code)}
          action={text.end}
          keep={text.keep}
          done={text.ended}
          refresh={['listNotices']}
          onClose={() => setEnded(undefined)}
        >
          <p className="mid">{text.endAbout}</p>
        </ConsoleAct>
      )}
    </>
  )
}
