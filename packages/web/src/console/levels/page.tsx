import { useState } from 'react'
import type { PriceLevel } from '../../api/operator.generated.ts'
import { operator, operatorKey, useOperator } from '../../api/operator.ts'
import { useGo } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import { countText } from '../../text/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { PageHead, Panel } from '../../ui/panel.tsx'
import { fieldError } from '../../ui/problem.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { useAction } from '../../ui/use-action.ts'
import { useMayChangeCatalog } from '../catalog/permission.ts'
import { CONSOLE } from '../messages.ts'
import { ReasonField } from '../parts/reason-dialog.tsx'
import { LEVELS } from './messages.ts'

/** At which prices do resellers buy. */
export function Page() {
  const text = useText(LEVELS)
  const pages = useText(CONSOLE)
  const mayChange = useMayChangeCatalog()
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
        <Loaded reading={reading}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty icon="tree" title={text.none} about={text.noneAbout} />
            ) : (
              <Table
                caption={text.caption}
                columns={columns}
                rows={data}
                rowKey={({ code }) => code}
                linkTo={({ code }) => ({ to: `/operator/levels/${code}` })}
              />
            )
          }
        </Loaded>
      </Panel>
      {isAdding ? <AddDialog onClose={() => setAdding(false)} /> : null}
    </>
  )
}

function AddDialog({ onClose }: { onClose: () => void }) {
  const text = useText(LEVELS)
  const go = useGo()
  const [code, setCode] = useState('')
  const [name, setName] = useState('')
  const [reason, setReason] = useState('')
  const action = useAction({
    act: () =>
      operator.call('createLevel', {
        body: { code: code.trim(), name: name.trim(), reason: reason.trim() },
      }),
    done: () => text.added,
    refresh: [operatorKey('listLevels')],
    onDone: (answer) => go(`/operator/levels/${answer.data.code}`),
  })
  return (
    <ConfirmDialog
      title={text.addTitle}
      action={text.add}
      isDangerous={false}
      isBusy={action.isBusy}
      error={action.error}
      isReady={[code, name, reason].every((each) => each.trim() !== '')}
      onConfirm={() => action.run()}
      onClose={onClose}
    >
      <p className="mid">{text.addAbout}</p>
      <TextField
        label={text.code}
        hint={text.codeHint}
        error={fieldError(action.error, 'code')}
        value={code}
        maxLength={40}
        onValue={setCode}
      />
      <TextField
        label={text.name}
        error={fieldError(action.error, 'name')}
        value={name}
        maxLength={100}
        onValue={setName}
      />
      <ReasonField value={reason} onValue={setReason} />
    </ConfirmDialog>
  )
}
