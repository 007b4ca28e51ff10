import { useState } from 'react'
import { useText } from '../text/language.ts'
import { Button } from './button.tsx'
import { UI } from './messages.ts'

const SAID_MS = 2_000

/** Copies a value to the clipboard, and says so. */
export function CopyButton({ value, label }: { value: string; label?: string }) {
  const text = useText(UI)
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(value)
    setCopied(true)
    window.setTimeout(() => setCopied(false), SAID_MS)
  }
  return (
    <Button size="sm" icon={isCopied ? 'check' : 'copy'} onClick={() => void copy()} className="push">
      <span aria-live="polite">{isCopied ? text.copied : (label ?? text.copy)}</span>
    </Button>
  )
}
