/** Scrolls the navigation so that the current page is in sight; long lists hide it otherwise. */
export function showPlace(): void {
  const side = document.querySelector<HTMLElement>('.side')
  const current = side?.querySelector<HTMLElement>('[aria-current="page"]')
  if (!side || !current) return
  const place = current.getBoundingClientRect().top - side.getBoundingClientRect().top
  if (place > side.clientHeight - current.offsetHeight) side.scrollTop = place - side.clientHeight / 3
}
