import { useState } from 'react'
import type { Comparison } from '../../api/portal.generated.ts'
import { portal } from '../../api/portal.ts'
import { useText } from '../../text/language.ts'
import { PageHead } from '../../ui/panel.tsx'
import { useAction } from '../../ui/use-action.ts'
import { PORTAL } from '../messages.ts'
import type { Books } from './comparison-form.tsx'
import { ComparisonForm } from './comparison-form.tsx'
import { ComparisonResult } from './comparison-result.tsx'
import { RECONCILIATION } from './reconciliation-messages.ts'
import { StatementTabs } from './tabs.tsx'
import '../payments/payments.css'
import './statement.css'

type Result = { readonly books: Books; readonly comparison: Comparison }

/** Comparison of the reseller's own list of payments with the service's. */
export function Page() {
  const text = useText(RECONCILIATION)
  const pages = useText(PORTAL)
  const [result, setResult] = useState<Result | undefined>(undefined)
  const action = useAction({
    act: async ({ file, from, to }: Books) =>
      portal.call('portalCompareBooks', { query: { from, to }, body: await file.text() }),
    onDone: ({ data }, books) => setResult({ books, comparison: data }),
  })
  const compare = (books: Books) => {
    setResult(undefined)
    action.run(books)
  }
  return (
    <>
      <PageHead title={pages.reconciliation} about={text.about} />
      <StatementTabs current="reconciliation" />
      <div className="grid">
        <ComparisonForm onCompare={compare} isBusy={action.isBusy} error={action.error} />
        {result === undefined ? null : <ComparisonResult {...result} />}
      </div>
    </>
  )
}
