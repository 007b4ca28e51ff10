const SHOWN_MS = 1_500

/** Adds a button to every block of code. */
export function addCopyButtons(): void {
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
