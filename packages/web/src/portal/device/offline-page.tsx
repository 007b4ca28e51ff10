import { useState } from 'react'
import { whenText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Figure, Money } from '../../ui/money.tsx'
import { PageHead, Panel } from '../../ui/panel.tsx'
import { Note } from '../../ui/state.tsx'
import type { Sale } from '../sell/sale.ts'
import type { Known } from './known.ts'
import { DEVICE } from './messages.ts'

type OfflinePageProps = {
  readonly known: Known
  /** Sales whose end is not known. */
  readonly sales: readonly Sale[]
  readonly onRetry: () => void
}

/** Page without a connection: it says what is known, and sends nothing but the question whether the service is back. */
export function OfflinePage({ known, sales, onRetry }: OfflinePageProps) {
  const text = useText(DEVICE)
  const [now] = useState(() => new Date())
  const { balance, recents, shop } = known
  return (
    <main id="main" className="away" tabIndex={-1}>
      <PageHead
        title={text.title}
        about={shop}
        actions={
          <Button look="primary" onClick={onRetry}>
            {text.tryAgain}
          </Button>
        }
      />
      <div className="stack">
        <Note tone="warning">{text.about}</Note>
        {sales.length === 0 ? null : (
          <Panel title={text.sales} count={sales.length}>
            <div className="stack">
              <Note tone="wait">{text.salesAbout}</Note>
              <ul className="list">
                {sales.map(({ refid, product, price, sentAtMs }) => (
                  <li key={refid}>
                    <span className="t">
                      {product} <small className="sub">{text.sentAt(whenText(sentAtMs, now))}</small>
                    </span>
                    {price === null ? null : <Money amount={price} currency="MYR" />}
                  </li>
                ))}
              </ul>
            </div>
          </Panel>
        )}
        {balance === null ? null : (
          <Panel title={text.balance}>
            <Figure amount={balance.amount} currency={balance.currency} />
            <p className="sub small">{text.since(whenText(balance.atMs, now))}</p>
          </Panel>
        )}
        {recents.length === 0 ? null : (
          <Panel title={text.recents} isFlush>
            <ul className="list">
              {recents.map(({ product, number, atMs }) => (
                <li key={`${product} ${number}`}>
                  <span className="t">
                    <span className="mono">{number}</span> <small className="sub">{product}</small>
                  </span>
                  <small className="sub">{whenText(atMs, now)}</small>
                </li>
              ))}
            </ul>
          </Panel>
        )}
      </div>
    </main>
  )
}
