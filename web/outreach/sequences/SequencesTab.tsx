import { lazy, Suspense } from 'react'
import { Route, Routes } from 'react-router'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { SequenceList } from './SequenceList.tsx'

const SequencePage = lazy(() => import('./SequencePage.tsx').then((part) => ({ default: part.SequencePage })))

/** Sequences: the list, and a page for each. */
export function SequencesTab() {
  return (
    <Suspense fallback={<Skeleton className="h-64" />}>
      <Routes>
        <Route index element={<SequenceList />} />
        <Route path=":id" element={<SequencePage />} />
        <Route path=":id/edit" element={<SequencePage isEdited />} />
        <Route path="*" element={<SequenceList />} />
      </Routes>
    </Suspense>
  )
}
