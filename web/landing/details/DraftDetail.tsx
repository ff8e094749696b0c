import { useState, type ReactNode } from 'react'
import { Segmented } from '#web/platform/ui/Segmented.tsx'
import { Detail } from './Detail.tsx'

const Known = ({ children }: { children: ReactNode }) => (
  <mark className="bg-accent-soft text-ink decoration-accent">{children}</mark>
)

const drafts = {
  lena: {
    name: 'Lena',
    note: 'Note: met at the Kassel fair, wants to sell online',
    text: (
      <>
        Hi <Known>Lena</Known>, it was good to talk <Known>at the Kassel fair</Known>. You said your bowls
        should be for sale <Known>online</Known> by spring. I have two shop set-ups in mind that would suit{' '}
        <Known>Brandt Keramik</Known>.
      </>
    ),
  },
  tom: {
    name: 'Tom',
    note: 'Note: three apprentices from September',
    text: (
      <>
        Hi <Known>Tom</Known>, with <Known>three apprentices starting in September</Known> the workshop at{' '}
        <Known>Okafor Joinery</Known> will need more benches than you have now. We build them to measure.
      </>
    ),
  },
  june: {
    name: 'June',
    note: 'No note yet',
    text: (
      <>
        Hi <Known>June</Known>, I came across <Known>Albright Florist</Known> and wondered who builds your
        displays. If that is ever a worry, I would gladly show you what we do.
      </>
    ),
  },
}

export function DraftDetail({ className }: { className?: string }) {
  const [who, setWho] = useState<keyof typeof drafts>('lena')
  const draft = drafts[who]
  return (
    <Detail
      title="AI email generation"
      text="Written from your own notes, for one person at a time. The model proposes; you send."
      {...(className ? { className } : {})}
    >
      <Segmented
        label="Write to"
        value={who}
        onChange={setWho}
        options={[
          { value: 'lena', label: 'Lena' },
          { value: 'tom', label: 'Tom' },
          { value: 'june', label: 'June' },
        ]}
        className="self-start"
      />
      <p className="mt-4 text-sm text-ink-2">{draft.note}</p>
      <p aria-live="polite" className="mt-2 min-h-44 text-md leading-relaxed sm:min-h-36">
        {draft.text}
      </p>
      <p className="mt-auto border-t border-line pt-3 text-sm text-ink-2">
        <Known>Highlighted</Known> text comes from the contact. You can change the rest.
      </p>
    </Detail>
  )
}
