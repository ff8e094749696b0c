import { useEffect } from 'react'

/** Sets the tab's title: "Contacts · Howl". */
export function useDocumentTitle(title: string) {
  useEffect(() => {
    document.title = `${title} · Howl`
  }, [title])
}
