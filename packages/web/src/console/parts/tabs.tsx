import { PageLink } from '../../shell/navigation.tsx'

export type Tab = { readonly value: string; readonly label: string }

export type TabsProps = {
  readonly label: string
  readonly to: string
  /** Tab that is open. */
  readonly open: string
  readonly tabs: readonly Tab[]
}

/** Parts of a page, each with an address of its own. */
export function Tabs({ label, to, open, tabs }: TabsProps) {
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map(({ value, label: name }) => (
        <PageLink
          key={value}
          to={to}
          search={{ tab: value }}
          {...(value === open ? { 'aria-current': 'page' as const } : {})}
        >
          {name}
        </PageLink>
      ))}
    </nav>
  )
}
