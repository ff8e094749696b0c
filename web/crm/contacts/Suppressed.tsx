import { Ban } from 'lucide-react'
import { type Contact, contacts } from '#contract/crm/contacts.ts'
import type { SuppressionReason } from '#contract/crm/suppressions.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand } from '#web/platform/api/queries.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { isLiftable, suppressedSentence } from './contact-text.ts'

/** Why no mail is sent to a contact, with a way to allow it again if the user may decide that. */
export function Suppressed({ contact, reason }: { contact: Contact; reason: SuppressionReason }) {
  const lift = useCommand(contacts.liftMailing, {
    refreshes: [contacts.get, contacts.list],
    onSuccess: () => toast.success(`${contact.name} can be mailed again`),
    onError: (error) => toast.error(sentenceOf(error, 'Failed to update contact')),
  })
  return (
    <div
      role="note"
      className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-line bg-amber-soft px-4 py-2.5 text-amber"
    >
      <Ban aria-hidden className="size-4 shrink-0" />
      <p className="min-w-0 grow basis-60">{suppressedSentence(reason)}</p>
      {isLiftable(reason) ? (
        <Button size="s" busy={lift.isPending} onClick={() => lift.mutate({ body: { ids: [contact.id] } })}>
          Allow mailing
        </Button>
      ) : null}
    </div>
  )
}
