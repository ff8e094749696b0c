import type { FolderRole } from '../../gateways/imap.ts'
import type { EmailFolder } from '../tables.ts'
import { folderOfRole } from '../messages/folder-roles.ts'

/** What of a mail the server is to be told, and how the mail is now. */
export type PendingAction = {
  emailId: number
  messageId: string
  version: number
  attempts: number
  read: boolean
  starred: boolean
  moved: boolean
  folder: EmailFolder
  isRead: boolean
  isStarred: boolean
}

/** Where a mail is on the server. */
export type MailPlace = {
  emailId: number
  path: string
  uidValidity: string
  uid: number
  role: FolderRole | null
}

/** Folders that mails are moved into on a server. */
export type Target = 'inbox' | 'sent' | 'drafts' | 'archived' | 'spam' | 'trash'

/** What is to be done in one folder of the server, in this order. */
export type FolderPlan = {
  path: string
  uidValidity: string
  places: MailPlace[]
  seen: MailPlace[]
  unseen: MailPlace[]
  flagged: MailPlace[]
  unflagged: MailPlace[]
  moves: Map<Target, MailPlace[]>
  expunge: MailPlace[]
}

/**
 * What is to be done folder by folder so that the server agrees with us.
 *
 * @param viaTrash where only what is in the trash can be removed for good (Gmail): the rest is moved there first
 */
export function planActions(
  actions: readonly PendingAction[],
  places: readonly MailPlace[],
  viaTrash: boolean,
): FolderPlan[] {
  const plans = new Map<string, FolderPlan>()
  const placesOf = Map.groupBy(places, ({ emailId }) => emailId)
  for (const action of actions) {
    const own = placesOf.get(action.emailId) ?? []
    const away = new Set(action.moved ? leaving(action.folder, own) : [])
    for (const place of own) {
      const plan = planOf(plans, place)
      plan.places.push(place)
      if (away.has(place) && action.folder === 'deleted' && (!viaTrash || place.role === 'trash')) {
        plan.expunge.push(place)
        continue
      }
      // Marked before it moves: the marks travel along.
      if (action.read) (action.isRead ? plan.seen : plan.unseen).push(place)
      if (action.starred) (action.isStarred ? plan.flagged : plan.unflagged).push(place)
      const target = away.has(place) ? targetOf(action.folder) : null
      if (target !== null) plan.moves.set(target, [...(plan.moves.get(target) ?? []), place])
    }
  }
  return [...plans.values()]
}

/** The places that a mail has to leave when it is to be in `wanted`. */
function leaving(wanted: EmailFolder, places: readonly MailPlace[]): MailPlace[] {
  if (wanted === 'scheduled') return []
  if (wanted === 'deleted') return [...places]
  const elsewhere = places.filter(({ role }) => folderOfRole(role) !== wanted)
  // What is put away or thrown away is nowhere else any more.
  if (wanted === 'archived' || wanted === 'trash' || wanted === 'spam') return elsewhere
  // What comes back comes once, and not out of a folder that somebody has made for it if it can be helped.
  if (elsewhere.length < places.length) return []
  return (
    elsewhere.some(({ role }) => role !== null) ? elsewhere.filter(({ role }) => role !== null) : elsewhere
  ).slice(0, 1)
}

function targetOf(folder: EmailFolder): Target | null {
  if (folder === 'deleted') return 'trash'
  return folder === 'scheduled' ? null : folder
}

function planOf(plans: Map<string, FolderPlan>, { path, uidValidity }: MailPlace): FolderPlan {
  const key = `${uidValidity} ${path}`
  const plan = plans.get(key) ?? {
    path,
    uidValidity,
    places: [],
    seen: [],
    unseen: [],
    flagged: [],
    unflagged: [],
    moves: new Map(),
    expunge: [],
  }
  plans.set(key, plan)
  return plan
}
