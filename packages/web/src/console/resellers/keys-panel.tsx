import { useState } from 'react'
import type { Reseller, ListedResellerAPIKey as ResellerAPIKey } from '../../api/operator.generated.ts'
import { useOperator } from '../../api/operator.ts'
import { narrowResellerKey, revokeResellerKey } from '../../api/operator-acts.generated.ts'
import { dayText, whenText, ZONE_NAME } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { Panel } from '../../ui/panel.tsx'
import type { Tone } from '../../ui/state.tsx'
import { State } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { actionHead, Table } from '../../ui/table.tsx'
import { ConsoleAct } from '../parts/act.tsx'
import { useMay } from '../roles.ts'
import { RESELLER } from './messages.ts'
import { RESELLER_PEOPLE } from './people-messages.ts'

const TONES: Readonly<Record<ResellerAPIKey['state'], Tone>> = {
  active: 'ok',
  in_grace: 'wait',
  expired: 'off',
  revoked: 'bad',
}

/** API keys of a reseller. Operators see hints alone, and can revoke a key that leaked. */
export function KeysPanel({ reseller }: { reseller: Reseller }) {
  const text = useText(RESELLER_PEOPLE)
  const names = useText(RESELLER)
  const { account } = reseller
  const reading = useOperator('listResellerKeys', { params: { account } })
  const [revoked, setRevoked] = useState<ResellerAPIKey | undefined>(undefined)
  const [narrowed, setNarrowed] = useState<ResellerAPIKey | undefined>(undefined)
  const columns = useColumns(setRevoked, setNarrowed)
  const cap = (label: string) => ({ label, before: 'RM', inputMode: 'decimal', isNeeded: false }) as const
  return (
    <Panel isFlush title={names.tabs.keys} count={reading.data?.data.length}>
      <Loaded reading={reading} empty={<Empty icon="lock" title={text.noKeys} about={text.noKeysAbout} />}>
        {({ data }) => (
          <Table caption={text.keysCaption} columns={columns} rows={data} rowKey={({ id }) => id} />
        )}
      </Loaded>
      {narrowed === undefined ? null : (
        <ConsoleAct
          isChange
          isDangerous={false}
          act={narrowResellerKey}
          input={{ params: { account, id: narrowed.id } }}
          title={text.narrowTitle(narrowed.hint)}
          action={text.narrow}
          done={text.narrowed}
          refresh={['listResellerKeys']}
          onClose={() => setNarrowed(undefined)}
          fields={{
            max_amount: cap(text.capOnce),
            daily_cap: { ...cap(text.capDaily), isHalf: true },
            monthly_cap: cap(text.capMonthly),
            expires_at: { label: text.ends(ZONE_NAME), type: 'datetime-local', isNeeded: false },
          }}
        >
          <p className="mid">{text.narrowAbout}</p>
        </ConsoleAct>
      )}
      {revoked === undefined ? null : (
        <ConsoleAct
          isDangerous
          act={revokeResellerKey}
          input={{ params: { account, id: revoked.id } }}
          title={text.revokeTitle(revoked.hint)}
          action={text.revoke}
          keep={text.keepKey}
          typed={account}
          done={text.revoked}
          refresh={['listResellerKeys']}
          onClose={() => setRevoked(undefined)}
        >
          <p className="mid">{text.revokeAbout}</p>
        </ConsoleAct>
      )}
    </Panel>
  )
}

type OnKey = (key: ResellerAPIKey) => void

function useColumns(onRevoke: OnKey, onNarrow: OnKey): readonly Column<ResellerAPIKey>[] {
  const text = useText(RESELLER_PEOPLE)
  const may = useMay()
  return [
    {
      key: 'state',
      head: text.state,
      folded: 'shape',
      width: 130,
      cell: ({ state }) => <State tone={TONES[state]}>{text.keyStates[state]}</State>,
    },
    {
      key: 'key',
      head: text.key,
      folded: 'name',
      cell: ({ hint }) => <span className="mono">{hint}</span>,
    },
    { key: 'label', head: text.label, folded: 'detail', className: 'cut', cell: ({ label }) => label },
    { key: 'scopes', head: text.scopes, rank: 2, cell: ({ scopes }) => scopes.join(', ') },
    { key: 'bounds', head: text.bounds, rank: 2, cell: (key) => <Bounds apiKey={key} /> },
    {
      key: 'until',
      head: text.until,
      folded: 'time',
      className: 'sub nowrap',
      cell: ({ revoked_at: revoked, expires_at: expires }) => {
        const end = revoked ?? expires
        return end === null ? '–' : whenText(end)
      },
    },
    {
      key: 'created',
      head: text.created(ZONE_NAME),
      className: 'sub nowrap',
      cell: ({ created_at: at }) => dayText(at),
    },
    {
      key: 'used',
      head: text.used(ZONE_NAME),
      className: 'sub nowrap',
      cell: ({ last_used_at: at }) => (at === null ? text.neverUsed : whenText(at)),
    },
    ...(may('keys.write')
      ? [
          {
            ...actionHead(text.revoke),
            cell: (key: ResellerAPIKey) =>
              key.state === 'revoked' || key.state === 'expired' ? null : (
                <span className="row tight-acts">
                  <Button size="sm" onClick={() => onNarrow(key)}>
                    {text.narrow}
                  </Button>
                  <Button size="sm" look="danger-quiet" onClick={() => onRevoke(key)}>
                    {text.revoke}
                  </Button>
                </span>
              ),
          },
        ]
      : []),
  ]
}

/** Bounds that the owner has given a key. */
function Bounds({ apiKey }: { apiKey: ResellerAPIKey }) {
  const text = useText(RESELLER_PEOPLE)
  const { products, max_amount: most, daily_cap: daily, monthly_cap: monthly } = apiKey
  const lines = [
    products?.join(', '),
    most === null ? undefined : text.capOfOne(most),
    daily === null ? undefined : text.capOfDay(apiKey.used_today ?? '0.00', daily),
    monthly === null ? undefined : text.capOfMonth(apiKey.used_this_month ?? '0.00', monthly),
    apiKey.ip_allowlist?.join(', '),
    apiKey.note,
  ].filter((line) => line !== undefined && line !== '')
  if (lines.length === 0) return '–'
  return lines.map((line) => (
    <small className="under w" key={line}>
      {line}
    </small>
  ))
}
