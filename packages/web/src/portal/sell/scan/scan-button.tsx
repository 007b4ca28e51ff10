import { useState } from 'react'
import { useText } from '../../../text/language.ts'
import { Button } from '../../../ui/button.tsx'
import { LazyScanDialog } from '../lazy-sale.tsx'
import type { Scanned } from './codes.ts'
import { detectorMaker } from './detector.ts'
import { SCAN } from './messages.ts'

/** Button that reads a code with the camera; absent where the browser cannot. */
export function ScanButton({ onScanned }: { readonly onScanned: (scanned: Scanned) => void }) {
  const text = useText(SCAN)
  const [isOpen, setOpen] = useState(false)
  const maker = detectorMaker()
  if (maker === undefined) return null
  return (
    <>
      <Button size="sm" icon="bill" onClick={() => setOpen(true)}>
        {text.scan}
      </Button>
      {isOpen ? (
        <LazyScanDialog
          maker={maker}
          onClose={() => setOpen(false)}
          onScanned={(scanned) => {
            setOpen(false)
            onScanned(scanned)
          }}
        />
      ) : null}
    </>
  )
}
