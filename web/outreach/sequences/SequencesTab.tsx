import { Suspense } from 'react'
import { Route, Routes } from 'react-router'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { SequenceList } from './SequenceList.tsx'
import { lazyPart } from '#web/platform/ui/lazy-part.ts'

const SequencePage = lazyPart(() => import('./SequencePage.tsx'), 'SequencePage')

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
