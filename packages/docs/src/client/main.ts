import { startSearch } from './search-box.ts'
import { startTrying } from './try-it.ts'

const SHOWN_MS = 1_500

showPlace()
startThemeButton()
startSearch()
addCopyButtons()
startTrying()

/** Adds a button to every block of code. */
function addCopyButtons(): void {
  for (const block of document.querySelectorAll<HTMLElement>('.code')) {
    const code = block.querySelector('code')
    if (code === null || navigator.clipboard === undefined) continue
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'button small copy'
    button.textContent = 'Copy'
    button.addEventListener('click', async () => {
      const copied = await navigator.clipboard.writeText(code.textContent ?? '').then(
        () => 'Copied',
        () => 'Not copied',
      )
      button.textContent = copied
      setTimeout(() => {
        button.textContent = 'Copy'
      }, SHOWN_MS)
    })
    block.append(button)
  }
}

/** Scrolls the navigation so that the current page is in sight; long lists hide it otherwise. */
function showPlace(): void {
  const side = document.querySelector<HTMLElement>('.side')
  const current = side?.querySelector<HTMLElement>('[aria-current="page"]')
  if (!side || !current) return
  const place = current.getBoundingClientRect().top - side.getBoundingClientRect().top
  if (place > side.clientHeight - current.offsetHeight) side.scrollTop = place - side.clientHeight / 3
}

/** Shows the button that changes between light and dark, and keeps the choice. */
function startThemeButton(): void {
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
