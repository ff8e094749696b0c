import { describe, expect, test } from 'vitest'
import { HOSTILE_TEXTS } from '../../../tests/support/hostile-texts.ts'
import { firstWish, inConversation } from './follow-up-question.ts'
import { nearestQuestions } from './nearest-questions.ts'
import { isNear, plainWords, withoutSlips } from './plain-words.ts'
import { readQuestion } from './read-question.ts'
import { saidPeriod } from './said-time.ts'
import { unknownWords } from './unknown-words.ts'

/** A Wednesday. */
const NOW = new Date('2027-01-13T09:00:00Z')
const period = (said: string) => {
  const found = saidPeriod(said, NOW, 'Europe/Berlin')
  return found === null ? null : `${found.from} ${found.to}`
}

describe('a span of days', () => {
  test.each([
    ['how much did we make in october', '2026-10-01 2026-10-31'],
    ['revenue december', '2026-12-01 2026-12-31'],
    ['how many emails did I send in January', '2027-01-01 2027-01-31'],
    ['meetings in march', '2027-03-01 2027-03-31'],
    ['sales in May 2025', '2025-05-01 2025-05-31'],
    ['how much did I invoice this year', '2027-01-01 2027-12-31'],
    ['how much did I invoice last quarter', '2026-10-01 2026-12-31'],
    ['what is on this weekend', '2027-01-16 2027-01-17'],
    ['how many emails did I send on Monday', '2027-01-11 2027-01-11'],
    ['replies last Friday', '2027-01-08 2027-01-08'],
    ['what is due on Friday', '2027-01-15 2027-01-15'],
    ['tasks due on 3 February', '2027-02-03 2027-02-03'],
    ['tasks due on February 3rd', '2027-02-03 2027-02-03'],
    ['may I ask Ann', null],
    ['how many replies did I get in oct', '2026-10-01 2026-10-31'],
    ['march on', null],
  ])('%s', (said, days) => expect(period(said)).toBe(days))
})

describe('the words of a mail', () => {
  const long = `see you tmrw.\n\n${'We bake bread. '.repeat(60)}Bye!`
  test.each([
    [`Write to Ann about bread: ${long}`, long],
    ['Reply to Ann saying thx, that is fine!', 'thx, that is fine!'],
    ['Write to Ann: It’s ready', 'It’s ready'],
  ])('stay as they were typed, however long', (question, body) =>
    expect(readQuestion(question).named['body']).toBe(body),
  )
})

describe('a sentence as it is typed', () => {
  test.each([
    ['whats on tmrw', "what's on tomorrow"],
    ['book ann for tues 2pm', 'book ann for Tuesday 2pm'],
    ['i sat down on sat', 'i sat down on Saturday'],
    ['who hasnt paid pls', "who hasn't paid please"],
  ])('%s', (typed, plain) => expect(plainWords(typed)).toBe(plain))

  test('has slips of one letter in words that matter put right, and no others', () => {
    expect(withoutSlips('wich meetngs do i have tomorow')).toBe('wich meetings do i have tomorrow')
    expect(withoutSlips('call the mouth and the contract')).toBeNull()
    expect(isNear('olson', 'olsen')).toBe(true)
    expect(isNear('oslen', 'olsen')).toBe(true)
    expect(isNear('olson', 'nolan')).toBe(false)
  })
})

describe('a question that leans on the one before', () => {
  test.each([
    [['How many emails did I send this week?'], 'and last week?', 'How many emails did I send last week'],
    [['What does Ann owe?'], 'and bob?', 'What does bob owe'],
    [['What does Ann owe?', 'and bob?'], 'and eva', 'What does eva owe'],
    [["What's Ann's phone number?"], 'and her email?', "Ann's email"],
    [['How many contacts do I have?'], 'and bob?', 'and bob?'],
    [[], 'and last week?', 'and last week?'],
    [['What is due today?'], 'Find Ann', 'Find Ann'],
  ])('%s … %s', (earlier, typed, whole) => expect(inConversation(earlier, typed)).toBe(whole))
})

describe('several wishes at once', () => {
  test('are taken one by one', () => {
    expect(firstWish('remind me to call the bank tomorrow and book bob for monday at 10')).toEqual({
      first: 'remind me to call the bank tomorrow',
      rest: 'book bob for monday at 10',
    })
  })
  test.each([
    'write to Ann: bring the plates and send the menu',
    'remind me to buy bread and butter',
    'remind me to call bob and tell him',
    'who has not replied and who paid',
  ])('are one here: %s', (typed) => expect(firstWish(typed)).toEqual({ first: typed, rest: '' }))
})

test('words that no rule knows are told, and grammar is not', () => {
  expect(unknownWords('how many emails did I send this week')).toEqual([])
  expect(unknownWords('how many mails bounced on 3 May at 14:00')).toEqual(['bounced'])
})

test('what could be asked instead is three questions, the nearest first', () => {
  expect(nearestQuestions('is any bill unpaid for long')[0]).toBe('Which invoices are unpaid?')
  expect(nearestQuestions('xyz')).toHaveLength(3)
})

/** Milliseconds of the processor for one sentence, however it is made. They take 5. */
const MOST_MS = 100

test('the most hostile sentence is read in a moment', () => {
  const slow: string[] = []
  const lead = ['', 'please ', 'email ', 'how many ', 'why did ', 'put ', 'and ', 'did ', 'remind me ']
  for (const [name, make] of HOSTILE_TEXTS)
    for (const before of lead) {
      const text = before + make(4000)
      const begun = process.cpuUsage()
      readQuestion(text)
      firstWish(text)
      inConversation([text, 'and bob?'], text)
      unknownWords(readQuestion(text).text)
      nearestQuestions(readQuestion(text).text)
      saidPeriod(text, NOW, 'Europe/Berlin')
      const { user, system } = process.cpuUsage(begun)
      if ((user + system) / 1000 > MOST_MS) slow.push(`${before}${name}: ${(user + system) / 1000}`)
    }
  expect(slow).toEqual([])
}, 120_000)
