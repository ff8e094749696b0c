import type { FolderRole } from '../../../platform/gateways/imap.ts'
import type { EmailFolder } from '../tables.ts'
import { folderOfRole } from '../messages/folders.ts'

/** What changed on a message and has to be pushed, with the message's current state. */
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

/** Where a message is on the server. */
export type MailLocation = {
  emailId: number
  path: string
  uidValidity: string
  uid: number
  role: FolderRole | null
}

/** Folders that messages are moved into on a server. */
export type Target = 'inbox' | 'sent' | 'drafts' | 'archived' | 'spam' | 'trash'

/** What to do in one folder of the server, in this order. */
export type FolderPlan = {
  path: string
  uidValidity: string
  locations: MailLocation[]
  seen: MailLocation[]
  unseen: MailLocation[]
  flagged: MailLocation[]
  unflagged: MailLocation[]
  moves: Map<Target, MailLocation[]>
  expunge: MailLocation[]
}

/**
 * Plans, folder by folder, what to do so that the server matches our state.
 *
 * @param viaTrash where a message can only be deleted permanently from the trash (Gmail); others are moved there first
 */
export function planActions(
  actions: readonly PendingAction[],
  locations: readonly MailLocation[],
  viaTrash: boolean,
): FolderPlan[] {
  const plans = new Map<string, FolderPlan>()
  const locationsOf = Map.groupBy(locations, ({ emailId }) => emailId)
  for (const action of actions) {
    const own = locationsOf.get(action.emailId) ?? []
    const away = new Set(action.moved ? leaving(action.folder, own) : [])
    for (const location of own) {
      const plan = planOf(plans, location)
      plan.locations.push(location)
      if (away.has(location) && action.folder === 'deleted' && (!viaTrash || location.role === 'trash')) {
        plan.expunge.push(location)
        continue
      }
      // Flags are set before the move, because they travel with the message.
      if (action.read) (action.isRead ? plan.seen : plan.unseen).push(location)
      if (action.starred) (action.isStarred ? plan.flagged : plan.unflagged).push(location)
      const target = away.has(location) ? targetOf(action.folder) : null
      if (target !== null) plan.moves.set(target, [...(plan.moves.get(target) ?? []), location])
    }
  }
  return [...plans.values()]
}

/** The locations that a message has to leave to end up in `wanted`. */
function leaving(wanted: EmailFolder, locations: readonly MailLocation[]): MailLocation[] {
  if (wanted === 'scheduled') return []
  if (wanted === 'deleted') return [...locations]
  const elsewhere = locations.filter(({ role }) => folderOfRole(role) !== wanted)
  // A message that is archived, trashed or spam leaves every other folder.
  if (wanted === 'archived' || wanted === 'trash' || wanted === 'spam') return elsewhere
  // A message that comes back is moved once, and if possible not out of a folder that the user created.
  if (elsewhere.length < locations.length) return []
  return (
    elsewhere.some(({ role }) => role !== null) ? elsewhere.filter(({ role }) => role !== null) : elsewhere
  ).slice(0, 1)
}

function targetOf(folder: EmailFolder): Target | null {
  if (folder === 'deleted') return 'trash'
  return folder === 'scheduled' ? null : folder
}

function planOf(plans: Map<string, FolderPlan>, { path, uidValidity }: MailLocation): FolderPlan {
  const key = `${uidValidity} ${path}`
  const plan = plans.get(key) ?? {
    path,
    uidValidity,
    locations: [],
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
