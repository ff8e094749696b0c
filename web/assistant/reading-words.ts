const WORDS: Readonly<Record<string, string>> = {
  read_figures: 'Looking at your numbers…',
  find_contacts: 'Looking through your contacts…',
  read_contact: 'Looking at a contact…',
  list_silent_contacts: 'Looking for who has not replied…',
  find_emails: 'Looking through your emails…',
  read_conversation: 'Reading a conversation…',
  list_meetings: 'Looking at your calendar…',
  find_free_times: 'Looking for free times…',
  list_tasks: 'Looking through your tasks…',
  find_invoices: 'Looking through your invoices…',
}

/** What the page says while a tool is at work. Its own summary is written for a language model. */
export const readingWords = (tool: string): string => WORDS[tool] ?? 'Looking things up…'
