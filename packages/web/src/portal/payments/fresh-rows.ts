import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLive } from '../../api/live.ts'
import type {
  LivePaymentMessage,
  LivePaymentsMessage,
  PaymentLine,
  PortalPayment,
} from '../../api/portal.generated.ts'
import { portalKey } from '../../api/portal.ts'
import { useRenewal } from '../../api/renewal.ts'
import type { Paging } from '../../shell/paging.ts'

type Listed = { readonly data: readonly PortalPayment[] }

/** Payments that wait to be shown: those that events named, and the number of those that they only counted. */
type Waiting = { readonly ids: ReadonlySet<string>; readonly unnamed: number }

const NONE: Waiting = { ids: new Set(), unnamed: 0 }
const SCROLLED_PX = 200

/**
 * New payments come in by themselves at the top of the first page; after scrolling, and on other pages, they wait
 * behind a button, so that no row moves under the reader's finger. Rows that are shown change in their place.
 */
export function useFreshRows({ isFirstPage, openFirst }: Paging, rows: readonly PortalPayment[]) {
  const client = useQueryClient()
  const renew = useRenewal()
  const [waiting, setWaiting] = useState(NONE)
  const readAgain = () => {
    setWaiting(NONE)
    renew(portalKey('portalListPayments'))
  }
  const isAtTop = () => isFirstPage && scrollY < SCROLLED_PX
  useLive(['payment', 'payments'], () => renew(portalKey('portalSumPayments')))
  useLive(['payment'], (event) => {
    const line = event.data as LivePaymentMessage['data']
    if (isAtTop()) return readAgain()
    client.setQueriesData<Listed>({ queryKey: portalKey('portalListPayments') }, (listed) =>
      listed === undefined ? undefined : withLine(listed, line),
    )
    if (!isNewerThan(rows[0], line)) return
    setWaiting(({ ids, unnamed }) => ({ ids: new Set([...ids, line.id]), unnamed }))
  })
  useLive(['payments'], (event) => {
    const { changed } = event.data as LivePaymentsMessage['data']
    if (isAtTop()) return readAgain()
    setWaiting(({ ids, unnamed }) => ({ ids, unnamed: unnamed + changed }))
  })
  const show = () => {
    scrollTo({ top: 0 })
    readAgain()
    if (!isFirstPage) openFirst()
  }
  return { waiting: waiting.ids.size + waiting.unnamed, show }
}

function isNewerThan(newest: PortalPayment | undefined, line: PaymentLine): boolean {
  return newest === undefined || Date.parse(line.created_at) > Date.parse(newest.created_at)
}

function withLine(listed: Listed, line: PaymentLine): Listed {
  return { ...listed, data: listed.data.map((row) => (row.id === line.id ? { ...row, ...line } : row)) }
}
