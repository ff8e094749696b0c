import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'
import { type Email, emails } from '#contract/mail/emails.ts'
import { mailboxes } from '#contract/mail/mailboxes.ts'
import { call } from '#web/platform/api/call.ts'
import { type ApiError, sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand, useEndpoint } from '#web/platform/api/queries.ts'
import { toast } from '#web/platform/ui/toast.ts'
import { refreshMails, REPLY_FAILED, sentText, tellSent, UNDO_SECONDS } from './after-sending.ts'
import { type NewDraft, isEmpty, type Draft, draftBody } from './new-draft.ts'
import { checkDraft, isDuplicate, type LastSend, type DraftFaults, wantsSettings } from './check-draft.ts'
import { senderOf } from './sender.ts'
import { useAutosave } from './use-autosave.ts'
import { useUploads } from './use-uploads.ts'

const DRAFT_NEEDS = 'Please fill in all required fields before saving draft'
const STILL_UPLOADING = 'Please wait until all files are uploaded.'

export type DraftEnds = {
  onClose: () => void
  onScheduled: () => void
  /** Opens another mail in this dialog: one whose sending was undone. */
  onWrite: (mail: Email) => void
  /** Called if the mailbox must be set up before anything can be sent. */
  onSettingsNeeded: () => void
}

/** The state of a draft: content, files and errors, and the functions that send, save or discard it. */
export function useDraft(begun: NewDraft, ends: DraftEnds) {
  const [draft, setDraft] = useState<Draft>(begun.draft)
  const [withOriginal, setWithOriginal] = useState(true)
  const [faults, setFaults] = useState<DraftFaults>({})
  const [fault, setFault] = useState<string | null>(null)
  const lastSend = useRef<LastSend>(null)
  const [isKeeping, setKeeping] = useState(false)
  const uploads = useUploads(begun.files)
  const body = draftBody(draft, begun, withOriginal, uploads.ids)
  const { data: accounts } = useEndpoint(mailboxes.accounts)
  const from = senderOf(accounts ?? [], begun.draft.mailboxId, draft.mailboxId)
  /** The body of a call that the user asked for: it names the account that From shows. */
  const asked = from === undefined ? body : { ...body, mailbox_id: from.id }
  const [first] = useState(body)
  const isScheduled = begun.scheduledAt !== null
  const sendFailed = begun.inReplyTo === null ? 'Failed to send email' : REPLY_FAILED
  const isBlank = isEmpty(draft, begun.signature) && uploads.ids.length === 0
  const autosave = useAutosave(isBlank ? null : body, {
    draftId: begun.draftId,
    // A scheduled mail changes only when the user saves it, not while typing.
    isOn: !isScheduled,
  })

  const set = useCallback((part: Partial<Draft>) => {
    setDraft((now) => ({ ...now, ...part }))
    const names = 'text' in part ? ['content'] : Object.keys(part)
    setFaults((now) => Object.fromEntries(Object.entries(now).filter(([name]) => !names.includes(name))))
  }, [])
  const refuse = (error: ApiError, fallback: string) => {
    autosave.resume()
    if (wantsSettings(error)) {
      // If the user leaves for the settings, the draft is in Drafts afterwards.
      autosave.flush().catch(() => undefined)
      return ends.onSettingsNeeded()
    }
    const known = Object.entries(error.fields ?? {}).filter(([name]) => name === 'content' || name in draft)
    setFaults(Object.fromEntries(known))
    setFault(known.length > 0 ? null : sentenceOf(error, fallback))
  }
  /** Waits for a save in flight; nothing else can be pressed meanwhile. */
  const keptId = async () => {
    setKeeping(true)
    return autosave.pause().finally(() => setKeeping(false))
  }
  const { send, addDraft, change } = useDraftCommands({ begun, ends, sendFailed, onFailed: refuse })

  /** True if the draft can be sent; otherwise shows why not. */
  const isReady = () => {
    const found = checkDraft(draft)
    const isFine = Object.keys(found).length === 0
    setFaults(found)
    setFault(isFine && uploads.isBusy ? STILL_UPLOADING : null)
    if (!isFine) requestAnimationFrame(focusFault)
    return isFine && !uploads.isBusy
  }
  const sendAt = async (at: Date | null) => {
    if (!isReady()) return
    if (isDuplicate(lastSend.current, draft, Date.now())) {
      toast.info('Duplicate click ignored')
      return
    }
    lastSend.current = { draft, at: Date.now() }
    const draftId = await keptId()
    const when = at === null ? { undo_seconds: UNDO_SECONDS } : { schedule_at: at.toISOString() }
    send.mutate({ body: { ...asked, ...when, draft_id: draftId } })
  }
  const save = async () => {
    if (isScheduled) {
      if (isReady()) change.mutate({ params: { id: begun.draftId ?? 0 }, body: asked })
      return
    }
    const isComplete = [draft.to, draft.subject, draft.text].every((each) => each.trim() !== '')
    if (!isComplete) return setFault(DRAFT_NEEDS)
    if (uploads.isBusy) return setFault(STILL_UPLOADING)
    setFault(null)
    const draftId = await keptId()
    if (draftId === null) addDraft.mutate({ body: asked })
    else change.mutate({ params: { id: draftId }, body: asked })
  }
  const { cancel, close } = useDraftClosing({
    begun,
    first,
    ends,
    setKeeping,
    isBlank,
    autosave,
    isUploading: uploads.isBusy,
    onFault: setFault,
  })
  return {
    draft,
    set,
    faults,
    // Once the uploads are done, this error no longer applies.
    fault: fault === STILL_UPLOADING && !uploads.isBusy ? null : fault,
    uploads,
    withOriginal,
    setWithOriginal,
    isScheduled,
    hasChanged: JSON.stringify(body) !== JSON.stringify(first),
    saved: autosave.state,
    isSending: send.isPending,
    isSaving: addDraft.isPending || change.isPending,
    isBusy: isKeeping || send.isPending || addDraft.isPending || change.isPending,
    sendAt,
    save,
    cancel,
    close,
  }
}

type DraftBody = ReturnType<typeof draftBody>

const restore = (id: number, body: DraftBody) => call(emails.update, { params: { id }, body })
const discard = (id: number) => call(emails.discard, { params: { id } })

type DraftCommands = {
  begun: NewDraft
  ends: DraftEnds
  sendFailed: string
  onFailed: (error: ApiError, fallback: string) => void
}

/** The calls that send or save a draft, each with its message. */
function useDraftCommands({ begun, ends, sendFailed, onFailed }: DraftCommands) {
  const client = useQueryClient()
  const isScheduled = begun.scheduledAt !== null
  const end = (message: string) => {
    refreshMails(client)
    toast.success(message)
    ends.onClose()
  }
  const send = useCommand(emails.send, {
    onSuccess: (mail) => {
      const goesLater = mail.status === 'scheduled'
      refreshMails(client)
      const sent = begun.inReplyTo === null ? 'Email sent' : sentText(mail)
      tellSent(client, mail, goesLater ? 'Email scheduled' : sent, ends.onWrite, sendFailed)
      ends.onClose()
      if (goesLater) ends.onScheduled()
    },
    onError: (error) => onFailed(error, sendFailed),
  })
  const addDraft = useCommand(emails.saveDraft, {
    onSuccess: () => end('Draft saved successfully'),
    onError: (error) => onFailed(error, 'Failed to save draft'),
  })
  const change = useCommand(emails.update, {
    onSuccess: () => end(isScheduled ? 'Email scheduled' : 'Draft saved successfully'),
    onError: (error) => onFailed(error, isScheduled ? sendFailed : 'Failed to save draft'),
  })
  return { send, addDraft, change }
}

type DraftClosing = {
  begun: NewDraft
  /** The request body that the draft started with. */
  first: DraftBody
  ends: DraftEnds
  setKeeping: (isKeeping: boolean) => void
  isBlank: boolean
  autosave: ReturnType<typeof useAutosave>
  isUploading: boolean
  onFault: (fault: string) => void
}

/** The two ways to leave a draft unsent: discard it, or keep it in Drafts. */
function useDraftClosing({
  begun,
  first,
  ends,
  setKeeping,
  isBlank,
  autosave,
  isUploading,
  onFault,
}: DraftClosing) {
  const client = useQueryClient()
  const isScheduled = begun.scheduledAt !== null
  /**
   * Discards what this dialog has saved: a new draft is deleted, an older one is restored. Closes once that is done: it could
   * be opened again before.
   */
  const cancel = async () => {
    setKeeping(true)
    const draftId = await autosave.pause()
    // Unless it has saved something, another program may have changed the draft meanwhile.
    const hasSaved =
      draftId !== null && !isScheduled && (draftId !== begun.draftId || autosave.state !== 'nothing')
    if (hasSaved) {
      const undone = draftId === begun.draftId ? restore(draftId, first) : discard(draftId)
      await undone.catch((error: unknown) => toast.error(sentenceOf(error, 'Failed to discard the changes')))
      refreshMails(client)
    }
    setKeeping(false)
    ends.onClose()
  }
  /** Saves the draft and closes; stays open if saving fails. */
  const close = async () => {
    if (isUploading) return onFault(STILL_UPLOADING)
    setKeeping(true)
    try {
      const draftId = isScheduled ? begun.draftId : await autosave.flush()
      await autosave.pause()
      if (isBlank && draftId !== begun.draftId) return await cancel()
      if (draftId !== begun.draftId) toast.info('Kept in Drafts')
      refreshMails(client)
      ends.onClose()
    } catch (error) {
      onFault(sentenceOf(error, 'Failed to save draft'))
    } finally {
      setKeeping(false)
    }
  }
  return { cancel, close }
}

/** Moves the focus to the first wrong field. */
function focusFault(): void {
  document.querySelector<HTMLElement>('[role=dialog] [aria-invalid=true]')?.focus()
}
