import { useState } from 'react'
import { Badge, type BadgeTone } from '#web/platform/ui/Badge.tsx'
import { Segmented } from '#web/platform/ui/Segmented.tsx'
import { Detail } from './Detail.tsx'

type Incoming = { label: string; mail: string; intent: string; tone: BadgeTone; answer: string }

const incoming: Record<'yes' | 'price' | 'away', Incoming> = {
  yes: {
    label: 'Inès',
    mail: 'Yes please, send me the drawings. Could we talk on Thursday?',
    intent: 'Interested',
    tone: 'green',
    answer: 'Gladly, Inès. The drawings are attached, and Thursday at ten is free on my side.',
  },
  price: {
    label: 'Mara',
    mail: 'Looks nice. What would four benches cost?',
    intent: 'Question',
    tone: 'blue',
    answer:
      'Thank you, Mara. To give you a fair price I need the length of the wall. Could you send it to me?',
  },
  away: {
    label: 'Tom',
    mail: 'I am out of the office until Monday and will answer then.',
    intent: 'Out of office',
    tone: 'gray',
    answer: 'No answer needed. It does not count as a reply, and the follow-up waits.',
  },
}

export function RepliesDetail({ className }: { className?: string }) {
  const [which, setWhich] = useState<keyof typeof incoming>('yes')
  const { mail, intent, tone, answer } = incoming[which]
  return (
    <Detail
      title="Intelligent replies"
      text="Howl reads what each reply asks for. Out-of-office notes and bounces never count as replies."
      {...(className ? { className } : {})}
    >
      <Segmented
        label="A reply from"
        value={which}
        onChange={setWhich}
        options={[
          { value: 'yes', label: incoming.yes.label },
          { value: 'price', label: incoming.price.label },
          { value: 'away', label: incoming.away.label },
        ]}
        className="self-start"
      />
      <div aria-live="polite" className="mt-4 flex min-h-46 flex-col items-start gap-3">
        <p className="rounded-lg rounded-tl-sm bg-sunken px-3.5 py-2.5">{mail}</p>
        <Badge tone={tone}>{intent}</Badge>
        <p className="self-end rounded-lg rounded-br-sm bg-accent-soft px-3.5 py-2.5">{answer}</p>
      </div>
    </Detail>
  )
}
