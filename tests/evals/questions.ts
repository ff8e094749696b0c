/** A question about the business of tests/support/muster-business.ts, and what its answer must and must not say. */
export type Question = { ask: string; says: readonly RegExp[]; never?: readonly RegExp[] }

export const QUESTIONS: readonly Question[] = [
  {
    ask: 'What are my numbers?',
    says: [/11 contacts/, /sent 6 emails/, /3 of 6 contacts/, /50%/, /2 open invoices/],
  },
  { ask: 'How many contacts do I have?', says: [/11 contacts/] },
  { ask: 'How many emails have I sent?', says: [/6 emails/] },
  { ask: 'How many emails did I send today?', says: [/6 emails today/] },
  { ask: 'How many emails did I send yesterday?', says: [/0 emails yesterday/] },
  { ask: "What's my response rate?", says: [/50%/] },
  { ask: 'How many replies did I get this week?', says: [/3 replies this week/] },
  { ask: 'How many unread emails do I have?', says: [/4 unread emails/] },
  { ask: 'How many tasks are overdue?', says: [/1 task is overdue/] },
  { ask: 'How many meetings do I have this week?', says: [/3 meetings this week/] },
  { ask: 'How many open invoices are there?', says: [/2 open invoices/, /1,700\.00|1700\.00/] },
  { ask: 'How many contacts are interested?', says: [/0 contacts are interested/] },
  {
    ask: 'Who has not replied?',
    says: [/\b3\b/, /Dan Brown/, /Eva Green/, /Finn Olsen/],
    never: [/Ann Lee/, /Kim Novak/],
  },
  { ask: "Who hasn't answered me yet?", says: [/Dan Brown/, /Eva Green/], never: [/Bob Stone/] },
  { ask: 'Who should I follow up with?', says: [/Finn Olsen/], never: [/Carla/] },
  { ask: 'Who replied?', says: [/Carla Diaz/] },
  {
    ask: 'What is due today?',
    says: [/Send the menu to Ann/, /Pay the rent/],
    never: [/Order plates/, /Buy stamps/],
  },
  { ask: 'Which tasks are overdue?', says: [/Pay the rent/], never: [/Send the menu/] },
  { ask: 'Show my tasks', says: [/Call the bank/, /Order plates/], never: [/Buy stamps/] },
  { ask: 'What tasks are due on Friday?', says: [/Order plates/], never: [/Pay the rent/] },
  { ask: 'What does my day look like?', says: [/Wednesday 13 January/, /Team call/, /Send the menu to Ann/] },
  { ask: 'What meetings do I have tomorrow?', says: [/Menu tasting/, /10:00/], never: [/Team call/] },
  { ask: 'When is my meeting with Bob?', says: [/Contract call/, /Friday 15 January at 14:00/] },
  { ask: "What's my next meeting?", says: [/Team call/], never: [/Menu tasting/] },
  { ask: 'When am I free tomorrow?', says: [/09:00 to 10:00/, /11:00 to 17:00/] },
  { ask: 'Am I free on Friday?', says: [/09:00 to 14:00/, /15:00 to 17:00/] },
  { ask: 'Find Ann', says: [/Ann Lee/, /ann@acme\.example/] },
  { ask: 'Who is Gita Rao?', says: [/Rao Spices/, /gita@rao\.example/] },
  { ask: "What's Ann Lee's phone number?", says: [/\+49 30 1234567/] },
  { ask: 'Find Kim', says: [/more than one/, /Kim Novak/, /Kim Basin/] },
  { ask: 'Who is Zorro?', says: [/no contact|no rule|found no/i] },
  { ask: 'Show unread emails', says: [/Saffron delivery/] },
  { ask: 'Emails from Gita', says: [/Saffron delivery/], never: [/Catering for Bob/] },
  { ask: 'Find emails about saffron', says: [/Saffron delivery/] },
  { ask: 'What did Bob say?', says: [/What does it cost per month/] },
  { ask: 'Summarise the conversation with Ann Lee', says: [/spring menu/, /2 mails/] },
  { ask: 'Which invoices are overdue?', says: [/Acme/, /500\.00/], never: [/Stone Ltd/] },
  { ask: 'Which invoices are unpaid?', says: [/Acme/, /Stone Ltd/] },
  { ask: 'Why was Jack Ward not mailed?', says: [/you stopped it/] },
  { ask: "Why wasn't Hugo mailed?", says: [/not been mailed yet/] },
]

/** What somebody wants done, and the proposal that it must become. */
export type Wish = { ask: string; tool: string; content: Record<string, unknown> }

export const WISHES: readonly Wish[] = [
  {
    ask: 'Schedule a meeting with Bob on Friday at 3',
    tool: 'schedule_meeting',
    content: {
      title: 'Meeting with Bob Stone',
      start_time: '2027-01-15T14:00:00.000Z',
      end_time: '2027-01-15T14:30:00.000Z',
      type: 'phone',
    },
  },
  {
    ask: 'Book a 45 minute call with Ann Lee tomorrow at 9 about the spring menu',
    tool: 'schedule_meeting',
    content: {
      title: 'Call with Ann Lee: the spring menu',
      start_time: '2027-01-14T08:00:00.000Z',
      end_time: '2027-01-14T08:45:00.000Z',
    },
  },
  {
    ask: 'Please set up lunch with Eva next Tuesday at noon at Cafe Blau',
    tool: 'schedule_meeting',
    content: {
      title: 'Lunch with Eva Green',
      start_time: '2027-01-19T11:00:00.000Z',
      type: 'in-person',
      location: 'Cafe Blau',
    },
  },
  {
    ask: 'Arrange a video call with Dan on Monday at 10:30 https://meet.example/dan',
    tool: 'schedule_meeting',
    content: {
      start_time: '2027-01-18T09:30:00.000Z',
      type: 'video',
      meeting_link: 'https://meet.example/dan',
    },
  },
  {
    ask: 'Meet with Bob and Eva on 20 January from 2 to 3:30',
    tool: 'schedule_meeting',
    content: {
      title: 'Meeting with Bob Stone, Eva Green',
      start_time: '2027-01-20T13:00:00.000Z',
      end_time: '2027-01-20T14:30:00.000Z',
    },
  },
  {
    ask: 'Move the call with Bob to Monday at 11',
    tool: 'move_meeting',
    content: {
      title: 'Contract call',
      start_time: '2027-01-18T10:00:00.000Z',
      end_time: '2027-01-18T11:00:00.000Z',
    },
  },
  {
    ask: 'Reschedule Menu tasting to Friday at 10',
    tool: 'move_meeting',
    content: { title: 'Menu tasting', start_time: '2027-01-15T09:00:00.000Z' },
  },
  {
    ask: 'Remind me to call Ann Lee on Friday',
    tool: 'add_task',
    content: { title: 'Call Ann Lee', due_date: '2027-01-15', contact_name: 'Ann Lee (ann@acme.example)' },
  },
  {
    ask: 'Add a task: renew the insurance by 1 February',
    tool: 'add_task',
    content: { title: 'Renew the insurance', due_date: '2027-02-01' },
  },
  {
    ask: 'Create a high priority task to fix the oven tomorrow',
    tool: 'add_task',
    content: { title: 'Fix the oven', due_date: '2027-01-14', priority: 'high' },
  },
  {
    ask: 'Put buy flour on my to-do list',
    tool: 'add_task',
    content: { title: 'Buy flour', due_date: null },
  },
  { ask: 'Mark Pay the rent as done', tool: 'complete_task', content: { title: 'Pay the rent' } },
  { ask: 'Complete the task Order plates', tool: 'complete_task', content: { title: 'Order plates' } },
  {
    ask: 'Add contact Lou Reed lou@reed.example from Reed Records',
    tool: 'add_contact',
    content: { name: 'Lou Reed', email: 'lou@reed.example', company: 'Reed Records' },
  },
  {
    ask: "Change Bob's phone number to +44 20 5550123",
    tool: 'change_contact',
    content: { after: { phone: '+44 20 5550123' } },
  },
  { ask: 'Stop mailing Finn', tool: 'stop_mailing', content: { address: 'finn@olsen.example' } },
  {
    ask: 'Write a follow-up to Dan',
    tool: 'send_email',
    content: { to: 'dan@brown.example', subject: 'Re: Catering for Dan Brown' },
  },
  {
    ask: 'Reply to Ann Lee saying that the menu comes on Monday',
    tool: 'send_reply',
    content: {
      to: 'ann@acme.example',
      subject: 'Re: Catering for Ann Lee',
      body: 'Hello Ann,\n\nThe menu comes on Monday.\n\nKind regards,\nAda Muster',
    },
  },
  {
    ask: 'Draft an email to Hugo about the wine list',
    tool: 'draft_email',
    content: { to: 'hugo@blanc.example', subject: 'The wine list' },
  },
  {
    ask: 'Draft an invoice for Eva of 750 EUR for the summer party',
    tool: 'draft_invoice',
    content: {
      address: 'eva@green.example',
      currency: 'EUR',
      items: [{ description: 'the summer party', quantity: '1', unit_price: '750' }],
    },
  },
]

/** A time as it is said on Monday 23 November 2026, 9:00 in UTC, and what it means in a zone: a local time, or a day. */
export const TIMES: readonly (readonly [words: string, zone: string, means: string])[] = [
  ['on Friday at 3', 'Europe/Berlin', '2026-11-27T15:00'],
  ['tomorrow at 9', 'Europe/Berlin', '2026-11-24T09:00'],
  ['half past 3 tomorrow', 'Europe/Berlin', '2026-11-24T15:30'],
  ['3/12 at noon', 'Europe/Berlin', '2026-12-03T12:00'],
  ['Dec 24 at 6pm', 'Europe/Berlin', '2026-12-24T18:00'],
  ['next Tuesday at 10:30', 'America/New_York', '2026-12-01T10:30'],
  ['3/12 at noon', 'America/New_York', '2027-03-12T12:00'],
  ['in 2 hours', 'America/New_York', '2026-11-23T06:00'],
  ['today at 4pm', 'America/New_York', '2026-11-23T16:00'],
  // The night of 14 March 2027 has no half past two in New York.
  ['14 March 2027 at 11am', 'America/New_York', '2027-03-14T11:00'],
  ['the day after tomorrow at 14h30', 'Asia/Kolkata', '2026-11-25T14:30'],
  ['Friday 3-4pm', 'Asia/Kolkata', '2026-11-27T15:00'],
  ['at 3', 'Asia/Kolkata', '2026-11-23T15:00'],
  ['tomorrow at 03:00', 'Asia/Kolkata', '2026-11-24T03:00'],
  ['Monday at 8', 'Australia/Sydney', '2026-11-30T08:00'],
  ['tomorrow morning', 'Australia/Sydney', '2026-11-24'],
  ['2026-12-01 14:00', 'Australia/Sydney', '2026-12-01T14:00'],
  ['in three days', 'America/Sao_Paulo', '2026-11-26'],
  ['Wednesday at quarter to 5', 'America/Sao_Paulo', '2026-11-25T16:45'],
  ['Friday at 3pm CET', 'America/Sao_Paulo', '2026-11-27T11:00'],
]
