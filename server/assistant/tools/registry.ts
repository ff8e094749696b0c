import { addContactTool, changeContactTool, stopMailingTool } from './propose-contact.ts'
import { draftInvoiceTool } from './propose-invoice.ts'
import { draftEmailTool, draftReplyTool, sendEmailTool, sendReplyTool } from './propose-mail.ts'
import { moveMeetingTool, scheduleMeetingTool } from './propose-meeting.ts'
import { addTaskTool, completeTaskTool } from './propose-task.ts'
import { findFreeTimes, listMeetingsTool } from './read-calendar.ts'
import { findContacts, listSilentContacts, readContact } from './read-contacts.ts'
import { readFigures } from './read-figures.ts'
import { findInvoices } from './read-invoices.ts'
import { findEmails, readConversation } from './read-mails.ts'
import { listTasks } from './read-tasks.ts'
import type { Tool } from './tool.ts'

/** Everything that Wolfy can do, for rules and language models alike. Whatever is not in this list cannot be done. */
export const TOOLS: readonly Tool[] = [
  readFigures,
  findContacts,
  readContact,
  listSilentContacts,
  findEmails,
  readConversation,
  listMeetingsTool,
  findFreeTimes,
  listTasks,
  findInvoices,
  sendEmailTool,
  draftEmailTool,
  sendReplyTool,
  draftReplyTool,
  scheduleMeetingTool,
  moveMeetingTool,
  addTaskTool,
  completeTaskTool,
  addContactTool,
  changeContactTool,
  stopMailingTool,
  draftInvoiceTool,
]

const BY_NAME: ReadonlyMap<string, Tool> = new Map(TOOLS.map((tool) => [tool.name, tool]))

export function toolNamed(name: string): Tool | undefined {
  return BY_NAME.get(name)
}
