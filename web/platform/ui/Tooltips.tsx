import { type ComponentType, useEffect, useState } from 'react'
import { afterFirstView } from './first-view.ts'

/** The page's tooltips. Render one per page. They are loaded once the page stands, because nothing waits for them. */
export function Tooltips() {
  const [Layer, setLayer] = useState<ComponentType | null>(null)
  useEffect(() => {
    afterFirstView()
      .then(() => import('./TooltipLayer.tsx'))
      // They only repeat what every button says of itself: a page without them is whole.
      .then(
        ({ TooltipLayer }) => setLayer(() => TooltipLayer),
        () => {},
      )
  }, [])
  return Layer === null ? null : <Layer />
}
