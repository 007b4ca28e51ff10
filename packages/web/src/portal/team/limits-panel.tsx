import { useState } from 'react'
import type { Member } from '../../api/portal.generated.ts'
import type { PortalOperations } from '../../api/portal.ts'
import { portal, portalKey, usePortal } from '../../api/portal.ts'
import { LIMITS } from '../../limits/messages.ts'
import { useText } from '../../text/language.ts'
import { moneyText } from '../../text/numbers.ts'
import { ActDialog } from '../../ui/act-dialog.tsx'
import type { FieldWords } from '../../ui/act-field.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { Panel } from '../../ui/panel.tsx'
import type { Column } from '../../ui/table.tsx'
import { actionHead, Table } from '../../ui/table.tsx'
import { useMay, useMember } from '../session.ts'
import { TEAM } from './messages.ts'

type MemberLimit = PortalOperations['portalListMemberLimits']['answer']['data'][number]['limits'][number]
type Row = { readonly member: Member; readonly limits: readonly MemberLimit[] }

/** Sums and numbers that each member may sell in a day and in a month, with what is used of them. */
export function MemberLimitsPanel() {
  const text = useText(TEAM)
  const members = usePortal('portalListMembers', {})
  const limits = usePortal('portalListMemberLimits', {})
  const [changing, setChanging] = useState<Row | undefined>(undefined)
  const columns = useColumns(setChanging)
  const known = new Map((limits.data?.data ?? []).map((each) => [each.member_id, each.limits]))
  return (
    <Panel title={text.limits} about={text.limitsAbout} isFlush>
      <Loaded reading={members} bones={3}>
        {({ data }) => {
          const rows = data
            .filter(({ role, id }) => known.has(id) || role === 'cashier' || role === 'manager')
            .map((member) => ({ member, limits: known.get(member.id) ?? [] }))
          return rows.length === 0 ? (
            <Empty icon="team" title={text.noSellers} about={text.noSellersAbout} />
          ) : (
            <Table caption={text.limits} columns={columns} rows={rows} rowKey={({ member }) => member.id} />
          )
        }}
      </Loaded>
      {changing === undefined ? null : <LimitsDialog row={changing} onClose={() => setChanging(undefined)} />}
    </Panel>
  )
}

function useColumns(onChange: (row: Row) => void): readonly Column<Row>[] {
  const text = useText(TEAM)
  const words = useText(LIMITS)
  const mayChange = useMay('member_limits.write')
  const { role } = useMember()
  const shown = (limits: readonly MemberLimit[], period: MemberLimit['period']) => {
    const limit = limits.find((each) => each.period === period)
    if (limit === undefined) return <span className="sub">{text.unlimited}</span>
    const { payments, sum, used_payments: used, used_sum: usedSum } = limit
    return [
      ...(payments === null ? [] : [text.usedOf(String(used ?? '…'), words.payments(payments))]),
      ...(sum === null ? [] : [text.usedOf(usedSum ?? '…', moneyText(sum, 'MYR'))]),
    ].join(', ')
  }
  const columns: Column<Row>[] = [
    {
      key: 'member',
      head: text.member,
      folded: 'name',
      cell: ({ member }) => <b className="strong">{member.username}</b>,
    },
    { key: 'day', head: text.inDay, folded: 'detail', cell: ({ limits }) => shown(limits, 'day') },
    { key: 'month', head: text.inMonth, cell: ({ limits }) => shown(limits, 'month') },
  ]
  if (!mayChange) return columns
  return [
    ...columns,
    {
      ...actionHead(text.change),
      cell: (row) =>
        row.member.is_self || (role !== 'admin' && row.member.role !== 'cashier') ? null : (
          <Button size="sm" aria-label={text.limitsOf(row.member.username)} onClick={() => onChange(row)}>
            {text.change}
          </Button>
        ),
    },
  ]
}

const SUM = /^\d{1,9}(?:\.\d{1,2})?$/
const COUNT = { type: 'integer', minimum: 0, maximum: 1_000_000_000 } as const
const AMOUNT = { type: 'string', maxLength: 12 } as const
const FORM = {
  id: 'portalPutMemberLimits',
  fields: { day_payments: COUNT, day_sum: AMOUNT, month_payments: COUNT, month_sum: AMOUNT },
} as const

type Given = { readonly [Name in keyof (typeof FORM)['fields']]?: number | string | null }

function LimitsDialog({ row, onClose }: { row: Row; onClose: () => void }) {
  const text = useText(TEAM)
  const words = useText(LIMITS)
  const of = (period: MemberLimit['period']) => row.limits.find((each) => each.period === period)
  const count = (label: string): FieldWords => ({ label, hint: words.zero, isHalf: true, isNeeded: false })
  const sum = (label: string): FieldWords => ({
    label,
    hint: words.zero,
    before: 'RM',
    inputMode: 'decimal',
    isNeeded: false,
    check: (value) => (value.trim() === '' || SUM.test(value.trim()) ? undefined : words.badSum),
  })
  return (
    <ActDialog
      act={FORM}
      title={text.limitsOf(row.member.username)}
      isDangerous={false}
      action={words.save}
      done={words.saved}
      stale={[portalKey('portalListMemberLimits')]}
      onClose={onClose}
      from={{
        day_payments: of('day')?.payments,
        day_sum: of('day')?.sum,
        month_payments: of('month')?.payments,
        month_sum: of('month')?.sum,
      }}
      fields={{
        day_payments: count(text.paymentsInDay),
        day_sum: sum(text.sumInDay),
        month_payments: count(text.paymentsInMonth),
        month_sum: sum(text.sumInMonth),
      }}
      send={(input) => {
        const { body = {} } = input as { body?: Given }
        return portal.call('portalPutMemberLimits', {
          params: { id: row.member.id },
          body: { limits: [...entry('day', body), ...entry('month', body)] },
        })
      }}
    >
      <p className="mid">{text.limitsAbout}</p>
    </ActDialog>
  )
}

function entry(period: MemberLimit['period'], given: Given) {
  const payments = (given[`${period}_payments`] ?? null) as number | null
  const sum = (given[`${period}_sum`] ?? null) as string | null
  return payments === null && sum === null ? [] : [{ period, payments, sum }]
}
