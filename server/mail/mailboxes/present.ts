import type { AccountSettings, EmailSettings, EmailStanding, MailAccount } from '#contract/mail/mailboxes.ts'
import type { Context } from '../../platform/context.ts'
import { hasImap, isConfigured } from './accounts.ts'
import { defaultAccount, ownAccount, primaryOf } from './accounts-of-user.ts'
import { type FollowUpSettings, followUpSettings } from './follow-ups-store.ts'
import { type Grant, grantsOf } from './grants-store.ts'
import { accountsMax } from './place-for-account.ts'
import { folderStates, type Mailbox, mailboxesOf } from './store.ts'
import { accountTroubles, presentTroubles } from './trouble-sentences.ts'
import { loadTroubles, refusedActions } from './troubles-store.ts'
import type { Queryable } from '../../platform/database/handles.ts'

/**
 * The settings page: servers are those of the default account, so that they are still there after practice; follow-ups
 * belong to the user, and everything else to the account in use.
 */
export async function emailSettingsOf(context: Context, userId: number): Promise<EmailSettings> {
  const { db } = context
  const all = await mailboxesOf(db, userId)
  const own = defaultAccount(all)
  const primary = primaryOf(all)
  const grants = await grantsOf(db, userId)
  return {
    configured: isConfigured(primary),
    practice: primary?.is_practice ?? false,
    ...presentServers(own),
    oauth: presentOauth(context, own, grants),
    hourly_limit: (own ?? primary)?.hourly_limit ?? null,
    ...presentFollowUps(await followUpSettings(db, userId), primary?.is_practice ?? false),
    ...(await presentState(db, userId, primary)),
    accounts_max: await accountsMax(context, db, userId),
  }
}

/** One of the user's own connected accounts. @throws Refusal 404 */
export async function accountSettingsOf(
  context: Context,
  userId: number,
  id: number,
): Promise<AccountSettings> {
  const { db } = context
  const row = ownAccount(await mailboxesOf(db, userId), id)
  return {
    id,
    default: row.is_default,
    ...presentServers(row),
    oauth: presentOauth(context, row, await grantsOf(db, userId)),
    hourly_limit: row.hourly_limit,
    ...(await presentState(db, userId, row)),
  }
}

/** All accounts of the user, the one in use first. */
export async function accountsOf(context: Context, userId: number): Promise<MailAccount[]> {
  const { db } = context
  const grants = await grantsOf(db, userId)
  const rows = await mailboxesOf(db, userId)
  return Promise.all(
    rows.map(async (row) => {
      const { folders: _, troubles: __, ...standing } = await presentState(db, userId, row)
      return {
        id: row.id,
        address: row.address,
        practice: row.is_practice,
        primary: row.is_primary,
        default: row.is_default,
        connected: row.disconnected_at === null,
        ...standing,
        reads_replies: row.is_practice || hasImap(row),
        oauth: presentOauth(context, row, grants),
      }
    }),
  )
}

function presentOauth(
  { oauth }: Context,
  row: Mailbox | undefined,
  grants: ReadonlyMap<number, Grant>,
): AccountSettings['oauth'] {
  if (row === undefined || row.oauth_provider === null || row.disconnected_at !== null) return null
  const name = oauth.providers.find(({ id }) => id === row.oauth_provider)?.name ?? 'OAuth 2'
  const withdrawn = (grants.get(row.id)?.withdrawn_at ?? null) !== null
  return { provider: row.oauth_provider, name, withdrawn }
}

/** The state of an account: what went wrong, folder by folder and besides. */
async function presentState(
  db: Queryable,
  userId: number,
  row: Mailbox | undefined,
): Promise<EmailStanding & Pick<AccountSettings, 'folders' | 'troubles'>> {
  if (row === undefined)
    return { last_error: null, more_troubles: 0, waits_until: null, folders: [], troubles: [] }
  const folders = await presentFolders(db, userId, row)
  const troubles = presentTroubles(
    await loadTroubles(db, userId, row.id),
    await refusedActions(db, userId, row.id),
  )
  const [first = null, ...others] = accountTroubles(row, troubles, folders)
  const waits = row.read_error_kind === 'later' && first === row.read_error
  return {
    last_error: first,
    more_troubles: others.length,
    waits_until: waits ? (row.next_read_at?.toISOString() ?? null) : null,
    folders,
    troubles,
  }
}

async function presentFolders(
  db: Queryable,
  userId: number,
  row: Mailbox,
): Promise<EmailSettings['folders']> {
  return (await folderStates(db, userId, row.id))
    .toSorted(byRole)
    .map(({ path, role, last_read_at, behind, quarantined, quarantine_reason, last_error }) => ({
      path,
      role,
      behind,
      quarantined,
      quarantine_reason,
      last_error,
      last_read_at: last_read_at?.toISOString() ?? null,
    }))
}

/** Folders that are listed first, the first of them last; all others follow by name. */
const ROLES = ['trash', 'junk', 'archive', 'drafts', 'sent', 'inbox']

function byRole(one: { role: string | null }, other: { role: string | null }): number {
  return ROLES.indexOf(other.role ?? '') - ROLES.indexOf(one.role ?? '')
}

function presentServers(row: Mailbox | undefined) {
  return {
    smtp_host: row?.smtp_host ?? '',
    smtp_port: row?.smtp_port ?? null,
    smtp_username: row?.smtp_username ?? '',
    smtp_password_set: (row?.smtp_password_box ?? null) !== null,
    smtp_from: row?.address ?? '',
    smtp_use_tls: row?.smtp_use_tls ?? true,
    imap_host: row?.imap_host ?? '',
    imap_port: row?.imap_port ?? null,
    imap_username: row?.imap_username ?? '',
    imap_password_set: (row?.imap_password_box ?? null) !== null,
    imap_use_ssl: row?.imap_use_ssl ?? true,
  }
}

function presentFollowUps(settings: FollowUpSettings, inPractice: boolean) {
  return {
    auto_followup_enabled: inPractice ? settings.enabled_in_practice : settings.enabled,
    auto_followup_max_days: settings.max_days,
    auto_followup_daily_hour: settings.daily_hour,
    last_auto_followup_run: settings.last_run_at?.toISOString() ?? null,
    last_auto_followup_sent_count: settings.last_sent_count,
  }
}
