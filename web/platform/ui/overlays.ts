import { fetchAhead } from './first-view.ts'

/** Loads the code of dialogs, menus and sheets after the first view. Call it once at start. */
export function prefetchOverlays(): void {
  void fetchAhead([
    () => import('./DialogPopup.tsx'),
    () => import('./MenuPopup.tsx'),
    () => import('./SheetPopup.tsx'),
  ])
}
