import { useState } from 'react'
import type { ProductPermission, Reseller } from '../../api/operator.generated.ts'
import { useOperator } from '../../api/operator.ts'
import { setResellerPermission } from '../../api/operator-acts.generated.ts'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { Panel } from '../../ui/panel.tsx'
import { State } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { actionHead, Table } from '../../ui/table.tsx'
import { ConsoleAct } from '../parts/act.tsx'
import { ProductFinder } from '../parts/finders.tsx'
import { useMay } from '../roles.ts'
import { RESELLER } from './messages.ts'
import { RESELLER_PEOPLE } from './people-messages.ts'

/** Products that a reseller may buy, or may not, unlike the others. */
export function ProductsPanel({ reseller }: { reseller: Reseller }) {
  const text = useText(RESELLER_PEOPLE)
  const names = useText(RESELLER)
  const may = useMay()
  const { account } = reseller
  const reading = useOperator('listResellerPermissions', { params: { account } })
  const [opened, setOpened] = useState<ProductPermission | 'new' | undefined>(undefined)
  const columns = useColumns(setOpened)
  return (
    <Panel
      isFlush
      title={names.tabs.products}
      about={text.productsAbout}
      actions={
        may('permissions.write') ? (
          <Button size="sm" icon="plus" onClick={() => setOpened('new')}>
            {text.setRule}
          </Button>
        ) : undefined
      }
    >
      <Loaded reading={reading} empty={<Empty icon="catalog" title={text.noRules} />}>
        {({ data }) => (
          <Table
            caption={text.productsCaption}
            columns={columns}
            rows={data}
            rowKey={({ product }) => product}
          />
        )}
      </Loaded>
      {opened === undefined ? null : (
        <RuleDialog
          account={account}
          permission={opened === 'new' ? undefined : opened}
          onClose={() => setOpened(undefined)}
        />
      )}
    </Panel>
  )
}

function useColumns(onChange: (permission: ProductPermission) => void): readonly Column<ProductPermission>[] {
  const text = useText(RESELLER_PEOPLE)
  const may = useMay()
  return [
    {
      key: 'rule',
      head: text.rule,
      folded: 'time',
      cell: ({ is_allowed: isAllowed }) => (
        <State tone={isAllowed ? 'ok' : 'bad'}>{isAllowed ? text.allowed : text.forbidden}</State>
      ),
    },
    {
      key: 'product',
      head: text.product,
      folded: 'name',
      cell: ({ product }) => <span className="mono">{product}</span>,
    },
    ...(may('permissions.write')
      ? [
          {
            ...actionHead(text.change),
            cell: (permission: ProductPermission) => (
              <Button
                size="sm"
                onClick={() => onChange(permission)}
                aria-label={text.changeTitle(permission.product)}
              >
                {text.change}
              </Button>
            ),
          },
        ]
      : []),
  ]
}

type RuleDialogProps = {
  readonly account: string
  readonly permission: ProductPermission | undefined
  readonly onClose: () => void
}

function RuleDialog({ account, permission, onClose }: RuleDialogProps) {
  const text = useText(RESELLER_PEOPLE)
  const [product, setProduct] = useState(permission?.product ?? '')
  return (
    <ConsoleAct
      act={setResellerPermission}
      input={{ params: { account, product } }}
      title={permission === undefined ? text.setRuleTitle : text.changeTitle(permission.product)}
      action={text.setRule}
      isReady={product !== ''}
      done={text.ruleSet(product)}
      refresh={['listResellerPermissions']}
      onClose={onClose}
      fields={{
        is_allowed: {
          label: text.rule,
          look: 'cards',
          options: [
            { value: 'true', label: text.allowed, about: text.allowedAbout },
            { value: 'false', label: text.forbidden, about: text.forbiddenAbout },
            { value: 'null', label: text.asEverybody, about: text.asEverybodyAbout },
          ],
        },
      }}
    >
      {permission === undefined ? <ProductFinder label={text.product} onCode={setProduct} /> : null}
    </ConsoleAct>
  )
}
