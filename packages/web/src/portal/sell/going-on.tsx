import { useState } from 'react'
import { PageLink } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import { Note } from '../../ui/state.tsx'
import { useMember } from '../session.ts'
import { SELL } from './messages.ts'
import { storedSales, tabStorage } from './sale.ts'

/** Leads back to sales whose end is not known; `except` is the product whose page shows its own. */
export function GoingOn({ except }: { except?: string }) {
  const text = useText(SELL)
  const { reseller } = useMember()
  const [sales] = useState(() => storedSales(tabStorage(), reseller.account))
  return sales
    .filter(({ product }) => product !== except)
    .map(({ product, refid }) => (
      <div className="going-on" key={refid}>
        <Note tone="wait">
          {text.goesOn(product)}{' '}
          <PageLink className="link" to={`/portal/sell/${encodeURIComponent(product)}`}>
            {text.goesOnLink}
          </PageLink>
        </Note>
      </div>
    ))
}
