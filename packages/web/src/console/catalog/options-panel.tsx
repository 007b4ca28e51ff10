import { useState } from 'react'
import { useOperator } from '../../api/operator.ts'
import { useDelayed } from '../../shell/use-delayed.ts'
import { useText } from '../../text/language.ts'
import { countText } from '../../text/numbers.ts'
import { Icon } from '../../ui/icon.tsx'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { Money } from '../../ui/money.tsx'
import { Panel } from '../../ui/panel.tsx'
import { State } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { CATALOG } from './messages.ts'
import { PageSteps } from './parts.tsx'
import { textOf } from './product-document.ts'

const PAGE_ROWS = 20

type Option = Readonly<Record<string, unknown>>

/** Options of one field, searched on the server: a list of billers has thousands. */
export function OptionsPanel({ code, field, total }: { code: string; field: string; total: number }) {
  const text = useText(CATALOG)
  const [search, setSearch] = useState('')
  const [cursor, setCursor] = useState<string | undefined>(undefined)
  const settled = useDelayed(search)
  const reading = useOperator(
    'listCatalogueOptions',
    {
      params: { code },
      query: {
        field,
        limit: PAGE_ROWS,
        ...(settled.trim() === '' ? {} : { search: settled.trim() }),
        ...(cursor === undefined ? {} : { cursor }),
      },
    },
    { keepsFormer: true },
  )
  const columns = useOptionColumns()
  return (
    <Panel isFlush title={text.options} about={field} count={countText(total)}>
      <div className="filters">
        <label className="chip">
          <Icon name="search" />
          <input
            type="search"
            aria-label={`${text.options}: ${text.find}`}
            placeholder={text.find}
            value={search}
            onChange={(event) => {
              setSearch(event.target.value)
              setCursor(undefined)
            }}
          />
        </label>
      </div>
      <Loaded reading={reading} bones={5} empty={<Empty icon="search" title={text.noOptions} />}>
        {({ data, cursor: next, has_more: hasMore }) => (
          <>
            <Table
              caption={text.options}
              columns={columns}
              rows={data}
              rowKey={(option) => textOf(option.code)}
            />
            <PageSteps
              onFirst={cursor === undefined ? undefined : () => setCursor(undefined)}
              onNext={hasMore && next !== null ? () => setCursor(next) : undefined}
            >
              {text.shown(data.length)}
            </PageSteps>
          </>
        )}
      </Loaded>
    </Panel>
  )
}

function useOptionColumns(): readonly Column<Option>[] {
  const text = useText(CATALOG)
  return [
    {
      key: 'state',
      head: text.state,
      folded: 'shape',
      width: 130,
      cell: ({ is_active: isActive }) => (
        <State tone={isActive === true ? 'ok' : 'off'}>
          {isActive === true ? text.active : text.inactive}
        </State>
      ),
    },
    { key: 'label', head: text.label, folded: 'name', cell: ({ label }) => textOf(label) },
    {
      key: 'code',
      head: text.code,
      folded: 'detail',
      cell: ({ code }) => <span className="mono">{textOf(code)}</span>,
    },
    {
      key: 'denomination',
      head: text.denomination,
      isRight: true,
      folded: 'amount',
      cell: ({ denomination }) => (denomination === null ? '–' : <Money amount={textOf(denomination)} />),
    },
    {
      key: 'limits',
      head: text.limits,
      isRight: true,
      rank: 2,
      cell: ({ min_amount: min, max_amount: max }) =>
        min === null && max === null ? (
          '–'
        ) : (
          <>
            <Money amount={textOf(min) || '0.00'} />–
            {textOf(max) === '' ? '' : <Money amount={textOf(max)} />}
          </>
        ),
    },
  ]
}
