import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { problemOf } from '../api/errors.ts'
import { useText } from '../text/language.ts'
import { LinkButton } from './button.tsx'
import { Loaded } from './loaded.tsx'
import { UI } from './messages.ts'
import './stored-file.css'

export type StoredFileProps = {
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
