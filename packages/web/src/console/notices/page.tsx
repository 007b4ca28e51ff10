import { useState } from 'react'
import type { NetworkNotice } from '../../api/operator.generated.ts'
import { useOperator } from '../../api/operator.ts'
import { createNotice, endNotice } from '../../api/operator-acts.generated.ts'
import { useFilters } from '../../shell/navigation.tsx'
import { whenText, ZONE_NAME } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox, Segment } from '../../ui/field.tsx'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { PageHead, Panel } from '../../ui/panel.tsx'
import type { Tone } from '../../ui/state.tsx'
import { State } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { actionHead, Table } from '../../ui/table.tsx'
import { CONSOLE } from '../messages.ts'
import { ConsoleAct } from '../parts/act.tsx'
import { ProductFinder } from '../parts/finders.tsx'
import { FilterLine } from '../parts/pages.tsx'
import { useMay } from '../roles.ts'
import { NOTICES } from './messages.ts'

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

const TONES: Readonly<Record<NetworkNotice['state'], Tone>> = {
  scheduled: 'info',
  in_force: 'warning',
  over: 'off',
}

function useNoticeColumns(onEnd: (notice: NetworkNotice) => void): readonly Column<NetworkNotice>[] {
  const text = useText(NOTICES)
  const may = useMay()
  return [
    {
      key: 'state',
      head: text.state,
      folded: 'shape',
      width: 130,
      cell: ({ state }) => <State tone={TONES[state]}>{text.states[state]}</State>,
    },
    {
      key: 'target',
      head: text.target,
      folded: 'name',
      cell: ({ target, code }) => (
        <span className="who2">
          <span className="mono">{code}</span>
          <small className="wide-only">{text.targets[target]}</small>
        </span>
      ),
    },
    {
      key: 'message',
      head: text.message,
      folded: 'detail',
      className: 'wide-text',
      cell: ({ message }) => message,
    },
    {
      key: 'payments',
      head: text.payments,
      cell: ({ stops_payments: stops }) =>
        stops ? <State tone="bad">{text.refused}</State> : <span className="sub">{text.goOn}</span>,
    },
    {
      key: 'from',
      head: text.from(ZONE_NAME),
      folded: 'time',
      className: 'nowrap sub',
      cell: ({ starts_at: at }) => whenText(at),
    },
    {
      key: 'until',
      head: text.until,
      rank: 2,
      className: 'nowrap sub',
      cell: ({ ended_at: ended, ends_at: ends }) => {
        const end = ended ?? ends
        return end === null ? text.untilEnded : whenText(end)
      },
    },
    { key: 'by', head: text.by, rank: 3, className: 'cut', cell: ({ created_by: by }) => by },
    ...(may('notices.write')
      ? [
          {
            ...actionHead(text.end),
            cell: (notice: NetworkNotice) =>
              notice.state === 'over' ? null : (
                <Button size="sm" onClick={() => onEnd(notice)} aria-label={text.endTitle(notice.code)}>
                  {text.end}
                </Button>
              ),
          },
        ]
      : []),
  ]
}

type Target = NetworkNotice['target']

const TARGETS: readonly Target[] = ['product', 'category', 'provider']

function noticeTargetOf(text: unknown): Target {
  return TARGETS.find((each) => each === text) ?? 'product'
}

type NewNoticeProps = { readonly target: Target; readonly code: string; readonly onClose: () => void }

function NewNoticeDialog({ target: firstTarget, code: firstCode, onClose }: NewNoticeProps) {
  const text = useText(NOTICES)
  return (
    <ConsoleAct
      act={createNotice}
      title={text.addTitle}
      action={text.post}
      done={text.posted}
      refresh={['listNotices']}
      onClose={onClose}
      from={{ target: firstTarget, code: firstCode }}
      fields={(values) => {
        const target = noticeTargetOf(values.target)
        return {
          target: {
            label: text.target,
            draw: ({ onValue }) => (
              <div className="field">
                <div>
                  <Segment
                    label={text.target}
                    value={target}
                    onValue={(next) => onValue(next, { code: '' })}
                    options={TARGETS.map((value) => ({ value, label: text.targets[value] }))}
                  />
                </div>
                <span className="hint">{text.targetAbout[target]}</span>
              </div>
            ),
          },
          code:
            target === 'product'
              ? {
                  label: text.product,
                  draw: ({ value, onValue, error }) => (
                    <ProductFinder
                      label={text.product}
                      first={value === '' ? undefined : { value: String(value), label: String(value) }}
                      onCode={onValue}
                      error={error}
                    />
                  ),
                }
              : { label: text.code, hint: text.codeHint[target] },
          message: { label: text.message, hint: text.messageHint, rows: 2 },
          starts_at: {
            label: text.starts(ZONE_NAME),
            hint: text.startsHint,
            type: 'datetime-local',
            isHalf: true,
          },
          ends_at: { label: text.ends(ZONE_NAME), hint: text.endsHint, type: 'datetime-local' },
          stops_payments: { label: text.stops },
        }
      }}
    >
      <p className="mid">{text.addAbout}</p>
    </ConsoleAct>
  )
}
