import { useState } from 'react'
import type { ProductPermission, Reseller } from '../../api/operator.generated.ts'
import { operator, operatorKey, useOperator } from '../../api/operator.ts'
import { useDelayed } from '../../shell/use-delayed.ts'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import type { ComboOption } from '../../ui/combobox.tsx'
import { Combobox } from '../../ui/combobox.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { Panel } from '../../ui/panel.tsx'
import { fieldError } from '../../ui/problem.tsx'
import { State } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { useAction } from '../../ui/use-action.ts'
import { Pick } from '../parts/pick.tsx'
import { ReasonField } from '../parts/reason-dialog.tsx'
import { useMay } from '../roles.ts'
import { PEOPLE } from './people-messages.ts'
import { RESELLER } from './reseller-messages.ts'

/** Products that a reseller may buy, or may not, unlike the others. */
export function ProductsPanel({ reseller }: { reseller: Reseller }) {
  const text = useText(PEOPLE)
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
      <Loaded reading={reading}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty icon="catalog" title={text.noRules} />
          ) : (
            <Table
              caption={text.productsCaption}
              columns={columns}
              rows={data}
              rowKey={({ product }) => product}
            />
          )
        }
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
  const text = useText(PEOPLE)
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
            key: 'change',
            head: <span className="hide">{text.change}</span>,
            isRight: true,
            folded: 'amount' as const,
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

type Rule = 'allowed' | 'forbidden' | 'everybody'

const VALUES: Readonly<Record<Rule, boolean | null>> = { allowed: true, forbidden: false, everybody: null }

type RuleDialogProps = {
  readonly account: string
  readonly permission: ProductPermission | undefined
  readonly onClose: () => void
}

function RuleDialog({ account, permission, onClose }: RuleDialogProps) {
  const text = useText(PEOPLE)
  const [product, setProduct] = useState<ComboOption | undefined>(
    permission === undefined ? undefined : { value: permission.product, label: permission.product },
  )
  const [rule, setRule] = useState<Rule | undefined>(undefined)
  const [reason, setReason] = useState('')
  const action = useAction({
    act: () =>
      operator.call('setResellerPermission', {
        params: { account, product: product?.value ?? '' },
        body: { is_allowed: rule === undefined ? null : VALUES[rule], reason: reason.trim() },
      }),
    done: () => text.ruleSet(product?.label ?? ''),
    refresh: [operatorKey('listResellerPermissions')],
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={permission === undefined ? text.setRuleTitle : text.changeTitle(permission.product)}
      isDangerous={false}
      action={text.setRule}
      isBusy={action.isBusy}
      error={action.error}
      isReady={product !== undefined && rule !== undefined && reason.trim() !== ''}
      onConfirm={() => action.run()}
      onClose={onClose}
    >
      {permission === undefined ? (
        <ProductCombobox chosen={product} onChoose={setProduct} error={fieldError(action.error, 'product')} />
      ) : null}
      <Pick
        label={text.rule}
        value={rule}
        onValue={setRule}
        options={[
          { value: 'allowed', label: text.allowed, about: text.allowedAbout },
          { value: 'forbidden', label: text.forbidden, about: text.forbiddenAbout },
          { value: 'everybody', label: text.asEverybody, about: text.asEverybodyAbout },
        ]}
      />
      <ReasonField value={reason} onValue={setReason} error={action.error} />
    </ConfirmDialog>
  )
}

type ProductComboboxProps = {
  readonly chosen: ComboOption | undefined
  readonly onChoose: (option: ComboOption | undefined) => void
  readonly error: string | undefined
}

function ProductCombobox({ chosen, onChoose, error }: ProductComboboxProps) {
  const text = useText(PEOPLE)
  const [search, setSearch] = useState('')
  const asked = useDelayed(search.trim())
  const found = useOperator(
    'listCatalogueProducts',
    { query: { limit: 20, ...(asked === '' ? {} : { search: asked }) } },
    { keepsFormer: true },
  )
  return (
    <Combobox
      label={text.product}
      chosen={chosen}
      onChoose={onChoose}
      search={search}
      onSearch={setSearch}
      options={(found.data?.data ?? []).map(({ code, name }) => ({ value: code, label: name, detail: code }))}
      isReading={found.isFetching}
      error={error}
    />
  )
}
