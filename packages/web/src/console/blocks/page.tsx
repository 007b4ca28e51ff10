import { useState } from 'react'
import type { BlockedAddress } from '../../api/operator.generated.ts'
import { useOperator } from '../../api/operator.ts'
import { liftBlock } from '../../api/operator-acts.generated.ts'
import { durationText, whenText, ZONE_NAME } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { grouped } from '../../text/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { PageHead, Panel } from '../../ui/panel.tsx'
import type { Column } from '../../ui/table.tsx'
import { actionHead, Table } from '../../ui/table.tsx'
import { CONSOLE } from '../messages.ts'
import { ConsoleAct } from '../parts/act.tsx'
import { useMay } from '../roles.ts'
import { BLOCKS } from './messages.ts'

/** Which addresses are kept out for sending too much. */
export function Page() {
  const text = useText(BLOCKS)
  const pages = useText(CONSOLE)
  const reading = useOperator('listBlocks', {})
  const [lifted, setLifted] = useState<BlockedAddress | undefined>(undefined)
  const columns = useColumns(setLifted)
  return (
    <>
      <PageHead title={pages.blocks} about={text.about} />
      <Panel isFlush>
        <Loaded
          reading={reading}
          bones={4}
          empty={<Empty icon="ban" title={text.none} about={text.noneAbout} />}
        >
          {({ data }) => (
            <Table caption={text.caption} columns={columns} rows={data} rowKey={({ address }) => address} />
          )}
        </Loaded>
      </Panel>
      {lifted === undefined ? null : (
        <ConsoleAct
          act={liftBlock}
          members={{ address: lifted.address }}
          title={text.liftTitle(lifted.address)}
          action={text.lift}
          keep={text.keep}
          done={text.lifted(lifted.address)}
          refresh={['listBlocks']}
          onClose={() => setLifted(undefined)}
        >
          <p className="mid">{text.liftAbout}</p>
        </ConsoleAct>
      )}
    </>
  )
}

function useColumns(onLift: (block: BlockedAddress) => void): readonly Column<BlockedAddress>[] {
  const text = useText(BLOCKS)
  const may = useMay()
  return [
    {
      key: 'address',
      head: text.address,
      folded: 'name',
      cell: ({ address }) => <span className="mono">{address}</span>,
    },
    {
      key: 'since',
      head: text.since(ZONE_NAME),
      className: 'nowrap sub',
      cell: ({ blocked_at: at }) => whenText(at),
    },
    {
      key: 'until',
      head: text.until(ZONE_NAME),
      folded: 'detail',
      className: 'nowrap',
      cell: ({ blocked_until: at }) => (
        <>
          {whenText(at)} <span className="sub">{text.left(durationText(Date.parse(at) - Date.now()))}</span>
        </>
      ),
    },
    {
      key: 'requests',
      head: text.requests,
      isRight: true,
      folded: 'time',
      cell: ({ requests }) => grouped(requests),
    },
    ...(may('blocks.write')
      ? [
          {
            ...actionHead(text.lift),
            cell: (block: BlockedAddress) => (
              <Button size="sm" onClick={() => onLift(block)}>
                {text.lift}
              </Button>
            ),
          },
        ]
      : []),
  ]
}
