import { useQuery } from '@tanstack/react-query'
import type { DragEvent } from 'react'
import { useEffect, useState } from 'react'
import { problemOf } from '../api/errors.ts'
import { useText } from '../text/language.ts'
import { LinkButton } from './button.tsx'
import type { FieldFrame } from './field.tsx'
import { Field } from './field.tsx'
import { Icon } from './icon.tsx'
import { Loaded } from './loaded.tsx'
import { UI } from './messages.ts'
import './file-field.css'
import './stored-file.css'

type FileFieldProps = FieldFrame & {
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

type StoredFileProps = {
  /** Address of the file in the API. */
  readonly url: string
  /** Media type as the service found it in the file's content. */
  readonly type: string
  /** Name of a download. */
  readonly name: string
  /** Says what the picture is, for screen readers. */
  readonly label: string
}

/** File that somebody uploaded: a picture is shown, and every kind can be downloaded. It is never opened as a page. */
export function StoredFile({ url, type, name, label }: StoredFileProps) {
  const text = useText(UI)
  const reading = useQuery({
    queryKey: ['file', url],
    queryFn: async ({ signal }) => {
      const response = await fetch(url, { credentials: 'same-origin', signal })
      if (!response.ok) throw await problemOf(response)
      return new Blob([await response.arrayBuffer()], { type })
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const address = useObjectUrl(reading.data)
  return (
    <Loaded reading={reading} bones={3}>
      {() => (
        <div className="stored-file">
          {type.startsWith('image/') && address !== undefined ? <img src={address} alt={label} /> : null}
          <LinkButton icon="down" size="sm" href={address} download={name}>
            {text.download} <span className="mono">{name}</span>
          </LinkButton>
        </div>
      )}
    </Loaded>
  )
}

function useObjectUrl(blob: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string | undefined>(undefined)
  useEffect(() => {
    if (blob === undefined) return
    const made = URL.createObjectURL(blob)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [blob])
  return url
}
