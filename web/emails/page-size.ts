import { useState } from 'react'

export const PAGE_SIZES = [5, 10, 20, 50] as const
const DEFAULT_SIZE = 10
const KEY = 'app.emailsPerPage'

/** How many mails a page shows; this browser remembers it. */
export function usePageSize(): [number, (size: number) => void] {
  const [size, setSize] = useState(readSize)
  const choose = (next: number) => {
    localStorage.setItem(KEY, String(next))
    setSize(next)
  }
  return [size, choose]
}

function readSize(): number {
  return PAGE_SIZES.find((size) => String(size) === localStorage.getItem(KEY)) ?? DEFAULT_SIZE
}
