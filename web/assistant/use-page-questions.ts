import { useQueryClient } from '@tanstack/react-query'
import { matchPath, useLocation } from 'react-router'
import { contacts } from '#contract/crm/contacts.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'
import { findCachedMail } from '#web/mail/emails/mail/cached-mail.ts'
import { paths } from '#web/platform/paths.ts'
import type { Subject } from './chat-store.ts'
import { pageQuestions } from './page-question.ts'
import type { Chat } from './use-chat.ts'

/** Questions that may be asked first; `about` is whom a conversation is about that begins with one of them. */
export type FirstQuestions = { questions: readonly string[]; about: Subject | null }

/** Questions about whom the conversation is about, or else about what the page shows. */
export function usePageQuestions({ subject }: Chat): FirstQuestions {
  const { pathname } = useLocation()
  const shown = useShownContact()
  const id = subject === null ? shown : subject.contactId
  const { data } = useEndpoint(contacts.get, { params: { id: String(id) }, enabled: id !== null })
  if (id === null || data === undefined) return { questions: pageQuestions(pathname), about: null }
  const { name, email } = data
  return { questions: pageQuestions(pathname, data), about: { name, email, contactId: id } }
}

/** The contact whose page it is, or who has written the open mail. */
function useShownContact(): number | null {
  const client = useQueryClient()
  const { pathname, search } = useLocation()
  const id = matchPath(paths.contact, pathname)?.params.id
  if (id !== undefined) return /^\d{1,15}$/.test(id) ? Number(id) : null
  if (pathname !== paths.emails) return null
  const mail = findCachedMail(client, Number(new URLSearchParams(search).get('email')))
  return mail?.contact_id ?? null
}
