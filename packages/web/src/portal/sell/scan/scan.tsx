import { useEffect, useRef, useState } from 'react'
import { useLatest } from '../../../api/latest.ts'
import { useText } from '../../../text/language.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Note } from '../../../ui/state.tsx'
import type { Scanned } from './codes.ts'
import { readCode } from './codes.ts'
import type { DetectorMaker } from './detector.ts'
import { SCAN } from './messages.ts'

type ScanProps = {
  readonly maker: DetectorMaker
  readonly onScanned: (scanned: Scanned) => void
  readonly onClose: () => void
}

const PAUSE_MS = 200

/** Reads the first code that the camera sees and that is sold. */
export function ScanDialog({ maker, onScanned, onClose }: ScanProps) {
  const text = useText(SCAN)
  const video = useRef<HTMLVideoElement>(null)
  const [trouble, setTrouble] = useState<'camera' | 'unread' | undefined>(undefined)
  const found = useLatest(onScanned)
  useEffect(() => {
    let isOver = false
    let stream: MediaStream | undefined
    const look = async () => {
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
      const element = video.current
      if (isOver || element === null) return stop(stream)
      element.srcObject = stream
      // A camera may take seconds to begin: the codes are looked for meanwhile.
      void element.play().catch(() => undefined)
      const detector = new maker()
      while (!isOver) {
        const codes = await detector.detect(element).catch(() => [])
        const scanned = codes.map(({ rawValue }) => readCode(rawValue)).find((each) => each !== undefined)
        if (isOver) return
        if (scanned !== undefined) return found.current(scanned)
        if (codes.length > 0) setTrouble('unread')
        await new Promise((resolve) => window.setTimeout(resolve, PAUSE_MS))
      }
    }
    look().catch(() => {
      if (!isOver) setTrouble('camera')
    })
    return () => {
      isOver = true
      stop(stream)
    }
  }, [maker])
  return (
    <Dialog title={text.title} onClose={onClose} footer={<Button onClick={onClose}>{text.close}</Button>}>
      <p className="mid">{text.about}</p>
      <video ref={video} className="camera" playsInline muted aria-label={text.picture} />
      {trouble === undefined ? null : <Note tone="warning">{text.troubles[trouble]}</Note>}
    </Dialog>
  )
}

function stop(stream: MediaStream | undefined): void {
  for (const track of stream?.getTracks() ?? []) track.stop()
}
