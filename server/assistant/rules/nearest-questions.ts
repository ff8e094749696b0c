import { isNear } from './plain-words.ts'

/** Questions that the rules answer for everybody, with words that somebody might use who means them. */
const ASKABLE: readonly [question: string, words: string][] = [
  ['What are my numbers?', 'numbers figures stats business doing overview much many report money'],
  ['Who has not replied?', 'replied reply answer silent quiet waiting who chase follow-up response heard'],
  ['Who is waiting for my answer?', 'waiting answer reply respond unanswered need who back'],
  ['Who is interested?', 'interested wants yes lead leads keen customers who'],
  ['What is due today?', 'due today do task tasks urgent now must job work'],
  ['Which tasks are overdue?', 'tasks overdue late behind forgotten missed todo'],
  ['Show my tasks', 'tasks todo list open do jobs reminders'],
  [
    'What meetings do I have this week?',
    'meetings meeting calendar week call appointment agenda book plans visit when',
  ],
  ['When am I free tomorrow?', 'free available tomorrow slot gap time busy when'],
  ['Show unread emails', 'mail mails email emails unread new inbox message messages came'],
  ['Which invoices are unpaid?', 'invoices invoice unpaid paid pay owes owe bill bills money customer debt'],
  ['Which invoices are overdue?', 'overdue late invoices payment reminder pay'],
  [
    'How much did I invoice this month?',
    'revenue sales much earn make sold profit income turnover month money',
  ],
  ['How many emails did I send this week?', 'many emails sent send week count'],
  ['How many contacts do I have?', 'many contacts customers clients people list count'],
]
const SHOWN = 3
const USUAL = ['What are my numbers?', 'Who has not replied?', 'What is due today?']

/** The three questions that share most words with this one; where none does, the usual three. */
export function nearestQuestions(text: string): string[] {
  const words = (text.toLowerCase().match(/[\p{L}-]+/gu) ?? []).slice(0, 60)
  const scored = ASKABLE.map(([question, known]) => {
    const keys = known.split(' ')
    return { question, score: words.filter((word) => keys.some((key) => isSame(word, key))).length }
  })
  const near = scored
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .map(({ question }) => question)
  return [...near, ...USUAL.filter((question) => !near.includes(question))].slice(0, SHOWN)
}

const isSame = (word: string, key: string) =>
  word === key || (key.length >= 5 && word.length >= 4 && isNear(word, key))
