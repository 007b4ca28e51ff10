import type { QueryKey } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiProblem } from '../api/errors.ts'
import { dateTimeText } from '../text/dates.ts'
import { useText } from '../text/language.ts'
import { moneyText } from '../text/numbers.ts'
import type { Values } from '../ui/act-dialog.tsx'
import { ActDialog } from '../ui/act-dialog.tsx'
import type { FieldWords } from '../ui/act-field.tsx'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/loaded.tsx'
import { Panel } from '../ui/panel.tsx'
import type { Column } from '../ui/table.tsx'
import { actionHead, Table } from '../ui/table.tsx'
import { LIMITS } from './messages.ts'
import './limits.css'

export type Limit = {
  readonly scope: 'account' | 'reseller'
  readonly period: 'day' | 'month'
  readonly category: string | null
  readonly payments: number | null
  readonly sum: string | null
}

type LimitInForce = Limit & {
  readonly used_payments: number | null
  readonly used_sum: string | null
  readonly resets_at: string
  readonly set_by: 'operator' | 'reseller'
}

type Row = Limit & { readonly use: LimitInForce | undefined; readonly isOwn: boolean }

export type LimitsPanelProps = {
  /** Side whose limits can be changed here. */
  readonly setBy: 'operator' | 'reseller'
  readonly limits: readonly Limit[]
  /** All that hold, whoever set them. */
  readonly inForce: readonly LimitInForce[]
  /** Words of who set a limit that cannot be changed here. */
  readonly others: Readonly<Record<LimitInForce['set_by'], string>>
  readonly about: string
  /** Replaces the whole list; left out for those who may only look. */
  readonly save?: (limits: readonly Limit[], reason: string) => Promise<unknown>
  /** Words of the reason that a change needs; left out where it needs none. */
  readonly reason?: FieldWords
  readonly stale: readonly QueryKey[]
}

type Open = { readonly what: 'set' | 'remove'; readonly limit: Limit | undefined }

/** Limits of payments: what holds and what is used, and the dialogs that change one of them. */
export function LimitsPanel(props: LimitsPanelProps) {
  const { limits, inForce, setBy, save } = props
  const text = useText(LIMITS)
  const [open, setOpen] = useState<Open | undefined>(undefined)
  const rows = rowsOf(limits, inForce, setBy)
  const columns = useColumns(props, save === undefined ? undefined : setOpen)
  const close = () => setOpen(undefined)
  return (
    <Panel
      isFlush
      title={text.title}
      count={rows.length}
      actions={
        save === undefined ? undefined : (
          <Button size="sm" icon="plus" onClick={() => setOpen({ what: 'set', limit: undefined })}>
            {text.add}
          </Button>
        )
      }
    >
      <p className="limits-about">{props.about}</p>
      {rows.length === 0 ? (
        <Empty icon="check" title={text.none} about={text.noneAbout} />
      ) : (
        <Table
          caption={text.title}
          columns={columns}
          rows={rows}
          rowKey={(row) => `${keyOf(row)} ${row.isOwn ? 'own' : row.use?.set_by}`}
        />
      )}
      {open?.what === 'set' ? <SetDialog {...props} limit={open.limit} onClose={close} /> : null}
      {open?.what === 'remove' && open.limit !== undefined ? (
        <RemoveDialog {...props} limit={open.limit} onClose={close} />
      ) : null}
    </Panel>
  )
}

/** A limit is named by what it is about: there is one of each. */
function keyOf({ scope, period, category }: Limit): string {
  return [scope, period, category ?? ''].join(' ')
}

function rowsOf(
  limits: readonly Limit[],
  inForce: readonly LimitInForce[],
  setBy: LimitsPanelProps['setBy'],
): Row[] {
  const own = limits.map((limit) => {
    const use = inForce.find((each) => each.set_by === setBy && keyOf(each) === keyOf(limit))
    return { ...limit, use, isOwn: true }
  })
  const used = new Set(own.map(({ use }) => use))
  const others = inForce.filter((each) => !used.has(each)).map((use) => ({ ...use, use, isOwn: false }))
  return [...own, ...others].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
}

function useColumns(
  { others }: LimitsPanelProps,
  open: ((next: Open) => void) | undefined,
): readonly Column<Row>[] {
  const text = useText(LIMITS)
  const name = useNameOf()
  const count = (payments: number | null) => (payments === null ? '–' : text.payments(payments))
  const sum = (amount: string | null) => (amount === null ? '–' : moneyText(amount, 'MYR'))
  const listed = (payments: number | null, amount: string | null) =>
    [...(payments === null ? [] : [count(payments)]), ...(amount === null ? [] : [sum(amount)])].join(', ')
  const most = ({ payments, sum: amount }: Limit) => text.most(listed(payments, amount))
  const columns: Column<Row>[] = [
    {
      key: 'of',
      head: text.of,
      folded: 'name',
      cell: (row) => (
        <>
          {name(row)}
          <span className="pw"> {most(row)}</span>
        </>
      ),
    },
    { key: 'payments', head: text.number, isRight: true, cell: ({ payments }) => count(payments) },
    { key: 'sum', head: text.sum, isRight: true, cell: (row) => sum(row.sum) },
    {
      key: 'used',
      head: text.used,
      isRight: true,
      folded: 'detail',
      cell: ({ payments, sum: ofSum, use }) =>
        use === undefined ? (
          '–'
        ) : use.used_payments === null && use.used_sum === null ? (
          <span className="sub">{text.ofEach}</span>
        ) : (
          listed(payments === null ? null : use.used_payments, ofSum === null ? null : use.used_sum)
        ),
    },
    {
      key: 'resets',
      head: text.resets,
      rank: 2,
      className: 'sub nowrap',
      cell: ({ use }) => (use === undefined ? '–' : dateTimeText(use.resets_at)),
    },
  ]
  const by: Column<Row> = {
    key: 'by',
    head: text.setBy,
    folded: 'time',
    cell: ({ use, isOwn }) => (isOwn || use === undefined ? text.here : others[use.set_by]),
  }
  const acts: Column<Row> = {
    ...actionHead(text.change),
    cell: (row) =>
      row.isOwn ? (
        <span className="row tight-acts">
          <Button
            size="sm"
            aria-label={text.changeOf(name(row))}
            onClick={() => open?.({ what: 'set', limit: row })}
          >
            {text.change}
          </Button>
          <Button
            size="sm"
            look="danger-quiet"
            aria-label={text.removeOf(name(row))}
            onClick={() => open?.({ what: 'remove', limit: row })}
          >
            {text.remove}
          </Button>
        </span>
      ) : null,
  }
  return [...columns, by, ...(open === undefined ? [] : [acts])]
}

/** Words of what a limit is about. */
function useNameOf() {
  const text = useText(LIMITS)
  return ({ scope, period, category }: Limit) =>
    [text.scopes[scope], ...(category === null ? [] : [text.category(category)]), text.periods[period]].join(
      ' ',
    )
}

type DialogProps = LimitsPanelProps & { readonly limit: Limit | undefined; readonly onClose: () => void }

const SUM = /^\d{1,9}(?:\.\d{1,2})?$/

function SetDialog({ limit, onClose, limits, save, reason, stale }: DialogProps) {
  const text = useText(LIMITS)
  const choices = <T extends string>(words: Readonly<Record<T, string>>) =>
    (Object.keys(words) as T[]).map((value) => ({ value, label: words[value] }))
  return (
    <ActDialog
      act={FORM}
      title={limit === undefined ? text.addTitle : text.changeTitle}
      isDangerous={false}
      action={text.save}
      done={text.saved}
      stale={stale}
      onClose={onClose}
      from={limit ?? { scope: 'reseller', period: 'day' }}
      isReady={({ payments, sum }) => payments !== '' || sum !== ''}
      fields={{
        scope: { label: text.of, options: choices(text.scopes), isHalf: true },
        period: { label: text.period, options: choices(text.periods) },
        category: { label: text.categoryLabel, hint: text.categoryHint, isNeeded: false },
        payments: { label: text.number, hint: text.zero, isHalf: true, isNeeded: false },
        sum: {
          label: text.sum,
          hint: text.zero,
          before: 'RM',
          inputMode: 'decimal',
          isNeeded: false,
          check: (value) => (SUM.test(value.trim()) ? undefined : text.badSum),
        },
        ...(reason === undefined ? {} : { reason }),
      }}
      send={(input) => {
        const { body } = input as { body: Partial<Limit> & { reason?: string } }
        const { reason: why = '', ...given } = body
        const next = { category: null, payments: null, sum: null, ...given } as Limit
        const rest = limits.filter(
          (each) => keyOf(each) !== keyOf(next) && (limit === undefined || keyOf(each) !== keyOf(limit)),
        )
        return atField(save?.(asSent([...rest, next]), why), next)
      }}
    >
      <p className="mid">{text.setAbout}</p>
    </ActDialog>
  )
}

/** Fields of one limit. */
const FORM = {
  id: 'limit',
  fields: {
    scope: { type: 'string', isRequired: true },
    period: { type: 'string', isRequired: true },
    category: { type: 'string', maxLength: 50 },
    payments: { type: 'integer', minimum: 0, maximum: 1_000_000_000 },
    sum: { type: 'string', maxLength: 12 },
    reason: { type: 'string', isRequired: true, maxLength: 500 },
  },
} as const

/** A row carries more than the limit. */
function asSent(limits: readonly Limit[]): Limit[] {
  return limits.map(({ scope, period, category, payments, sum }) => ({
    scope,
    period,
    category,
    payments,
    sum,
  }))
}

/** The service names the list: the message belongs to the field of this limit that it is about. */
async function atField(saving: Promise<unknown> | undefined, limit: Limit): Promise<unknown> {
  try {
    return await saving
  } catch (error) {
    const told = error instanceof ApiProblem ? error.fields.limits : undefined
    if (!(error instanceof ApiProblem) || told === undefined) throw error
    const amount = limit.payments === null ? 'sum' : 'payments'
    const field = /\bcategory\b/.test(told.join(' ')) ? 'category' : amount
    throw new ApiProblem(error.message, { ...error, fields: { [field]: told } })
  }
}

function RemoveDialog({ limit, onClose, limits, save, reason, stale }: DialogProps & { limit: Limit }) {
  const text = useText(LIMITS)
  const name = useNameOf()
  return (
    <ActDialog
      act={REMOVAL}
      title={text.removeTitle(name(limit))}
      action={text.remove}
      done={text.removed}
      stale={stale}
      onClose={onClose}
      fields={reason === undefined ? {} : { reason }}
      send={(input) => {
        const { body = {} } = input as { body?: Readonly<Values> }
        const rest = limits.filter((each) => keyOf(each) !== keyOf(limit))
        return save?.(asSent(rest), String(body.reason ?? '')) ?? Promise.resolve()
      }}
    >
      <p className="mid">{text.removeAbout}</p>
    </ActDialog>
  )
}

const REMOVAL = { id: 'limit', fields: { reason: FORM.fields.reason } } as const
