import type { NetworkNotice } from '../../api/operator.generated.ts'
import { whenText, ZONE_NAME } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import type { Tone } from '../../ui/state.tsx'
import { State } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { useMay } from '../roles.ts'
import { NOTICES } from './messages.ts'

const TONES: Readonly<Record<NetworkNotice['state'], Tone>> = {
  scheduled: 'info',
  in_force: 'warning',
  over: 'off',
}

export function useNoticeColumns(onEnd: (notice: NetworkNotice) => void): readonly Column<NetworkNotice>[] {
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
            key: 'end',
            head: <span className="hide">{text.end}</span>,
            isRight: true,
            folded: 'amount' as const,
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
