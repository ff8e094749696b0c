import type { Page } from '@playwright/test'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { ask, type E2eUser, expect, type Howl, signedIn, test } from '../../support/e2e.ts'
import { withClient } from '../../support/sql.ts'
import { toast } from '../../support/toast.ts'

// What users see after a backup was restored. The restore itself has tests of its own: here its last step is written by hand.

const notice = (page: Page) => page.getByRole('region', { name: 'Mail paused' })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Mail that waits' })

/** Holds the user's mail as a restore does, with this many emails that may have left. */
async function hold({ databaseUrl }: Howl, { id }: E2eUser, emails: number, runs = 0): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    await client.query(
      `WITH restored AS (
         INSERT INTO restores (token, backup_taken_at, restored_at)
         VALUES (gen_random_uuid(), '2026-11-20T03:00:00Z', now()) RETURNING id
       )
       INSERT INTO restore_holds (user_id, restore_id, batch_ids)
       SELECT $1, id, array_fill(1::bigint, ARRAY[$2::int]) FROM restored`,
      [id, runs],
    )
    await client.query('UPDATE users SET mail_paused_at = now() WHERE id = $1', [id])
    for (let number = 1; number <= emails; number++)
      await client.query(
        `WITH box AS (
           SELECT id FROM mailboxes WHERE user_id = $1 LIMIT 1
         ), mail AS (
           INSERT INTO emails (user_id, mailbox_id, direction, folder, purpose, message_id, thread_id, from_address, to_line,
             subject, occurred_at, created_at)
           SELECT $1, id, 'out', 'sent', 'compose', 'held-' || $2 || '@muster.example', $3::bigint, 'ada@muster.example',
             'person' || $2 || '@customer.example', 'An offer for the spring, number ' || $2, now(), now() FROM box
           RETURNING id, mailbox_id
         ), delivery AS (
           INSERT INTO deliveries (user_id, email_id, mailbox_id, state, queue, recipients, next_try_at)
           SELECT $1, id, mailbox_id, 'unsure', 'unsure', ARRAY['person' || $2 || '@customer.example'], now() FROM mail
         )
         INSERT INTO held_mails (user_id, email_id, due_at) SELECT $1, id, '2026-11-20T09:30:00Z' FROM mail`,
        [id, String(number), number],
      )
  })
}

test('a user sees what waits and what may have left, and says Send', async ({ page, howl }) => {
  const user = await signedIn(page)
  await ask(page, user, mailboxSetup.practice)
  await hold(howl, user, 3, 1)
  await page.goto('/dashboard')
  await expect(notice(page)).toContainText('Howl was restored from a backup of Nov 20, 2026')
  await notice(page).getByRole('button', { name: 'See what waits' }).click()
  await expect(dialog(page)).toContainText(
    '3 mails wait to be sent. All of them were due before Howl was restored, and may have left already.',
  )
  await expect(dialog(page).getByRole('listitem')).toHaveCount(3)
  await expect(dialog(page).getByRole('listitem').first()).toContainText('May have left')
  await expect(dialog(page)).toContainText('A bulk run is paused.')
  const leaveOut = dialog(page).getByRole('checkbox', {
    name: 'Do not send the 3 that may have left already',
  })
  await expect(leaveOut).toBeChecked()
  await leaveOut.uncheck()
  await expect(dialog(page).getByRole('button', { name: 'Send 3 mails' })).toBeVisible()
  await leaveOut.check()
  await dialog(page).getByRole('button', { name: 'Resume mail' }).click()
  await expect(toast(page, 'Your mail is sent and read again')).toBeVisible()
  await expect(notice(page)).toBeHidden()
  await page.goto('/emails?folder=sent')
  await expect(page.getByText('An offer for the spring, number 1').first()).toBeVisible()
})
