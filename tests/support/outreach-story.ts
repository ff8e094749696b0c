import type { Locator, Page } from '@playwright/test'
import { expect } from './e2e.ts'
import { toast } from './toast.ts'

// The steps of outreach as a new shop owner goes through them, whatever mailbox is behind.

const button = (within: Page | Locator, name: string | RegExp) =>
  within.getByRole('button', { name, exact: true })
export const region = (within: Page | Locator, name: string | RegExp) =>
  within.getByRole('region', { name, exact: true })
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })
const goTo = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).first().click()

/** What outreach is to be about. */
export type About = {
  offer: string
  audience: string
  benefit: string
  proof: string
  ask: string
  tone: string
  language: string
  signature: string
}

/** What the owner has in a spreadsheet: companies, a shared address, titles, a family name first, and one bad address. */
const SHEET = [
  'Name;Email;Company',
  'Ana Ruiz;ana+interested@ruiz.example;Ruiz Bakery',
  'Dr. Ana Kovač;kovac+silent@praxis.example;Praxis Kovač',
  'Schäfer Logistik GmbH;office+silent@schaefer.example;Schäfer Logistik',
  ';info+silent@fleet.example;',
  'Ben Ott;ben+silent@ott.example;Ott Gardens',
  '"Müller, Jörg";joerg+silent@mueller.example;',
  'Cleo Roth;cleo+silent@books.example;Roth Books',
  'Ines Koch;ines.koch.example;',
].join('\r\n')

/** Logs in on the empty account's first day, and says where the business is. */
export async function logIn(page: Page, who: { email: string; password: string }): Promise<void> {
  await page.goto('/login')
  await page.getByRole('textbox', { name: 'Email' }).fill(who.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(who.password)
  await button(page, 'Login').click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await page.getByRole('combobox', { name: 'Country' }).selectOption('DE')
  await expect(toast(page, 'Timezone updated to Europe/Berlin')).toBeVisible()
}

/** From the dashboard to a brief in its second version. */
export async function tellAboutYou(page: Page, about: About): Promise<void> {
  const step = region(page, 'Next steps')
    .getByRole('listitem')
    .filter({ hasText: 'What your emails are about' })
  await expect(step).toContainText(
    'Say once what you offer, to whom, and what to ask for. Without it, your emails only introduce you.',
  )
  await step.getByRole('link', { name: 'Tell Howl about you' }).click()
  const form = page.getByRole('form', { name: 'About you' })
  const field = (label: string) => form.getByLabel(label, { exact: true })
  await expect(button(form, 'Save')).toBeDisabled()
  await field('What you offer').fill(about.offer)
  await field('Who it is for').fill(about.audience)
  await field('What the reader gets').fill(about.benefit)
  await field('Proof').fill('A first thought')
  await field('What to ask for').fill(about.ask)
  await field('Tone').selectOption(about.tone)
  await field('Language').selectOption(about.language)
  await field('Signature').fill(about.signature)
  await button(form, 'Save').click()
  await expect(toast(page, 'Saved. Your next emails are written from it.')).toBeVisible()
  await field('Proof').fill(about.proof)
  await button(form, 'Save').click()
  await expect(button(form, 'Save')).toBeDisabled()

  await page.reload()
  for (const [label, value] of [
    ['What you offer', about.offer],
    ['Who it is for', about.audience],
    ['What the reader gets', about.benefit],
    ['Proof', about.proof],
    ['What to ask for', about.ask],
    ['Signature', about.signature],
  ] as const)
    await expect(field(label)).toHaveValue(value)
  await expect(field('Tone').locator('option:checked')).toHaveText(about.tone)
  await expect(field('Language').locator('option:checked')).toHaveText(about.language)
  await expect(page.getByRole('list', { name: 'Earlier versions' }).getByRole('listitem')).toHaveCount(1)
  await goTo(page, 'Dashboard')
}

/** Imports the spreadsheet, and puts one of its people on the list of those who get no mail. */
export async function bringContacts(page: Page): Promise<void> {
  await goTo(page, 'Contact')
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    button(page, 'Import a file').click(),
  ])
  await chooser.setFiles({ name: 'customers.csv', mimeType: 'text/csv', buffer: Buffer.from(SHEET) })
  await button(dialog(page, 'Import Contacts'), 'Import 7 contacts').click()
  const report = dialog(page, 'Import finished')
  await expect(report.getByRole('row', { name: /ines\.koch\.example/ })).toContainText('not a valid')
  await button(report, 'Done').click()
  await expect(page.getByText('Showing 1 to 7 of 7 contacts')).toBeVisible()

  await page.getByRole('checkbox', { name: 'Select Cleo Roth' }).check()
  await button(page.getByRole('toolbar', { name: 'Selected contacts' }), 'Stop mailing').click()
  await button(dialog(page, 'Stop mailing 1 contact?'), 'Stop mailing').click()
  await expect(toast(page, 'Mailing stopped for 1 contact')).toBeVisible()
}

/** What the confirmation shows before a run: the account, who is left out, and the first mails with these greetings. */
export async function seeFirstMails(
  page: Page,
  {
    mailbox,
    offer,
    greetings,
    optOut,
  }: { mailbox: string; offer: string; greetings: Record<string, string>; optOut: string },
): Promise<Locator> {
  await goTo(page, 'Dashboard')
  await button(page, 'Generate & Send Emails').click()
  const question = dialog(page, /^Send to \d contacts\?/)
  await expect(question).toHaveAccessibleName('Send to 6 contacts?')
  await expect(question).toContainText(
    'Each gets an email of their own. You can pause or cancel while it runs.',
  )
  await expect(question).toContainText(mailbox)
  await expect(question).toContainText('1 of 7 contacts: 1 unsubscribed, bounced or on your do-not-mail list')
  await button(question, 'See the first emails').click()
  const mails = region(question, 'The first emails')
  await expect(mails).toContainText(
    'They leave exactly as they stand here. The others are written like them.',
  )
  await expect(mails.getByRole('listitem')).toHaveCount(5)
  for (const [at, [name, greeting]] of Object.entries(greetings).entries()) {
    if (at > 0) await mails.getByRole('listitem').nth(at).getByRole('button', { name }).click()
    const mail = region(mails, `Email to ${name}`)
    await expect(mail).toContainText(new RegExp(`^${greeting}\n`))
    await expect(mail).toContainText(offer)
    await expect(mail).toContainText(optOut)
  }
  return question
}

/** Changes one of the first mails, leaves out Ben Ott, has a test sent, and starts the run. */
export async function changeAndSend(
  page: Page,
  question: Locator,
  { subject, text }: { subject: string; text: string },
): Promise<void> {
  await button(question, 'Edit the email to Dr. Ana Kovač').click()
  const edit = question.getByRole('form', { name: 'Edit the email to Dr. Ana Kovač' })
  await edit.getByLabel('Subject').fill(subject)
  await edit.getByLabel('Text').fill(text)
  await button(edit, 'Save').click()
  await expect(question.getByText('Changed by you', { exact: true })).toBeVisible()
  await button(question, 'Leave out Ben Ott').click()
  await expect(question).toHaveAccessibleName('Send to 5 contacts?')
  await expect(question).toContainText(
    '2 of 7 contacts: 1 unsubscribed, bounced or on your do-not-mail list, 1 left out by you',
  )
  await expect(question).toContainText('1 email, by you')
  await button(question, 'Send me a test of the email to Dr. Ana Kovač').click()
  await expect(toast(page, /^A test is on its way to /)).toBeVisible()

  await button(question, 'Send to 5 contacts').click()
  await expect(toast(page, /^Successfully sent 5 email\(s\)\. 2 contact\(s\) were skipped\./)).toBeVisible()
  const ended = region(page, 'Sent to 5 contacts')
  await button(ended, 'See results').click()
  const results = dialog(page, 'Results of the run')
  const result = (name: string) => results.getByRole('row').filter({ hasText: name })
  await expect(results.getByRole('row')).toHaveCount(8)
  await expect(result('Ben Ott')).toContainText(/Skipped.*Left out by you/)
  await expect(result('Cleo Roth')).toContainText(/Skipped.*On your do-not-mail list/)
  for (const name of [
    'Ana Ruiz',
    'Dr. Ana Kovač',
    'Schäfer Logistik GmbH',
    'info+silent@fleet',
    'Müller, Jörg',
  ])
    await expect(result(name)).toContainText('Sent')
  await results.getByRole('button', { name: 'Close' }).click()
  await button(ended, 'Dismiss').click()
}

/** The answer of one of five is counted, without a reload. */
export async function seeAnswerCounted(page: Page): Promise<void> {
  await goTo(page, 'Dashboard')
  await expect(region(page, 'Key figures')).toContainText('1 of 5 replied', { timeout: 60_000 })
  await expect(region(page, 'Key figures')).toContainText('20%')
  const recent = page.getByRole('list', { name: 'Recent Contacts' })
  await expect(recent.getByRole('link', { name: /^Ana Ruiz/ })).toContainText('Interested')
}

/** Switches follow-ups on in the profile. */
export async function switchFollowUpsOn(page: Page): Promise<void> {
  await page.goto('/profile')
  const card = region(page, 'Auto Follow-ups')
  await expect(card.getByText('Off', { exact: true })).toBeVisible()
  await expect(card.getByRole('textbox', { name: 'Days' })).toHaveValue('14')
  await expect(card.getByRole('combobox', { name: 'Hour' })).toHaveValue('9')
  await expect(card.locator('dl')).toHaveText('Last runNeverSent then0 follow-ups')
  await card.getByRole('switch').check()
  await card.getByRole('textbox', { name: 'Days' }).fill('61')
  await button(card, 'Save follow-ups').click()
  await expect(card.getByRole('textbox', { name: 'Days' })).toHaveAccessibleDescription(/60/)
  await card.getByRole('textbox', { name: 'Days' }).fill('21')
  await card.getByRole('combobox', { name: 'Hour' }).selectOption('09:00')
  await button(card, 'Save follow-ups').click()
  await expect(toast(page, 'Follow-up settings saved')).toBeVisible()
  await expect(card.getByText('On', { exact: true })).toBeVisible()
  await card.getByRole('link', { name: 'See who is next' }).click()
}

/** "Fri 4 Dec" and what may follow, so many days after a day in Berlin; one ICU writes a comma more than another. */
function dayAfter(at: Date, days: number, more = ''): RegExp {
  const then = new Date(at.getTime() + days * 86_400_000)
  const format = { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'Europe/Berlin' } as const
  const [weekday, ...others] = new Intl.DateTimeFormat('en-GB', format).format(then).split(/,? /)
  return new RegExp(`${weekday},? ${others.join(' ')}${more}`)
}

const SILENT = ['Dr. Ana Kovač', 'Info', 'Müller, Jörg']

/** The page of follow-ups at `now`: when they run next, which one the silent get in three days, and why the others get none. */
export async function seeWhoIsNext(page: Page, now: Date, number: number): Promise<void> {
  const card = region(page, 'Automatic follow-ups')
  await expect(card).toContainText(dayAfter(now, 1, ', 09:00'))
  await expect(card).toContainText(
    'Every day at 09:00 (Europe/Berlin), to contacts who have been silent for 3 days. At most 3 each, up to 21 days after your first email.',
  )
  const next = region(page, 'Who is next').getByRole('listitem')
  await expect(next).toHaveCount(SILENT.length)
  for (const name of SILENT) {
    const row = next.filter({ has: page.getByRole('link', { name, exact: true }) })
    await expect(row).toContainText(`Follow-up ${number}`)
    await expect(row).toContainText(dayAfter(now, 3, ', 09:00'))
  }
  const others = region(page, 'Why not the others')
  for (const [reason, name] of [
    ['They have replied', 'Ana Ruiz'],
    ['They have unsubscribed', 'Schäfer Logistik GmbH'],
    ['You have not written to them yet', 'Ben Ott'],
  ] as const) {
    const heading = others.getByRole('button', { name: new RegExp(`^${reason} ?\\d$`) })
    await heading.click()
    const names = others.getByRole('list', { name: reason, exact: true }).getByRole('link')
    await expect(names.filter({ hasText: name })).toBeVisible()
    for (const silent of SILENT) await expect(names.filter({ hasText: silent })).toHaveCount(0)
    await heading.click()
  }
}

/** The follow-ups to the three silent ones have left today, and both pages tell it. */
export async function seeFollowUpsSent(page: Page, now: Date): Promise<void> {
  await page.goto('/outreach/follow-ups')
  const days = page.getByRole('list', { name: 'What has been sent' }).getByRole('listitem')
  await expect(days.first()).toHaveText(dayAfter(now, 0, ` ${now.getUTCFullYear()}3 sent$`))
  await page.goto('/profile')
  const facts = region(page, 'Auto Follow-ups').locator('dl')
  await expect(facts).toContainText('Sent then3 follow-ups')
  const format = { dateStyle: 'medium', timeZone: 'Europe/Berlin' } as const
  await expect(facts).toContainText(`Last run${new Intl.DateTimeFormat('en', format).format(now)}, 10:0`)
  await page.goto('/outreach/follow-ups')
}

/** Why a contact gets nothing, or what is next, on the contact's own page. */
export async function seeWhy(
  page: Page,
  name: string,
  sentences: readonly (string | RegExp)[],
): Promise<void> {
  await goTo(page, 'Contact')
  await page.getByRole('row').filter({ hasText: name }).getByRole('link', { name, exact: true }).click()
  for (const sentence of sentences) await expect(region(page, 'Automatic Emails')).toContainText(sentence)
}

/** A template with a gap, an example sequence that uses it, and people from Contacts who are put into it. */
export async function makeSequence(page: Page): Promise<void> {
  await goTo(page, 'Contact')
  await button(page, 'Add Contact').click()
  const added = dialog(page, 'Add New Contact')
  await added.getByLabel('Name').fill('Nora Lind')
  await added.getByLabel('Email').fill('nora+silent@lind.example')
  await added.getByRole('button', { name: /^(Add|Save)/ }).click()
  await expect(toast(page, 'Contact added')).toBeVisible()

  await goTo(page, 'Dashboard')
  await goTo(page, 'Outreach')
  await goTo(page, 'Templates')
  await page.getByRole('link', { name: 'New template' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Spring')
  await page.getByRole('textbox', { name: 'Subject' }).fill('Spring at {{ company }}')
  await page
    .getByRole('textbox', { name: 'Text' })
    .fill('{{ greeting }},\n\nMay I show you what grows in April?\n\n{{ my_name }}')
  await expect(page.getByRole('list', { name: 'Check' })).toContainText(
    /The company is not known of 3 contacts: .*Nora Lind.*Give it a default, or a condition\./,
  )
  await button(page, 'Save template').click()
  await expect(toast(page, 'Template added')).toBeVisible()

  await goTo(page, 'Sequences')
  await button(page, /^First contact/).click()
  await button(page, 'Remove step 5').click()
  await button(page, 'Remove step 4').click()
  await button(region(page, 'Step 1'), /Email/).click()
  await region(page, 'Step 1').getByRole('combobox', { name: 'Text' }).selectOption('Template: Spring')
  await button(region(page, 'Step 3'), /Email/).click()
  await region(page, 'Step 3')
    .getByRole('textbox', { name: 'Message' })
    .fill('{{ greeting }},\n\nis that something for you?\n\n{{ my_name }}')
  await button(page, 'Save').click()
  await expect(toast(page, 'Sequence saved')).toBeVisible()

  await goTo(page, 'Contact')
  for (const name of ['Ben Ott', 'Nora Lind', 'Müller, Jörg'])
    await page.getByRole('checkbox', { name: `Select ${name}` }).check()
  await button(page, 'Add to a sequence').click()
  await button(dialog(page, 'Add 3 contacts to a sequence'), 'Add').click()
  await expect(toast(page, /^3 contacts added to /)).toBeVisible()
  await expect(page).toHaveURL(/\/outreach\/sequences\/\d+$/)
}

/** The check names who would read a gap; with a default in the template nothing stands in the way, and it starts. */
export async function startSequence(page: Page): Promise<void> {
  const at = page.url()
  const start = dialog(page, 'Start “First contact”')
  await button(page, 'Start…').click()
  await expect(start).toContainText('It begins with 3 contacts.')
  const finding = start.getByRole('list', { name: 'Check' }).getByRole('listitem')
  await expect(finding).toContainText('Step 1: {{ company }} would be empty for some contacts.')
  await expect(finding).toContainText('Nora Lind')
  await expect(finding).toContainText('Müller, Jörg')
  await expect(finding).not.toContainText('Ben Ott')
  await button(start, 'Cancel').click()
  await button(region(page, 'Step 1'), /Email/).click()
  await region(page, 'Step 1').getByRole('link', { name: 'Open the template' }).click()
  await page.getByRole('textbox', { name: 'Subject' }).fill('Spring at {{ company | default: "your place" }}')
  await button(page, 'Save template').click()
  await expect(toast(page, 'Template saved')).toBeVisible()

  await page.goto(at)
  await button(page, 'Start…').click()
  await expect(start).toContainText('Nothing stands in the way.')
  await expect(start.getByRole('figure', { name: 'Forecast' })).toContainText('6')
  await expect(start).toContainText(/The last email leaves about \d+ \w+/)
  await button(start, 'Start').click()
  await expect(toast(page, 'The sequence is running')).toBeVisible()
}

/** Its figures, who waits and why, a pause, and one who is taken out. */
export async function seeSequenceRun(page: Page): Promise<void> {
  const first = page.getByRole('list', { name: 'Steps' }).getByRole('listitem').first()
  await expect(first).toContainText(/Email: Spring.*2 sent.*0 replied/s)
  const row = (name: string) =>
    page.getByRole('table', { name: 'Contacts in it' }).getByRole('row').filter({ hasText: name })
  await expect(row('Ben Ott')).toContainText('Email: is that something for you?')
  // Jörg had a follow-up this morning.
  await expect(row('Müller, Jörg')).toContainText(/Email: Spring.*, 09:00.*Has had an automatic email today/)
  await button(page, 'Pause').click()
  await expect(toast(page, 'Sequence paused')).toBeVisible()
  await expect(page.getByText('Paused', { exact: true }).first()).toBeVisible()
  await button(row('Ben Ott'), 'More actions for Ben Ott').click()
  await page.getByRole('menuitem', { name: 'Take out' }).click()
  await expect(row('Ben Ott')).toContainText('Taken out by you')
}
