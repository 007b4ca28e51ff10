import type { IconName } from './icon-paths.ts'
import { ICON_PATHS } from './icon-paths.ts'

export type { IconName } from './icon-paths.ts'

/** Icon beside a word; screen readers hear the word alone. */
export function Icon({ name, small = false }: { name: IconName; small?: boolean }) {
  return (
    <svg className={small ? 'i s' : 'i'} viewBox="0 0 16 16" aria-hidden="true">
      <path d={ICON_PATHS[name]} />
    </svg>
  )
}

/** Sign of the service: an awning above a counter. */
export function Mark() {
  return (
    <svg className="mark" viewBox="0 0 24 24" aria-hidden="true">
      <path
        d="M2.5 4.2A1.2 1.2 0 0 1 3.7 3h16.6a1.2 1.2 0 0 1 1.2 1.2V6h-19zM2.5 7.5h6.33v4.4a3.17 3.17 0 0 1-6.33 0zM15.17 7.5h6.33v4.4a3.17 3.17 0 0 1-6.33 0z"
        fill="currentColor"
      />
      <path d="M9.6 8.25h4.8v3.7a2.4 2.4 0 0 1-4.8 0z" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <path
        d="M4.5 17.3V21h15v-3.7"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.8"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}
