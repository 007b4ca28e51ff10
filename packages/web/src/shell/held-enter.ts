type Press = {
  readonly key: string
  readonly repeat: boolean
  readonly ctrlKey: boolean
  readonly metaKey: boolean
}

/** Tells whether a press of Enter only comes from holding the key. In a text of several lines it makes new ones. */
export function isHeldEnter({ key, repeat, ctrlKey, metaKey }: Press, isInText: boolean): boolean {
  return key === 'Enter' && repeat && (ctrlKey || metaKey || !isInText)
}

/** Lets a held Enter count once: a change would be sent again as soon as the first one is answered. */
export function ignoreHeldEnter(): () => void {
  const press = (event: KeyboardEvent) => {
    const { target } = event
    const isInText = target instanceof HTMLElement && target.closest('textarea, [contenteditable]') !== null
    if (!isHeldEnter(event, isInText)) return
    event.preventDefault()
    event.stopPropagation()
  }
  // The key is taken on its way down, before buttons, forms and shortcuts see it.
  document.addEventListener('keydown', press, true)
  return () => document.removeEventListener('keydown', press, true)
}
