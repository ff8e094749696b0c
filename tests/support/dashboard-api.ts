import { contacts } from '#contract/crm/contacts.ts'
import { meetings } from '#contract/crm/meetings.ts'
import { todos } from '#contract/crm/todos.ts'
import { emails } from '#contract/mail/emails.ts'
import { mailboxes } from '#contract/mail/mailboxes.ts'
import { automaticMail } from '#contract/outreach/automatic-mail.ts'
import { briefs } from '#contract/outreach/briefs.ts'
import { dashboard } from '#contract/overview/dashboard.ts'
import { type FakeApi, fakeApi } from './fake-api.ts'

/** A fake server for the dashboard of a user who has just signed up. */
export function dashboardApi(): FakeApi {
  return fakeApi()
    .answers(contacts.list)
    .answers(meetings.list)
    .answers(todos.list)
    .answers(emails.health)
    .answers(emails.counts)
    .answers(emails.responseRate)
    .answers(emails.list)
    .answers(mailboxes.get)
    .answers(mailboxes.accounts)
    .answers(automaticMail.accounts)
    .answers(briefs.get)
    .answers(dashboard.today)
    .answers(dashboard.activity)
}
