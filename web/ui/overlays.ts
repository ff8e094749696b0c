/** Fetches the machinery of dialogs, sheets and menus while the browser has nothing else to do. Call it once at start. */
export function prefetchOverlays() {
  const fetchAll = () => {
    // A failed prefetch is no news: the first dialog asks again and then says so itself.
    for (const part of [import('./DialogPopup.tsx'), import('./SheetPopup.tsx'), import('./MenuPopup.tsx')]) {
      part.catch(() => undefined)
    }
  }
  // Safari has no requestIdleCallback.
  if ('requestIdleCallback' in window) window.requestIdleCallback(fetchAll, { timeout: 4_000 })
  else setTimeout(fetchAll, 2_000)
}
