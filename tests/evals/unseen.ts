import { createHash } from 'node:crypto'

/** What a shop owner types, and what a useful answer to it contains. All about the business of `tests/support/muster-business.ts`. */
export type Unseen = {
  ask: string
  /** Asked before it, in the same session. */
  before?: string
  /** All of them stand in the answer, or for a wish in the proposal. */
  has?: RegExp[]
  /** None of them does. */
  not?: RegExp[]
  /** A wish: the tools that would do it. Exactly one proposal is expected. */
  tools?: string[]
  /** Howl cannot know or do this. The useful answer says so and names no figure. */
  cannot?: true
}

/** Not that he does not know: that is no answer. */
const NO =
  /\bno\b(?! rule)|\bnot\b(?! (?:know|understand|sure))|(?<!ca)n['’]t\b(?! (?:know|understand))|nothing|none|free|\b0\b/i
const MAIL_TO = ['send_email', 'draft_email', 'send_reply', 'draft_reply']

/**
 * Written before their author had read the rules, with the slips and short forms of real typing. A third is held out
 * ({@link isHeldOut}): the rules are never changed for the sake of those. Whoever mends the rules must not open this file: the command
 * prints the failures of the others.
 */
export const unseen: Unseen[] = [
  // Numbers
  { ask: 'how many contacts do i have', has: [/\b11\b/] },
  { ask: 'how many customers are in my list?', has: [/\b11\b/] },
  { ask: 'total contacts?', has: [/\b11\b/] },
  { ask: 'how many emails went out today', has: [/\b6\b/] },
  { ask: 'number of mails i sent this week', has: [/\b6\b/] },
  { ask: 'whats my reply rate', has: [/\b50 ?%/] },
  { ask: 'how many people answered', has: [/\b3\b/] },
  { ask: 'how many replies did I get so far', has: [/\b3\b/] },
  { ask: 'how much did we make in october', has: [NO], not: [/1,?700/, /1,?200/, /\b500\b/] },
  { ask: 'how much did we invoice in december?', has: [/1,?700/] },
  { ask: 'how much money is still out there', has: [/1,?700|(?:500[^]*1,?200|1,?200[^]*500)/] },
  { ask: 'give me the numbers pls', has: [/\b6\b/, /\b3\b/] },
  { ask: 'how are we doing?', has: [/\b6\b/, /\b3\b/] },
  { ask: 'hows business', has: [/\b6\b/, /\b3\b/] },
  { ask: 'how many tasks are open', has: [/\b4\b/] },
  { ask: 'how many meetings this week?', has: [/\b3\b/] },
  { ask: 'how many invoices havent been paid', has: [/\b2\b/] },
  { ask: 'how many unread emails', has: [/\b4\b/] },

  // Who waits, who is silent, what came in
  { ask: 'anyone waiting for me?', has: [/Bob/, /Ann/] },
  { ask: 'who do i still need to answer', has: [/Bob/, /Ann/] },
  { ask: 'who hasnt replied yet?', has: [/Dan/, /Eva/, /Finn/], not: [/Ann Lee/, /Bob Stone/] },
  { ask: "who didn't get back to me", has: [/Dan/, /Eva/, /Finn/], not: [/Ann Lee/, /Bob Stone/] },
  { ask: 'no answer from who?', has: [/Dan/, /Eva/, /Finn/], not: [/Ann Lee/, /Bob Stone/] },
  { ask: 'who should i chase', has: [/Dan/, /Eva/, /Finn/] },
  { ask: 'did dan write back', has: [/Dan/, NO] },
  { ask: 'has Bob replied?', has: [/Bob/, /cost per month|replied|\byes\b/i], not: [/has not replied/i] },
  { ask: 'did finn olson answer', has: [/Finn Olsen/, NO] },
  { ask: 'whos interested', has: [/Ann/], not: [/Carla Diaz/] },
  { ask: 'anybody not interested?', has: [/Carla/], not: [/Ann Lee/] },
  { ask: 'who said no', has: [/Carla/], not: [/Ann Lee/] },
  { ask: 'any new mail?', has: [/Gita|saffron/i] },
  { ask: 'what did gita want', has: [/saffron/i] },
  { ask: 'show me bobs last email', has: [/cost per month/i] },
  { ask: 'emails from carla', has: [/Carla/, /not interested|Catering/] },
  { ask: 'anything about saffron', has: [/saffron/i, /Gita/] },
  { ask: 'when does the saffron come', has: [/saffron/i, /Monday/] },
  { ask: 'did anybody ask a question', has: [/Bob/], not: [/Carla/] },

  // The day and the calendar
  { ask: 'whats on tomorrow', has: [/Menu tasting/, /10/] },
  { ask: 'whats on today', has: [/Team call/] },
  { ask: 'what do i have to do today', has: [/Send the menu to Ann/] },
  { ask: 'whats left to do', has: [/Send the menu to Ann/, /Pay the rent/, /Order plates/] },
  { ask: 'todo list', has: [/Pay the rent/, /Order plates/] },
  { ask: 'anything overdue?', has: [/Pay the rent|Ann Lee|Acme/], not: [/Order plates/] },
  { ask: 'what am i late with', has: [/Pay the rent/], not: [/Order plates/] },
  { ask: "what's due fri", has: [/Order plates/] },
  { ask: 'agenda for thursday please', has: [/Menu tasting/] },
  { ask: 'am i free thurs at 10?', has: [/Menu tasting|\bno\b|not free|busy/i] },
  { ask: 'am i free friday morning', has: [/free|yes/i] },
  { ask: "when's my next meeting", has: [/Team call/, /16:00|4(?::00)? ?pm/i] },
  { ask: 'next appointment?', has: [/Team call/] },
  { ask: 'when do i see bob', has: [/Contract call/, /Fri|15 Jan|Jan 15/] },
  { ask: 'who am i meeting on thursday', has: [/Ann/] },
  { ask: 'wat meetings do i hav this week', has: [/Team call/, /Menu tasting/, /Contract call/] },
  { ask: 'do I have anything on Sat?', has: [NO] },
  { ask: 'what time is the menu tasting', has: [/10:00|10 ?am/i] },
  { ask: 'where have I got a gap tomorrow afternoon', has: [/free|1[2-7]:\d\d/i], not: [/Menu tasting/] },
  { ask: "what's up next week", has: [NO], not: [/Menu tasting/] },

  // People
  { ask: 'anns phone number', has: [/1234567/] },
  { ask: 'ann lee tel?', has: [/1234567/] },
  { ask: "bob's email adress", has: [/bob@stone\.example/] },
  { ask: 'who is hugo', has: [/Hugo Blanc/, /Blanc Wines|hugo@blanc/] },
  { ask: 'find Gren Cafe', has: [/Eva Green/] },
  { ask: 'look up ward tents', has: [/Jack Ward/] },
  { ask: 'who works at acme', has: [/Ann Lee/] },
  { ask: 'contact details for Finn Olsen', has: [/finn@olsen\.example/] },
  { ask: 'phone for kim', has: [/Novak/, /Basin/] },
  { ask: 'do i have a mail address for gita', has: [/gita@rao\.example/] },
  { ask: 'why did jack not get the mail', has: [/Jack/, /stop|no more|not mailed|unsubscribed|never/i] },
  { ask: 'is jack ward unsubscribed?', has: [/Jack/, /stop|no more|not mailed|unsubscribed|never/i] },
  { ask: "whats ann's job", has: [/Buyer/] },

  // Invoices
  { ask: 'did bob pay', has: [/1,?200/, NO], not: [/\byes\b/i, /\b500/] },
  { ask: 'has ann paid yet', has: [/\b500/], not: [/\byes\b/i, /1,?200/] },
  { ask: 'unpaid invoices?', has: [/\b500/, /1,?200/] },
  { ask: 'who owes me money', has: [/Ann|Acme/, /Bob|Stone/] },
  { ask: 'which bills are late', has: [/\b500/], not: [/1,?200/] },
  { ask: 'what does stone ltd owe us', has: [/1,?200/], not: [/\b500\b/] },
  { ask: 'overdue invoices pls', has: [/\b500/], not: [/1,?200/] },
  { ask: 'when is bobs invoice due', has: [/1 Feb|Feb(?:ruary)? 1\b|2027-02-01/], not: [/\b500\b/] },
  { ask: 'how much does ann owe', has: [/\b500/], not: [/1,?200/] },

  // Wishes
  {
    ask: 'book ann in for tues 2pm',
    tools: ['schedule_meeting'],
    has: [/Ann Lee/, /19 Jan|Jan 19|2027-01-19/, /14:00|T13:00|\b2:00/],
  },
  {
    ask: 'put a call with bob in for tmrw at 9',
    tools: ['schedule_meeting'],
    has: [/Bob Stone/, /14 Jan|Jan 14|2027-01-14/, /09:00|\b9:00|T08:00/],
  },
  {
    ask: 'meeting with Eva on Mon 10am',
    tools: ['schedule_meeting'],
    has: [/Eva Green/, /18 Jan|Jan 18|2027-01-18/, /10:00|T09:00/],
  },
  {
    ask: 'remind me to order bread tomorrow',
    tools: ['add_task'],
    has: [/order bread/i, /14 Jan|Jan 14|2027-01-14/],
  },
  { ask: 'add to my list: call plumber', tools: ['add_task'], has: [/call plumber/i] },
  {
    ask: 'new task buy flour for friday',
    tools: ['add_task'],
    has: [/buy flour/i, /15 Jan|Jan 15|2027-01-15/],
  },
  { ask: 'tick off pay the rent', tools: ['complete_task'], has: [/Pay the rent/] },
  { ask: 'rent is paid, mark it done', tools: ['complete_task'], has: [/Pay the rent/] },
  { ask: 'email dan and ask if he got the menu', tools: MAIL_TO, has: [/dan@brown\.example/, /menu/i] },
  { ask: 'chase finn', tools: MAIL_TO, has: [/finn@olsen\.example/] },
  { ask: 'send eva a follow up', tools: MAIL_TO, has: [/eva@green\.example/] },
  { ask: 'tell ann the tasting is at ten', tools: MAIL_TO, has: [/ann@acme\.example/, /tasting is at ten/i] },
  { ask: 'reply to bob: its 99 a month', tools: MAIL_TO, has: [/bob@stone\.example/, /99 a month/] },
  { ask: 'stop emailing carla', tools: ['stop_mailing'], has: [/Carla Diaz/] },
  { ask: 'carla doesnt want any more mails', tools: ['stop_mailing'], has: [/Carla Diaz/] },
  {
    ask: 'add a new contact Lena Fox lena@fox.example',
    tools: ['add_contact'],
    has: [/Lena Fox/, /lena@fox\.example/],
  },
  {
    ask: 'hugos number is now 0170 5551234',
    tools: ['change_contact'],
    has: [/Hugo Blanc/, /0170 ?5551234/],
  },
  {
    ask: 'change Bobs email to bob@newstone.example',
    tools: ['change_contact'],
    has: [/Bob Stone/, /bob@newstone\.example/],
  },
  {
    ask: 'invoice hugo 250 euro for wine glasses',
    tools: ['draft_invoice'],
    has: [/Hugo Blanc/, /250/, /EUR|€/, /wine glasses/i],
  },
  {
    ask: 'bill gita 80 eur for delivery',
    tools: ['draft_invoice'],
    has: [/Gita Rao/, /80/, /EUR|€/, /delivery/i],
  },
  {
    ask: 'push bobs call back to monday 3pm',
    tools: ['move_meeting'],
    has: [/Contract call/, /18 Jan|Jan 18|2027-01-18/, /15:00|T14:00|\b3:00/],
  },
  {
    ask: 'can you shift the menu tasting to friday at 11?',
    tools: ['move_meeting'],
    has: [/Menu tasting/, /15 Jan|Jan 15|2027-01-15/, /11:00|T10:00/],
  },

  // Questions that lean on the one before
  { before: 'How many emails did I send this week?', ask: 'and last week?', has: [NO], not: [/\b6\b/] },
  { before: 'What is due today?', ask: 'and tomorrow?', has: [NO], not: [/Send the menu/] },
  { before: 'What does Ann owe?', ask: 'and bob?', has: [/1,?200/] },
  { before: "What's Ann's phone number?", ask: 'and her email?', has: [/ann@acme\.example/] },
  { before: 'Emails from Ann', ask: 'and from gita', has: [/saffron/i] },
  { before: 'When is my meeting with Bob?', ask: 'and with ann?', has: [/Menu tasting/] },

  // Two wishes at once: the first is proposed, and he says that it is only one
  {
    ask: 'remind me to call the bank tomorrow and book bob for monday at 10',
    tools: ['add_task'],
    has: [/call the bank/i],
    not: [/book bob/i],
  },

  // Small talk
  { ask: 'hi', has: [/hello|\bhi\b/i] },
  { ask: 'good morning wolfy', has: [/hello|\bhi\b|good morning/i] },
  { ask: 'thanks!', has: [/welcome|pleasure|glad|any ?time/i] },
  { ask: 'what can you do', has: [/invoice/i, /meeting/i, /task/i] },
  { ask: 'are you a real person?', has: [/\bno\b|not a person|rules|program|assistant/i] },

  // What Howl cannot know or do
  { ask: 'whats the weather tomorrow', cannot: true },
  { ask: 'how much profit did we make', cannot: true },
  { ask: 'delete all my contacts', cannot: true },
  { ask: 'email everybody that we are closed on monday', cannot: true },
  { ask: 'translate the menu into french', cannot: true },
  { ask: 'cancel the tasting', cannot: true },
  { ask: 'whats our best selling dish', cannot: true },
  { ask: 'did the bank call', cannot: true },
]

/** A third, chosen by the hash of the sentence. */
export const isHeldOut = ({ ask }: Unseen) => (createHash('sha256').update(ask).digest()[0] ?? 0) % 3 === 0
