import { useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PageLink } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import { PageHead } from '../../ui/panel.tsx'
import { PORTAL } from '../messages.ts'
import { usePortalNavigation } from '../navigation.ts'
import { useMember } from '../session.ts'
import './developers.css'

/** Head of every page of the developers' room: its title and the line of tabs. */
export function DevelopersHead({ about, actions }: { about?: ReactNode; actions?: ReactNode }) {
  const text = useText(PORTAL)
  const { developers } = usePortalNavigation(useMember())
  const { pathname } = useLocation()
  const isCurrent = ({ to, coversBelow }: (typeof developers)[number]) =>
    pathname === to || (coversBelow === true && pathname.startsWith(`${to}/`))
  const current = developers.find(isCurrent)
  return (
    <>
      <PageHead
        title={
          <>
            {text.developers}
            {current === undefined ? null : <span className="hide">: {current.label}</span>}
          </>
        }
        about={about}
        actions={actions}
      />
      <nav className="tabs" aria-label={text.developers}>
        {developers.map((item) => (
          <PageLink key={item.to} to={item.to} aria-current={isCurrent(item) ? 'page' : undefined}>
            {item.label}
          </PageLink>
        ))}
        <a href="/docs" target="_blank" rel="noopener">
          {text.documentation}
        </a>
      </nav>
    </>
  )
}
