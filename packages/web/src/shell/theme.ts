const STORED_AS = 'warung.theme'

/** Changes between light and dark, and keeps the choice in this browser. */
export function switchTheme(): void {
  const root = document.documentElement
  const isDark = root.dataset.theme === 'dark' || (root.dataset.theme === undefined && prefersDark())
  root.dataset.theme = isDark ? 'light' : 'dark'
  try {
    localStorage.setItem(STORED_AS, root.dataset.theme)
  } catch {
    // A browser that stores nothing keeps the choice until the tab closes.
  }
}

function prefersDark(): boolean {
  return matchMedia('(prefers-color-scheme: dark)').matches
}

/** Environment of the service; the page's frame carries it, so that it is known before anybody signs in. */
export function isStaging(): boolean {
  return document.documentElement.dataset.environment === 'staging'
}
