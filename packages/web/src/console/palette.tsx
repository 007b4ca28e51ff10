import { useState } from 'react'
import { useOperator } from '../api/operator.ts'
import { SHELL } from '../shell/messages.ts'
import { useGo } from '../shell/navigation.tsx'
import type { PaletteGroup, PaletteItem } from '../shell/palette.tsx'
import { Palette } from '../shell/palette.tsx'
import { useDelayed } from '../shell/use-delayed.ts'
import { useText } from '../text/language.ts'
import { CONSOLE } from './messages.ts'
import { useConsoleNavigation } from './navigation.ts'
import { useSignedIn } from './session.ts'

/** Palette of the console: payments, resellers, products, providers, cases and pages. */
export function ConsolePalette({ onClose }: { onClose: () => void }) {
  const text = useText(SHELL)
  const names = useText(CONSOLE)
  const go = useGo()
  const { role } = useSignedIn()
  const navigation = useConsoleNavigation(role)
  const [search, setSearch] = useState('')
  const wanted = search.trim()
  const asked = useDelayed(wanted)
  const found = useOperator(
    'searchEverything',
    { query: { q: asked } },
    { isEnabled: asked.length >= 2, keepsFormer: true },
  )
  const results = wanted === '' ? undefined : found.data?.data
  const item = (
    kind: string,
    icon: PaletteItem['icon'],
    key: string,
    label: string,
    detail: string,
    to: string,
  ) => ({
    key: `${kind} ${key}`,
    icon,
    label,
    detail,
    run: () => go(to),
  })
  const groups: PaletteGroup[] = [
    {
      title: names.payments,
      items: (results?.payments ?? []).map(({ id, refid }) =>
        item('payment', 'payments', id, refid, id, `/operator/payments/${id}`),
      ),
    },
    {
      title: names.resellers,
      items: (results?.resellers ?? []).map(({ account, name }) =>
        item('reseller', 'team', account, name, account, `/operator/resellers/${account}`),
      ),
    },
    {
      title: names.catalogue,
      items: (results?.products ?? []).map(({ code, name }) =>
        item(
          'product',
          'catalog',
          code,
          name,
          code,
          `/operator/catalogue/products/${encodeURIComponent(code)}`,
        ),
      ),
    },
    {
      title: names.providers,
      items: (results?.providers ?? []).map(({ code, name }) =>
        item('provider', 'plug', code, name, code, `/operator/providers/${encodeURIComponent(code)}`),
      ),
    },
    {
      title: names.cases,
      items: (results?.cases ?? []).map(({ number, refid }) =>
        item('case', 'cases', number, number, refid, `/operator/cases/${number}`),
      ),
    },
    {
      title: text.goTo,
      items: navigation.groups
        .flatMap(({ items }) => items)
        .filter(({ label }) => label.toLowerCase().includes(wanted.toLowerCase()))
        .map(({ to, icon, label }) => ({ key: to, icon, label, run: () => go(to) })),
    },
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
