import { Suspense } from 'react'
import { useNavigate } from 'react-router'
import { useWriting } from '#web/mail/compose/use-writing.tsx'
import { GenerateDialogs } from '#web/outreach/runs/GenerateDialogs.tsx'
import { useGenerateAndSend } from '#web/outreach/runs/use-generate-and-send.ts'
import { type NavEntry, paths } from '#web/platform/paths.ts'
import { Palette } from './Palette.tsx'
import type { Opens } from './use-offers.tsx'
import { lazyPart } from '#web/platform/ui/lazy-part.ts'
import { useOpened } from '#web/platform/ui/use-opened.ts'

const ContactDialog = lazyPart(() => import('#web/crm/contacts/ContactDialog.tsx'), 'ContactDialog')
const TodoDialog = lazyPart(() => import('#web/crm/todos/TodoDialog.tsx'), 'TodoDialog')

type PaletteHostProps = {
  open: boolean
  /** How often it was opened: each time it starts over. */
  turn: number
  entries: ReadonlyArray<NavEntry>
  onClose: () => void
}

/** The palette, and the dialogs that its actions open over the page. */
export function PaletteHost({ open, turn, entries, onClose }: PaletteHostProps) {
  const navigate = useNavigate()
  const writing = useWriting(() => void navigate(`${paths.emails}?folder=scheduled`))
  const run = useGenerateAndSend()
  const form = useOpened<'contact' | 'task'>()
  const start = (what: Opens) => {
    if (what === 'compose') writing.start({ kind: 'new' })
    else if (what === 'generate') run.begin()
    else form.show(what)
  }
  return (
    <>
      <Palette key={turn} open={open} entries={entries} onClose={onClose} onStart={start} />
      {writing.dialog}
      <GenerateDialogs flow={run} />
      <Suspense fallback={null}>
        {form.what === 'contact' ? <ContactDialog key={form.turn} {...form.props} contact={null} /> : null}
        {form.what === 'task' ? <TodoDialog key={form.turn} {...form.props} todo={null} /> : null}
      </Suspense>
    </>
  )
}
