/** Shows the button that changes between light and dark, and keeps the choice. */
export function startThemeButton(): void {
  const button = document.querySelector<HTMLButtonElement>('button.theme')
  if (button === null) return
  button.hidden = false
  const root = document.documentElement
  const isDark = () =>
    root.dataset.theme === undefined
      ? matchMedia('(prefers-color-scheme: dark)').matches
      : root.dataset.theme === 'dark'
  const label = () => {
    button.textContent = isDark() ? 'Light' : 'Dark'
    button.setAttribute('aria-label', isDark() ? 'Use the light theme' : 'Use the dark theme')
  }
  label()
  button.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark'
    try {
      localStorage.setItem('warung.theme', root.dataset.theme)
    } catch {
      // A browser without storage forgets the choice with the page.
    }
    label()
  })
}
