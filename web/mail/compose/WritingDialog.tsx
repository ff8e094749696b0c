import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { auth } from '#contract/accounts/auth.ts'
import type { EmailDetail } from '#contract/mail/emails.ts'
import { emails } from '#contract/mail/emails.ts'
import { mailboxes } from '#contract/mail/mailboxes.ts'
import { call } from '#web/platform/api/call.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { Dialog } from '#web/platform/ui/Dialog.tsx'
import { DialogComing } from '#web/platform/ui/DialogComing.tsx'
import { LoadFailed } from '#web/platform/ui/Loaded.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { answer, type NewDraft, continued, newMail, originalOf } from './new-draft.ts'
import { begunWith, ownAddresses } from './sender.ts'
import type { Writing } from './writing.ts'
import { lazyPart } from '#web/platform/ui/lazy-part.ts'

const ComposeDialog = lazyPart(() => import('./ComposeDialog.tsx'), 'ComposeDialog')
const GenerateReplyDialog = lazyPart(() => import('./GenerateReplyDialog.tsx'), 'GenerateReplyDialog')
const FollowUpDialog = lazyPart(() => import('./FollowUpDialog.tsx'), 'FollowUpDialog')

type WritingDialogProps = {
  writing: Writing
  open: boolean
  onClose: () => void
  onScheduled: () => void
  onWrite: (mail: EmailDetail | Extract<Writing, { mail: unknown }>['mail']) => void
}

/** The dialog for a `Writing`: the lazy half of `useWriting`. */
export function WritingDialog({ writing, ...rest }: WritingDialogProps) {
  const { open, onClose, onWrite } = rest
  if (writing.kind === 'new') return <OnNothing to={writing.to} {...rest} />
  const { mail } = writing
  if (writing.kind === 'generate-reply')
    return <GenerateReplyDialog mail={mail} open={open} onClose={onClose} onWrite={onWrite} />
  if (writing.kind === 'follow-up')
    return <FollowUpDialog mail={mail} open={open} onClose={onClose} onWrite={onWrite} />
  return <OnMail writing={writing} {...rest} />
}

/** A new mail starts with the signature, or without it if the account cannot be loaded. */
function OnNothing({ to, ...rest }: Omit<WritingDialogProps, 'writing'> & { to: string | undefined }) {
  const { data, error } = useEndpoint(auth.me)
  // This takes a moment: a visible dialog in between would flicker and break the return of the focus.
  if (data === undefined && error === null) return rest.open ? <DialogComing onClose={rest.onClose} /> : null
  return <ComposeDialog begun={newMail(to, data?.signature)} {...rest} />
}

type OnMailProps = Omit<WritingDialogProps, 'writing'> & { writing: Exclude<Writing, { kind: 'new' }> }

/** Replies, forwards and drafts need the whole mail first: recipients, text and files. */
function OnMail({ writing: { kind, mail }, ...rest }: OnMailProps) {
  // Each opening reads the mail again: the last one, which has only just closed, may have changed it.
  const [opening] = useState(() => crypto.randomUUID())
  const query = useQuery<NewDraft>({
    queryKey: ['writing', kind, mail.id, opening],
    queryFn: async () => {
      const [whole, accounts, user] = await Promise.all([
        call(emails.get, { params: { id: mail.id } }),
        call(mailboxes.accounts),
        call(auth.me),
      ])
      const mailboxId = begunWith(accounts, whole, kind === 'draft')
      if (kind !== 'draft')
        return answer(answering(kind), whole, ownAddresses(accounts), user.signature, mailboxId)
      return continued(whole, await standingBelow(whole), mailboxId)
    },
    gcTime: 0,
    staleTime: Infinity,
    retry: 1,
    refetchOnWindowFocus: false,
  })
  const { data, error } = query
  if (data !== undefined) return <ComposeDialog begun={data} {...rest} />
  return (
    <Dialog
      open={rest.open}
      onClose={rest.onClose}
      title={LOADING_TITLES[kind]}
      size="page"
      footer={<Button onClick={rest.onClose}>Cancel</Button>}
    >
      {error === null ? (
        <Skeleton className="h-56 w-full rounded-md" />
      ) : (
        <LoadFailed query={query} message={sentenceOf(error, 'Email not found')} />
      )}
    </Dialog>
  )
}

async function standingBelow(draft: EmailDetail): Promise<NewDraft['original']> {
  const below = originalOf(draft)
  if (below === null) return null
  const { kind, id } = below
  // If the original is gone by now, sending the draft reports it.
  const mail = await call(emails.get, { params: { id } }).catch(() => null)
  return mail && { kind, mail }
}

const LOADING_TITLES: Record<OnMailProps['writing']['kind'], string> = {
  reply: 'Reply',
  'reply-all': 'Reply all',
  forward: 'Forward',
  draft: 'Edit draft',
  'follow-up': 'Generate Follow-up',
  'generate-reply': 'Generate Reply',
}

const answering = (kind: Exclude<Writing['kind'], 'new'>) =>
  kind === 'reply-all' || kind === 'forward' ? kind : 'reply'
