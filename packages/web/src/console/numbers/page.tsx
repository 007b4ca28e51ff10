import { useState } from 'react'
import type { NumberPlan, NumberPlanInForce } from '../../api/operator.generated.ts'
import { useOperator } from '../../api/operator.ts'
import { putNumberPlan } from '../../api/operator-acts.generated.ts'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { downloadText } from '../../ui/download.ts'
import { Field } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { PageHead, Panel } from '../../ui/panel.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { CONSOLE } from '../messages.ts'
import { ConsoleAct } from '../parts/act.tsx'
import { useMay } from '../roles.ts'
import { NUMBERS } from './messages.ts'

/** Plans by which telephone numbers are read. */
export function Page() {
  const text = useText(NUMBERS)
  const pages = useText(CONSOLE)
  const may = useMay()
  const [isOpen, setOpen] = useState(false)
  const reading = useOperator('getNumberPlan', {})
  const plans = reading.data?.data.plans ?? []
  return (
    <>
      <PageHead
        title={pages.numbers}
        about={text.about}
        actions={
          <>
            <Button icon="down" onClick={() => downloadText(fileOf(plans), 'number-plans.json')}>
              {text.export}
            </Button>
            {may('number_plan.write') ? (
              <Button look="primary" onClick={() => setOpen(true)}>
                {text.put}
              </Button>
            ) : null}
          </>
        }
      />
      <Loaded reading={reading} bones={8}>
        {({ data }) => (
          <div className="grid">
            {data.plans.map((plan) => (
              <PlanPanel key={plan.country} plan={plan} />
            ))}
          </div>
        )}
      </Loaded>
      {isOpen ? <PutDialog onClose={() => setOpen(false)} /> : null}
    </>
  )
}

function fileOf(plans: readonly NumberPlanInForce[]): string {
  return JSON.stringify({ plans: plans.map(({ is_own: _, ...plan }) => plan) }, null, 2)
}

type Row = {
  readonly code: string
  readonly name: string
  readonly prefixes: string
  readonly products: string
}

function rowsOf({ operators, ranges }: NumberPlanInForce): Row[] {
  return operators.map(({ code, name, products }) => ({
    code,
    name,
    prefixes: ranges.flatMap(({ operator, prefix }) => (operator === code ? [prefix] : [])).join(' '),
    products: products.join(' '),
  }))
}

function PlanPanel({ plan }: { plan: NumberPlanInForce }) {
  const text = useText(NUMBERS)
  const columns: readonly Column<Row>[] = [
    {
      key: 'operator',
      head: text.operator,
      folded: 'name',
      cell: ({ code, name }) => (
        <>
          {name} <span className="sub mono">{code}</span>
        </>
      ),
    },
    {
      key: 'prefixes',
      head: text.prefixes,
      folded: 'detail',
      className: 'wide-text mono',
      cell: ({ prefixes }) => prefixes,
    },
    {
      key: 'products',
      head: text.products,
      rank: 2,
      className: 'wide-text mono',
      cell: ({ products }) => products,
    },
  ]
  return (
    <Panel
      isFlush
      title={text.of(plan.country, plan.as_of)}
      actions={<span className="tag">{plan.is_own ? text.own : text.known}</span>}
    >
      <p className="sub small pad">{plan.source}</p>
      <Table caption={text.caption} columns={columns} rows={rowsOf(plan)} rowKey={({ code }) => code} />
    </Panel>
  )
}

function PutDialog({ onClose }: { onClose: () => void }) {
  const text = useText(NUMBERS)
  const [plans, setPlans] = useState<NumberPlan[] | 'none' | undefined>(undefined)
  const choose = async (file: File | undefined) => setPlans(file && plansIn(await file.text()))
  return (
    <ConsoleAct
      act={putNumberPlan}
      title={text.putTitle}
      action={text.replace}
      done={text.done}
      refresh={['getNumberPlan']}
      members={typeof plans === 'object' ? { plans } : {}}
      isReady={typeof plans === 'object'}
      onClose={onClose}
    >
      <p className="mid">{text.putAbout}</p>
      <Field label={text.file} error={plans === 'none' ? text.isNoFile : undefined}>
        {(attributes) => (
          <input
            {...attributes}
            type="file"
            accept=".json,application/json"
            onChange={(event) => void choose(event.target.files?.[0])}
          />
        )}
      </Field>
    </ConsoleAct>
  )
}

/** Reads the plans of a file; the service judges them. */
function plansIn(contents: string): NumberPlan[] | 'none' {
  try {
    const { plans } = JSON.parse(contents) as { readonly plans?: NumberPlan[] }
    return Array.isArray(plans) ? plans : 'none'
  } catch {
    return 'none'
  }
}
