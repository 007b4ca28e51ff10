import { useState } from 'react'
import { usePortal } from '../api/portal.ts'
import { SHELL } from '../shell/messages.ts'
import { useGo } from '../shell/navigation.tsx'
import type { PaletteGroup, PaletteItem } from '../shell/palette.tsx'
import { Palette } from '../shell/palette.tsx'
import { useDelayed } from '../shell/use-delayed.ts'
import { useText } from '../text/language.ts'
import { useIsInterrupted } from './interruptions.ts'
import { PORTAL } from './messages.ts'
import { usePortalNavigation } from './navigation.ts'
import { useMember } from './session.ts'

/** Palette of the portal: products to sell, payments, cases and pages. */
export function PortalPalette({ onClose }: { onClose: () => void }) {
  const text = useText(SHELL)
  const names = useText(PORTAL)
  const go = useGo()
  const isInterrupted = useIsInterrupted()
  const navigation = usePortalNavigation(useMember())
  const [search, setSearch] = useState('')
  const wanted = search.trim()
  const asked = useDelayed(wanted)
  const found = usePortal(
    'portalSearch',
    { query: { q: asked } },
    { isEnabled: asked.length >= 2, keepsFormer: true },
  )
  const results = wanted === '' ? undefined : found.data?.data
  const products: PaletteItem[] = (results?.products ?? []).map(({ code, name }) => ({
    key: `product ${code}`,
    icon: 'sell',
    label: name,
    detail: isInterrupted(code) ? `${names.productInterrupted} · ${code}` : code,
    run: () => go(`/portal/sell/${encodeURIComponent(code)}`),
  }))
  const payments: PaletteItem[] = (results?.payments ?? []).map((payment) => ({
    key: `payment ${payment.id}`,
    icon: 'payments',
    label: payment.refid,
    detail: `${payment.product_name}, ${payment.account}, ${payment.amount}`,
    run: () => go(`/portal/payments/${payment.id}`),
  }))
  const cases: PaletteItem[] = (results?.cases ?? []).map(({ number, refid }) => ({
    key: `case ${number}`,
    icon: 'cases',
    label: number,
    detail: refid,
    run: () => go(`/portal/cases/${number}`),
  }))
  const pages: PaletteItem[] = [...navigation.items, ...navigation.developers]
    .filter(({ label }) => label.toLowerCase().includes(wanted.toLowerCase()))
    .map(({ to, icon, label }) => ({ key: to, icon, label, run: () => go(to) }))
  const groups: PaletteGroup[] = [
    { title: names.sell, items: products },
    { title: names.payments, items: payments },
    { title: names.cases, items: cases },
    { title: text.goTo, items: pages },
  ]
  return (
    <Palette
      onClose={onClose}
      search={search}
      onSearch={setSearch}
      isReading={wanted !== '' && found.isFetching}
      groups={groups}
    />
  )
}
