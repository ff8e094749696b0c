import { useEffect, useState } from 'react'

/** Cameras need a light border of four modules (ISO/IEC 18004). */
const BORDER = 4

/** The dark modules of a QR code as an SVG path, one unit to a module. */
export type QrModules = { size: number; path: string }

/** The QR code of a text; null until the code that draws it is loaded. The text beside it does without. */
export function useQrCode(text: string): QrModules | 'failed' | null {
  const [drawn, setDrawn] = useState<{ text: string; code: QrModules | 'failed' } | null>(null)
  useEffect(() => {
    let isWanted = true
    const show = (code: QrModules | 'failed') => isWanted && setDrawn({ text, code })
    import('uqr').then(
      ({ encode }) => show(modulesOf(encode(text, { ecc: 'M', border: BORDER }).data)),
      () => show('failed'),
    )
    return () => {
      isWanted = false
    }
  }, [text])
  return drawn?.text === text ? drawn.code : null
}

function modulesOf(rows: readonly (readonly boolean[])[]): QrModules {
  const path = rows
    .map((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')).join(''))
    .join('')
  return { size: rows.length, path }
}
