import { useOperator } from '../../api/operator.ts'
import { useFilters } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import { Checkbox, Segment } from '../../ui/field.tsx'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { PageHead, Panel } from '../../ui/panel.tsx'
import { Shape } from '../../ui/state.tsx'
import { CONSOLE } from '../messages.ts'
import { MARGINS } from './margin-messages.ts'
import { MarginTable } from './margin-table.tsx'
import { PageSteps } from './page-steps.tsx'
import { SearchChip } from './search-chip.tsx'
import './supply.css'

const PAGE_PRODUCTS = 25

/** Answers where we earn, and where we lose. */
export function Page() {
  const text = useText(MARGINS)
  const pages = useText(CONSOLE)
  const [search, change] = useFilters()
  const isNegative = search.negative === 'true'
  const reading = useOperator(
    'listMargins',
    {
      query: {
        limit: PAGE_PRODUCTS,
        ...(search.search === undefined ? {} : { search: search.search }),
        ...(isNegative ? { negative: true } : {}),
        ...(search.active === 'true' ? { is_active: true } : {}),
        ...(search.cursor === undefined ? {} : { cursor: search.cursor }),
      },
    },
    { keepsFormer: true },
  )
  return (
    <>
      <PageHead title={pages.margins} about={text.about} />
      <Panel isFlush>
        <div className="filters">
          <Segment
            label={text.filter}
            value={isNegative ? 'true' : ''}
            onValue={(negative) => change({ negative, cursor: undefined })}
            options={[
              { value: '', label: text.all },
              {
                value: 'true',
                label: (
                  <>
                    <Shape tone="critical" isColoured />
                    {text.negative}
                  </>
                ),
              },
            ]}
          />
          <SearchChip label={text.find} />
          <Checkbox
            label={text.onSale}
            isOn={search.active === 'true'}
            onToggle={(isOn) => change({ active: isOn ? 'true' : undefined, cursor: undefined })}
          />
        </div>
        <Loaded reading={reading} bones={12}>
          {({ data, cursor, has_more: hasMore }) =>
            data.length === 0 && isNegative ? (
              <Empty icon="check" title={text.noneNegative} about={text.noneNegativeAbout} />
            ) : (
              <>
                <MarginTable products={data} onlyNegative={isNegative} />
                <PageSteps
                  onFirst={search.cursor === undefined ? undefined : () => change({ cursor: undefined })}
                  onNext={hasMore && cursor !== null ? () => change({ cursor }) : undefined}
                >
                  {text.shown(data.length)}
                </PageSteps>
              </>
            )
          }
        </Loaded>
      </Panel>
    </>
  )
}
