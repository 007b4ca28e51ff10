import { useEffect, useRef, useState } from 'react'
import { useText } from '../../text/language.ts'
import { Note } from '../../ui/state.tsx'
import { PLAYGROUND } from './playground-messages.ts'

/** Script that the service serves to every site; it defines the element. */
const SCRIPT = '/checkout/warung-checkout.js'
/** Events with which the element says that the order has changed. */
const CHANGES = ['warung:submitted', 'warung:cancelled', 'warung:completed'] as const

type EmbeddedFormProps = {
  readonly order: string
  readonly token: string
  readonly language: string
  readonly onChange: () => void
}

/** The element as it stands on a reseller's page. The policy of the dashboard allows no script of another host. */
export function EmbeddedForm({ order, token, language, onChange }: EmbeddedFormProps) {
  const text = useText(PLAYGROUND)
  const place = useRef<HTMLDivElement>(null)
  const [hasFailed, setFailed] = useState(false)
  const changed = useRef(onChange)
  useEffect(() => {
    changed.current = onChange
  })
  useEffect(() => {
    import(/* @vite-ignore */ SCRIPT).catch(() => setFailed(true))
  }, [])
  useEffect(() => {
    const element = document.createElement('warung-checkout')
    const attributes = { base: location.origin, order, token, language }
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
    const tell = () => changed.current()
    for (const name of CHANGES) element.addEventListener(name, tell)
    place.current?.append(element)
    return () => element.remove()
  }, [order, token, language])
  return (
    <>
      {hasFailed ? <Note tone="warning">{text.formFailed}</Note> : null}
      <div ref={place} className="embedded" />
    </>
  )
}
