import { useState } from 'react'
import type { Proposal } from '../../api/operator.generated.ts'
import { useOperator } from '../../api/operator.ts'
import { choiceOf, filterOf, SegmentFilter, SelectFilter, TextFilter } from '../../shell/filters.tsx'
import { PageLink, useFilters } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { Money } from '../../ui/money.tsx'
import { PageHead, Panel } from '../../ui/panel.tsx'
import type { Tone } from '../../ui/state.tsx'
import { State } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { CONSOLE } from '../messages.ts'
import { FilterLine, Pages } from '../parts/pages.tsx'
import { useMay } from '../roles.ts'
import type { Kind } from './dialogs.tsx'
import { AcceptDialog, KINDS, ReadDialog, RejectDialog, RuleDialog, ScheduleDialog } from './dialogs.tsx'
import { Difference } from './difference.tsx'
import { OFFERS } from './messages.ts'
import { ReadingsPanel } from './readings-panel.tsx'
import '../catalog/supply.css'

const STATES = ['open', 'accepted', 'rejected', 'superseded'] as const
const PAGE_ROWS = 100

type Opened = 'accept' | 'reject' | 'rule' | 'read' | 'schedule'

/** Proposals of suppliers' lists beside our prices: accepted one by one, or by a rule. */
export function Page() {
  const text = useText(OFFERS)
  const pages = useText(CONSOLE)
  const may = useMay()
  const [search] = useFilters()
  const [opened, setOpened] = useState<Opened | undefined>(undefined)
  const [chosen, setChosen] = useState<ReadonlyMap<string, Proposal>>(new Map())
  const { provider } = filterOf(search, 'provider')
  const mayWrite = may('offers.write')
  const close = () => setOpened(undefined)
  const finish = () => {
    setChosen(new Map())
    close()
  }
  const proposals = [...chosen.values()]
  const first = proposals[0]?.provider
  const isOne = first !== undefined && proposals.every((each) => each.provider === first)
  return (
    <>
      <PageHead
        title={pages.offers}
        about={text.about}
        actions={
          mayWrite ? (
            <>
              {provider === undefined ? null : (
                <>
                  <Button icon="clock" onClick={() => setOpened('schedule')}>
                    {text.schedule}
                  </Button>
                  <Button icon="check" onClick={() => setOpened('rule')}>
                    {text.byRule}
                  </Button>
                </>
              )}
              <Button icon="inbox" look="primary" onClick={() => setOpened('read')}>
                {text.read}
              </Button>
            </>
          ) : undefined
        }
      />
      <div className="stack">
        <ReadingsPanel provider={provider} />
        <Panel isFlush>
          <Filters />
          {proposals.length === 0 ? null : (
            <div className="filter-row">
              <span className="mid">{text.chosen(proposals.length)}</span>
              <Button size="sm" look="primary" disabled={!isOne} onClick={() => setOpened('accept')}>
                {text.accept}
              </Button>
              <Button size="sm" disabled={!isOne} onClick={() => setOpened('reject')}>
                {text.reject}
              </Button>
            </div>
          )}
          <Proposals chosen={chosen} onChosen={mayWrite ? setChosen : undefined} />
        </Panel>
      </div>
      {opened === 'read' ? <ReadDialog provider={provider} onClose={close} /> : null}
      {opened === 'schedule' && provider !== undefined ? (
        <ScheduleDialog provider={provider} onClose={close} />
      ) : null}
      {opened === 'rule' && provider !== undefined ? (
        <RuleDialog provider={provider} onDone={finish} onClose={close} />
      ) : null}
      {opened === 'accept' && first !== undefined ? (
        <AcceptDialog provider={first} proposals={proposals} onDone={finish} onClose={close} />
      ) : null}
      {opened === 'reject' && first !== undefined ? (
        <RejectDialog provider={first} proposals={proposals} onDone={finish} onClose={close} />
      ) : null}
    </>
  )
}

function Filters() {
  const text = useText(OFFERS)
  return (
    <FilterLine>
      <SegmentFilter
        name="state"
        label={text.state}
        any={text.states.open}
        options={STATES.filter((state) => state !== 'open').map((value) => ({
          value,
          label: text.states[value],
        }))}
      />
      <SelectFilter
        name="kind"
        label={text.kindFilter}
        options={KINDS.map((value) => ({ value, label: text.kinds[value] }))}
      />
      <span className="push">
        <TextFilter name="provider" label={text.provider} isFinder />
      </span>
    </FilterLine>
  )
}

type ProposalsProps = {
  readonly chosen: ReadonlyMap<string, Proposal>
  /** undefined: this operator decides nothing. */
  readonly onChosen: ((chosen: ReadonlyMap<string, Proposal>) => void) | undefined
}

function Proposals({ chosen, onChosen }: ProposalsProps) {
  const text = useText(OFFERS)
  const [search] = useFilters()
  const state = choiceOf(search, 'state', STATES)
  const canChoose = onChosen !== undefined && (state.state ?? 'open') === 'open'
  const columns = useColumns(chosen, canChoose ? onChosen : undefined)
  const reading = useOperator(
    'listOfferProposals',
    {
      query: {
        limit: PAGE_ROWS,
        ...state,
        ...choiceOf(search, 'kind', KINDS),
        ...filterOf(search, 'provider'),
        ...filterOf(search, 'cursor'),
      },
    },
    { keepsFormer: true },
  )
  return (
    <Loaded
      reading={reading}
      bones={6}
      empty={<Empty icon="inbox" title={text.none} about={text.noneAbout} />}
    >
      {({ data, cursor, has_more: hasMore }) => (
        <>
          {canChoose ? (
            <div className="filter-row">
              <Checkbox
                label={text.chooseAll}
                isOn={data.every(({ id }) => chosen.has(id))}
                onToggle={(isOn) => onChosen(new Map(isOn ? data.map((each) => [each.id, each]) : []))}
              />
            </div>
          ) : null}
          <Table
            caption={text.caption}
            columns={columns}
            rows={data}
            rowKey={({ id }) => id}
            rowClass={({ margin }) => (isLoss(margin) ? 'loses' : undefined)}
          />
          <Pages rows={data.length} cursor={cursor} hasMore={hasMore} />
        </>
      )}
    </Loaded>
  )
}

function isLoss(margin: Proposal['margin']): boolean {
  return margin?.margin.startsWith('-') === true
}

const TONES: Readonly<Record<Kind, Tone>> = {
  new: 'info',
  cost_changed: 'wait',
  gone: 'off',
  closed: 'off',
  reopened: 'ok',
  hours_changed: 'wait',
  changed: 'wait',
}

function useColumns(
  chosen: ReadonlyMap<string, Proposal>,
  onChosen: ProposalsProps['onChosen'],
): readonly Column<Proposal>[] {
  const text = useText(OFFERS)
  const toggle = (proposal: Proposal) => (isOn: boolean) => {
    const next = new Map(chosen)
    if (isOn) next.set(proposal.id, proposal)
    else next.delete(proposal.id)
    onChosen?.(next)
  }
  return [
    {
      key: 'kind',
      head: text.kind,
      folded: 'shape',
      className: 'nowrap',
      cell: ({ kind }) => <State tone={TONES[kind]}>{text.kinds[kind]}</State>,
    },
    {
      key: 'offer',
      head: text.offer,
      folded: 'name',
      className: 'wide-text',
      cell: (proposal) => {
        const said = (
          <span className="who2">
            {proposal.name}
            <small className="mono">
              {proposal.provider} {proposal.code}
            </small>
          </span>
        )
        if (onChosen === undefined) return said
        const label = (
          <>
            <span className="hide">{text.choose(proposal.code)}</span>
            {said}
          </>
        )
        return <Checkbox label={label} isOn={chosen.has(proposal.id)} onToggle={toggle(proposal)} />
      },
    },
    {
      key: 'difference',
      head: text.difference,
      folded: 'detail',
      cell: (proposal) => (
        <>
          <Difference proposal={proposal} />
          {proposal.trouble === null ? null : <div className="bad small">{proposal.trouble}</div>}
        </>
      ),
    },
    {
      key: 'product',
      head: text.product,
      rank: 2,
      cell: ({ products, kind }) =>
        kind === 'new' ? (
          <span className="mono">{products.join(', ')}</span>
        ) : (
          products.map((code) => (
            <PageLink key={code} className="link mono" to={`/operator/catalogue/products/${code}`}>
              {code}
            </PageLink>
          ))
        ),
    },
    {
      key: 'cost',
      head: text.costMyr,
      isRight: true,
      rank: 2,
      cell: ({ margin }) => (margin === null ? '' : <Money amount={margin.cost} />),
    },
    {
      key: 'price',
      head: text.priceMyr,
      isRight: true,
      rank: 3,
      cell: ({ margin }) => (margin === null ? '' : <Money amount={margin.price} />),
    },
    {
      key: 'margin',
      head: text.margin,
      isRight: true,
      folded: 'amount',
      className: 'nowrap',
      cell: ({ margin, margin_gap: gap }) =>
        margin === null ? (
          <span className="sub small">{gap === null ? '' : text.gaps[gap]}</span>
        ) : (
          <span className={isLoss(margin) ? 'bad strong' : undefined}>
            <Money amount={margin.margin} />
          </span>
        ),
    },
  ]
}
