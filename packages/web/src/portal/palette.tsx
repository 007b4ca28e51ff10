import { useState } from 'react'
import { SHELL } from '../shell/messages.ts'
import { useGo } from '../shell/navigation.tsx'
import type { PaletteItem } from '../shell/palette.tsx'
import { Palette } from '../shell/palette.tsx'
import { useText } from '../text/language.ts'
import { usePortalNavigation } from './navigation.ts'

/** Palette of the portal: pages, and what the service finds. */
export function PortalPalette({ onClose }: { onClose: () => void }) {
  const text = useText(SHELL)
  const go = useGo()
  const navigation = usePortalNavigation()
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLowerCase()
  const pages: PaletteItem[] = [...navigation.items, ...navigation.developers]
    .filter(({ label }) => label.toLowerCase().includes(wanted))
    .map(({ to, icon, label }) => ({ key: to, icon, label, run: () => go(to) }))
  return (
    <Palette
      onClose={onClose}
      search={search}
      onSearch={setSearch}
      isReading={false}
      groups={[{ title: text.goTo, items: pages }]}
    />
  )
}
