import { useState } from 'react'
import { templates } from '#contract/outreach/templates.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'
import { ContactPicker } from '#web/invoicing/invoices/ContactPicker.tsx'
import { Card } from '#web/platform/ui/Card.tsx'
import { Loaded } from '#web/platform/ui/Loaded.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { sampleText } from './sample-text.ts'

/** The mail as one contact would read it, while it is being written. */
export function TemplatePreview({ subject, body }: { subject: string; body: string }) {
  const [contactId, setContactId] = useState<number | null>(null)
  const query = useEndpoint(templates.values, {
    query: contactId === null ? {} : { contact_id: contactId },
  })
  return (
    <Card title="Preview">
      <Field label="Show it for" className="pb-3">
        <ContactPicker onChoose={({ id }) => setContactId(id)} />
      </Field>
      <Loaded query={query} failed="Failed to load the preview" waiting={<Skeleton className="h-40" />}>
        {({ contact, values }) => (
          <article
            aria-label="Preview of the mail"
            className="rounded-md border border-line bg-paper px-3.5 py-3"
          >
            <p className="text-sm wrap-anywhere text-ink-2">
              To{' '}
              {contact === null ? (
                'Ana Ruiz, an invented contact'
              ) : (
                <bdi>{contact.name || contact.email}</bdi>
              )}
            </p>
            <p className="min-h-6 pt-1 font-medium wrap-anywhere">
              <Marked text={sampleText(subject, values)} />
            </p>
            <p className="min-h-24 pt-2 leading-relaxed wrap-anywhere whitespace-pre-wrap">
              <Marked text={sampleText(body, values)} />
            </p>
          </article>
        )}
      </Loaded>
    </Card>
  )
}

/** A text whose examples in brackets catch the eye. */
function Marked({ text }: { text: string }) {
  const parts = text.split(/(\[[^[\]\n]{2,300}\](?!\())/)
  return parts.map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      // oxlint-disable-next-line react/no-array-index-key -- parts of a text have only their place
      <mark key={at} className="rounded-sm bg-amber-soft text-ink">
        {part}
      </mark>
    ),
  )
}
