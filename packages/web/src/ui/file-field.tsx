import type { DragEvent } from 'react'
import { useState } from 'react'
import type { FieldFrame } from './field.tsx'
import { Field } from './field.tsx'
import { Icon } from './icon.tsx'
import './file-field.css'

export type FileFieldProps = FieldFrame & {
  /** Kinds that the browser offers, such as `.csv,text/csv`. It is a help, not a check. */
  readonly accept: string
  /** Says how to choose a file. */
  readonly invitation: string
  /** Name of the file that is chosen. */
  readonly chosen: string | undefined
  readonly onFile: (file: File) => void
}

/** Field for one file: chosen in the browser's dialog, or dropped here. */
export function FileField({ accept, invitation, chosen, onFile, ...frame }: FileFieldProps) {
  const [isOver, setOver] = useState(false)
  const over = (event: DragEvent) => {
    event.preventDefault()
    setOver(true)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const [file] = event.dataTransfer.files
    if (file !== undefined) onFile(file)
  }
  return (
    <Field {...frame}>
      {(attributes) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the input inside is the first.
        <div
          className={`drop-field${isOver ? ' is-over' : ''}${frame.error === undefined ? '' : ' is-bad'}`}
          onDragOver={over}
          onDragLeave={() => setOver(false)}
          onDrop={drop}
        >
          <Icon name={chosen === undefined ? 'inbox' : 'check'} />
          <span className="cut">{chosen ?? invitation}</span>
          <input
            {...attributes}
            type="file"
            accept={accept}
            onChange={(event) => {
              const [file] = event.target.files ?? []
              if (file !== undefined) onFile(file)
              // The same file, mended meanwhile, can be chosen again.
              event.target.value = ''
            }}
          />
        </div>
      )}
    </Field>
  )
}
