/** What happens to a table that may make work due sooner. */
type Cause = {
  on: string
  /** INSERT, DELETE, or UPDATE of these columns. */
  of: 'INSERT' | 'DELETE' | readonly string[]
  /** Which rows count; all that have changed without it. */
  when?: string
  wakes: readonly string[]
}

const HAS_CHANGED = (columns: readonly string[]) =>
  columns.map((column) => `NEW.${column} IS DISTINCT FROM OLD.${column}`).join(' OR ')

const RUNS = ['adopt runs', 'look at late mails of runs']
const FOLLOW_UPS = ['hold late follow-ups back', 'send follow-ups']

const CAUSES: readonly Cause[] = [
  // What a worker had reserved is free, and mail that was paused may go on.
  { on: 'workers', of: 'DELETE', wakes: ['*'] },
  { on: 'users', of: ['mail_paused_at', 'is_active', 'deleted_at'], wakes: ['*'] },
  { on: 'bans', of: 'INSERT', wakes: ['end bans'] },
  { on: 'bans', of: ['status', 'expires_at'], wakes: ['end bans'] },
  { on: 'activities', of: 'INSERT', wakes: ['link activities'] },
  { on: 'system_mails', of: 'INSERT', wakes: ['system mail'] },
  { on: 'contact_search_queue', of: 'INSERT', wakes: ['index contacts'] },
  { on: 'email_search_queue', of: 'INSERT', wakes: ['index emails'] },
  { on: 'meetings', of: 'INSERT', when: 'NEW.remind_at IS NOT NULL', wakes: ['mail reminders'] },
  { on: 'meetings', of: ['remind_at'], wakes: ['mail reminders'] },
  // Somebody who has just arrived sees new mail at once.
  { on: 'sessions', of: 'INSERT', wakes: ['read mailboxes'] },
  { on: 'sessions', of: ['last_seen_at'], wakes: ['read mailboxes'] },
  { on: 'mailboxes', of: 'INSERT', wakes: ['read mailboxes'] },
  {
    on: 'mailboxes',
    of: ['next_read_at', 'reader_id', 'read_failures'],
    when: 'NEW.reader_id IS NULL OR NEW.next_read_at IS DISTINCT FROM OLD.next_read_at',
    wakes: ['read mailboxes'],
  },
  { on: 'mailboxes', of: ['disconnected_at', 'is_behind'], wakes: ['run sequences'] },
  { on: 'pending_actions', of: 'INSERT', wakes: ['read mailboxes'] },
  { on: 'pending_actions', of: ['next_try_at', 'given_up_at'], wakes: ['read mailboxes'] },
  { on: 'mailbox_troubles', of: 'DELETE', wakes: ['read mailboxes'] },
  { on: 'mailbox_troubles', of: ['next_try_at'], wakes: ['read mailboxes'] },
  { on: 'compositions', of: 'INSERT', when: 'NEW.file_at IS NOT NULL', wakes: ['read mailboxes'] },
  { on: 'compositions', of: ['file_at'], when: 'NEW.file_at IS NOT NULL', wakes: ['read mailboxes'] },
  { on: 'emails', of: 'INSERT', when: `NEW.folder = 'scheduled'`, wakes: ['deliver'] },
  { on: 'emails', of: ['folder', 'schedule_at'], when: `NEW.folder = 'scheduled'`, wakes: ['deliver'] },
  { on: 'deliveries', of: 'INSERT', wakes: ['deliver'] },
  {
    on: 'deliveries',
    of: ['queue', 'state', 'next_try_at'],
    when: `NEW.queue = 'due' AND NEW.state IN ('queued', 'deferred')`,
    wakes: ['deliver'],
  },
  {
    on: 'deliveries',
    of: ['queue', 'next_try_at', 'resends'],
    when: `NEW.queue = 'unsure'`,
    wakes: ['tidy deliveries'],
  },
  { on: 'unsure_replies', of: 'INSERT', wakes: ['ask about replies'] },
  { on: 'unsure_replies', of: ['next_try_at'], wakes: ['ask about replies'] },
  { on: 'practice_answers', of: 'INSERT', wakes: ['practice answers'] },
  { on: 'practice_answers', of: ['due_at'], wakes: ['practice answers'] },
  { on: 'invoices', of: 'INSERT', wakes: ['index invoices'] },
  { on: 'invoices', of: ['words'], when: 'NEW.words IS NULL', wakes: ['index invoices'] },
  { on: 'recurring_invoices', of: 'INSERT', wakes: ['make recurring invoices'] },
  { on: 'recurring_invoices', of: ['due_at'], wakes: ['make recurring invoices'] },
  { on: 'invoice_mails', of: 'INSERT', wakes: ['settle invoice mails'] },
  { on: 'invoice_mails', of: ['state'], when: `NEW.state = 'waiting'`, wakes: ['settle invoice mails'] },
  { on: 'payment_reminder_work', of: 'INSERT', wakes: ['plan payment reminders'] },
  { on: 'payment_reminders', of: 'INSERT', wakes: ['send payment reminders'] },
  { on: 'payment_reminders', of: ['state', 'due_at'], wakes: ['send payment reminders'] },
  { on: 'outreach_batches', of: 'INSERT', wakes: RUNS },
  {
    on: 'outreach_batches',
    of: ['state', 'driver_id', 'drive_at', 'waits_for', 'look_again_at', 'settled_at'],
    when: 'NEW.driver_id IS NULL',
    wakes: RUNS,
  },
  { on: 'follow_up_plans', of: 'INSERT', wakes: ['plan follow-ups'] },
  { on: 'follow_up_plans', of: ['next_run_at', 'is_stale'], wakes: ['plan follow-ups'] },
  { on: 'follow_up_days', of: 'INSERT', wakes: FOLLOW_UPS },
  { on: 'follow_up_days', of: ['finished_at', 'settled_at'], wakes: FOLLOW_UPS },
  {
    on: 'follow_up_mails',
    of: ['state'],
    when: `NEW.state = 'withdrawn'`,
    wakes: ['send follow-ups'],
  },
  { on: 'sequences', of: ['state', 'in_practice'], wakes: ['run sequences'] },
  { on: 'sequence_work', of: 'INSERT', wakes: ['run sequences'] },
  { on: 'sequence_wakes', of: 'INSERT', wakes: ['run sequences'] },
  { on: 'sequence_members', of: 'INSERT', wakes: ['run sequences'] },
  { on: 'sequence_members', of: ['due_at', 'is_open'], when: 'NEW.is_open', wakes: ['run sequences'] },
]

/** When the next work of a loop is due, from each place where there may be some; 'epoch' for work that has no time of its own. */
const DUE: Readonly<Record<string, readonly string[]>> = {
  'end bans': [`SELECT min(expires_at) FROM bans WHERE status = 'active'`],
  'link activities': [
    `SELECT timestamptz 'epoch' WHERE EXISTS (SELECT FROM activities WHERE position IS NULL)`,
  ],
  'system mail': [
    `SELECT timestamptz 'epoch' WHERE EXISTS (SELECT FROM system_mails WHERE state IN ('waiting', 'sending'))`,
  ],
  'index contacts': [`SELECT timestamptz 'epoch' WHERE EXISTS (SELECT FROM contact_search_queue)`],
  'index emails': [`SELECT timestamptz 'epoch' WHERE EXISTS (SELECT FROM email_search_queue)`],
  'mail reminders': [`SELECT min(remind_at) FROM meetings WHERE NOT mail_is_paused(user_id)`],
  'read mailboxes': [
    `SELECT min(next_read_at) FROM mailboxes
  WHERE disconnected_at IS NULL AND (reader_id IS NULL OR reader_id NOT IN (SELECT id FROM workers))
    AND NOT mail_is_paused(user_id)`,
    // Those of an account that is being read, or cannot be read for now, go with its next pass.
    `SELECT min(greatest(p.next_try_at, t.next_try_at)) FROM pending_actions p
  JOIN mailboxes m ON m.user_id = p.user_id AND m.id = p.mailbox_id AND m.disconnected_at IS NULL
    AND m.reader_id IS NULL AND m.read_failures = 0 AND NOT mail_is_paused(m.user_id)
  LEFT JOIN mailbox_troubles t ON t.user_id = m.user_id AND t.mailbox_id = m.id AND t.kind = 'actions'
  WHERE p.given_up_at IS NULL`,
    `SELECT min(greatest(c.file_at, t.next_try_at)) FROM compositions c
  JOIN emails e ON e.user_id = c.user_id AND e.id = c.email_id AND e.folder = 'drafts'
  JOIN mailboxes m ON m.user_id = e.user_id AND m.id = e.mailbox_id AND m.disconnected_at IS NULL
    AND NOT m.is_practice AND m.imap_host <> ''
    AND m.reader_id IS NULL AND m.read_failures = 0 AND NOT mail_is_paused(m.user_id)
  LEFT JOIN mailbox_troubles t ON t.user_id = m.user_id AND t.mailbox_id = m.id AND t.kind = 'drafts'
  WHERE c.file_at IS NOT NULL`,
  ],
  deliver: [
    `SELECT min(schedule_at) FROM emails WHERE folder = 'scheduled' AND NOT mail_is_paused(user_id)`,
    // One step in the index per mailbox and priority, however many emails wait in each.
    `SELECT (
    WITH RECURSIVE boxes AS (
      (SELECT user_id, mailbox_id, priority FROM deliveries WHERE queue = 'due'
       ORDER BY user_id, mailbox_id, priority LIMIT 1)
      UNION ALL
      SELECT n.* FROM boxes b CROSS JOIN LATERAL (
        SELECT user_id, mailbox_id, priority FROM deliveries
        WHERE queue = 'due' AND (user_id, mailbox_id, priority) > (b.user_id, b.mailbox_id, b.priority)
        ORDER BY user_id, mailbox_id, priority LIMIT 1
      ) n
    )
    SELECT min(first.next_try_at) FROM boxes b CROSS JOIN LATERAL (
      SELECT next_try_at FROM deliveries d
      WHERE d.queue = 'due' AND d.user_id = b.user_id AND d.mailbox_id = b.mailbox_id AND d.priority = b.priority
        AND d.state IN ('queued', 'deferred')
      ORDER BY next_try_at LIMIT 1
    ) first WHERE NOT mail_is_paused(b.user_id)
  )`,
  ],
  'tidy deliveries': [
    `SELECT min(next_try_at) FROM deliveries
  WHERE queue = 'unsure' AND (resends = 0 OR after_crash AND resends < 3) AND NOT mail_is_paused(user_id)`,
    `SELECT timestamptz 'epoch'
  WHERE EXISTS (SELECT FROM delivery_workers WHERE worker_id NOT IN (SELECT id FROM workers))`,
  ],
  'ask about replies': [`SELECT min(next_try_at) FROM unsure_replies WHERE NOT mail_is_paused(user_id)`],
  'practice answers': [`SELECT min(due_at) FROM practice_answers WHERE NOT mail_is_paused(user_id)`],
  'index invoices': [`SELECT timestamptz 'epoch' WHERE EXISTS (SELECT FROM invoices WHERE words IS NULL)`],
  // Looked at for ten minutes by the loop itself.
  'settle invoice mails': [`SELECT NULL::timestamptz`],
  'make recurring invoices': [`SELECT min(due_at) FROM recurring_invoices WHERE NOT mail_is_paused(user_id)`],
  'plan payment reminders': [`SELECT timestamptz 'epoch' WHERE EXISTS (SELECT FROM payment_reminder_work)`],
  'send payment reminders': [
    `SELECT timestamptz 'epoch' WHERE EXISTS (SELECT FROM payment_reminders WHERE state = 'withdrawn')`,
    `SELECT min(due_at) FROM payment_reminders
  WHERE state = 'upcoming' AND NOT mail_is_paused(user_id)`,
  ],
  'adopt runs': [`SELECT min(due_at) FROM jobs WHERE NOT is_active`],
  'look at late mails of runs': [
    `SELECT timestamptz 'epoch' WHERE EXISTS (
    SELECT FROM outreach_batches WHERE settled_at IS NULL AND state <> 'cancelled' AND NOT mail_is_paused(user_id))`,
  ],
  'plan follow-ups': [
    `SELECT timestamptz 'epoch' WHERE EXISTS (SELECT FROM follow_up_plans WHERE is_stale)`,
    `SELECT min(next_run_at) FROM follow_up_plans WHERE NOT mail_is_paused(user_id)`,
  ],
  'hold late follow-ups back': [
    `SELECT timestamptz 'epoch' WHERE EXISTS (SELECT FROM follow_up_days WHERE settled_at IS NULL)`,
  ],
  'send follow-ups': [
    `SELECT timestamptz 'epoch' WHERE EXISTS (SELECT FROM follow_up_days WHERE settled_at IS NULL)
    OR EXISTS (SELECT FROM follow_up_mails WHERE state = 'withdrawn')`,
  ],
  'run sequences': [
    `SELECT timestamptz 'epoch' WHERE EXISTS (SELECT FROM sequence_wakes) OR EXISTS (
    SELECT FROM sequences s WHERE s.in_practice AND NOT EXISTS (
      SELECT FROM mailboxes b WHERE b.user_id = s.user_id AND b.is_practice AND b.disconnected_at IS NULL))`,
    `SELECT min(coalesce(not_before, 'epoch')) FROM sequence_work`,
    `SELECT min(first.due_at) FROM sequences q CROSS JOIN LATERAL (
    SELECT due_at FROM sequence_members m WHERE m.user_id = q.user_id AND m.sequence_id = q.id AND is_open
    ORDER BY due_at, id LIMIT 1
  ) first WHERE q.state = 'running'`,
  ],
}

/** Statements that change no row wake nobody, except those that insert: they are not repeated while nothing is due. */
function trigger({ on, of, when, wakes }: Cause, place: number): string {
  const isUpdate = typeof of !== 'string'
  const event = isUpdate ? `UPDATE OF ${of.join(', ')}` : of
  const counts = [...(isUpdate ? [HAS_CHANGED(of)] : []), ...(when === undefined ? [] : [when])]
  const each =
    of === 'INSERT' && when === undefined
      ? 'STATEMENT'
      : `ROW${counts.map((one, index) => `${index === 0 ? ' WHEN (' : ' AND '}(${one})`).join('')}${counts.length > 0 ? ')' : ''}`
  const loops = wakes.map((loop) => `'${loop}'`).join(', ')
  return `CREATE TRIGGER wake_loops_${place} AFTER ${event} ON ${on} FOR EACH ${each} EXECUTE FUNCTION wake_loops(${loops});`
}

/** A view for each loop: planning one for all of them costs ten times what asking one does. */
const dueView = (loop: string): string => `work_due_${loop.replaceAll(/\W/g, '_')}`

/** Loops ask for work when some is due, and not every second. */
export const workDue = `
-- Tells all processes, once this transaction has committed, which loops may have work.
CREATE FUNCTION wake_loops() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  FOR place IN 0 .. TG_NARGS - 1 LOOP
    PERFORM pg_notify('howl_work', TG_ARGV[place]);
  END LOOP;
  RETURN NULL;
END $$;
${CAUSES.map(trigger).join('\n')}

-- When the work of each loop is due.
${Object.entries(DUE)
  .map(([loop, places]) => `CREATE VIEW ${dueView(loop)} (due_at) AS\n${places.join('\nUNION ALL\n')};`)
  .join('\n')}
CREATE VIEW work_due (loop, due_at) AS
${Object.keys(DUE)
  .map((loop) => `SELECT '${loop}', due_at FROM ${dueView(loop)}`)
  .join('\nUNION ALL\n')};
`
